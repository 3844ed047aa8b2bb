from __future__ import annotations

import logging
from typing import get_args

from desktop.config.models import LogLevel
from desktop.gui.activity.server_messages import LEVELS, NOTICE, keep_server_message, level_name
from desktop.logs import LogBuffer
from desktop.servers.server_log import LogMessage


def test_a_message_of_a_server_is_a_line_with_its_level_and_its_name() -> None:
    logs = LogBuffer()
    keep_server_message(logs, "files", LogMessage("warning", "disk", "90 % full"))
    keep_server_message(logs, "files", LogMessage("notice", "", "ok"))

    assert [(line.level, line.name, line.text) for line in logs.after(0)] == [
        (logging.WARNING, "server files disk", "90 % full"),
        (NOTICE, "server files", "ok"),
    ]


def test_every_level_of_the_protocol_has_one_here() -> None:
    assert set(LEVELS) == set(get_args(LogLevel))


def test_each_level_of_a_server_has_its_word() -> None:
    assert [level_name(LEVELS[level]) for level in LEVELS] == [
        "DEBUG",
        "INFO",
        "NOTICE",
        "WARNING",
        "ERROR",
        "CRITICAL",
        "ALERT",
        "EMERGENCY",
    ]
