"""Log messages of servers among the lines of the app, with server, level and part."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, get_args

from desktop.config.models import LogLevel
from desktop.diagnostics.logs import LogBuffer
from desktop.features.window import rail_pages
from desktop.gui.activity.page import ActivityPage
from desktop.gui.activity.server_messages import LEVELS, NOTICE, keep_server_message, level_name
from desktop.gui.main_window import MainWindow
from desktop.gui.page_factory import Pages
from desktop.gui.window_state import WindowState
from desktop.servers.server_log import LogMessage
from tests.gui.activity.conftest import once
from tests.gui.offers import offering_core, told

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme


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


async def test_what_a_real_server_logs_is_among_the_lines_of_the_window(
    qtbot: QtBot, theme: Theme, tmp_path: Path
) -> None:
    async with offering_core(tmp_path) as core:
        window = MainWindow(theme, WindowState(core.paths.window_state))
        qtbot.addWidget(window, before_close_func=lambda _: window.finish())
        Pages(window, rail_pages()).open(core)
        window.show()
        await told(core, "log", level="alert", data="disk is full")
        window.show_page("activity")
        page = window.page("activity")
        assert isinstance(page, ActivityPage)
        page.tabs.setCurrentWidget(page.logs)
        text = page.logs.text
        await once(text.textChanged, lambda: "disk is full" in text.toPlainText())
        assert "ALERT    server offers part: disk is full" in text.toPlainText()
        window.hide()
