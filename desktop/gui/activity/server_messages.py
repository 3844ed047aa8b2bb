"""Puts the log messages that servers send by the protocol among the lines of the Logs view.

In memory alone: the app's own log file gets none of what servers say. Must not import Qt.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

    from desktop.config.models import LogLevel
    from desktop.diagnostics.logs import LogBuffer
    from desktop.servers.server_log import LogMessage

NOTICE, ALERT, EMERGENCY = 25, 55, 60
LEVELS: Final[Mapping[LogLevel, int]] = {
    "debug": logging.DEBUG,
    "info": logging.INFO,
    "notice": NOTICE,
    "warning": logging.WARNING,
    "error": logging.ERROR,
    "critical": logging.CRITICAL,
    "alert": ALERT,
    "emergency": EMERGENCY,
}
"""The numbers that `logging` has, and three between and above them."""
SERVER = "server "
"""What the name of a line begins with that came from a server."""


def level_name(level: int) -> str:
    """The word for a level, those of servers included."""
    own = {NOTICE: "NOTICE", ALERT: "ALERT", EMERGENCY: "EMERGENCY"}
    return own.get(level) or logging.getLevelName(level)


def keep_server_message(logs: LogBuffer, server: str, message: LogMessage) -> None:
    """One more line, named by its server and, where the server says it, a part of it."""
    name = f"{SERVER}{server}" + (f" {message.logger}" if message.logger else "")
    level = LEVELS[message.level]
    logs.handle(logging.LogRecord(name, level, "", 0, message.text, (), None))
