"""`ServerLog`: the log messages that a server sends by the protocol, bounded in size and number.

They are kept with what the server writes to stderr, each with its level. A flood is cut and
counted. Must not decide on a level: the session does. Source: MCP specification,
server/utilities/logging.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, get_args

import mcp_types as types
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from msgspec import Struct

from desktop.base.signals import Signal
from desktop.base.translatable import translatable
from desktop.config.models import LogLevel
from desktop.patches.sdk import change_log_level
from desktop.servers.repair.message_repair import quoted

if TYPE_CHECKING:
    from mcp import Client
    from mcp_types import LoggingMessageNotificationParams

    from desktop.servers.transport.stderr_log import StderrLog

MAX_PER_WINDOW = 200
"""Messages taken in one window; the others are counted."""
WINDOW = 1.0
"""Seconds."""
MAX_MESSAGE_LENGTH = 4_000
"""Characters of one message."""
MAX_LOGGER_LENGTH = 100
LOG_LEVELS: tuple[LogLevel, ...] = get_args(LogLevel)
"""All there are, the least important first."""


class LogMessage(Struct, frozen=True):
    """One message: its level, the part of the server that it is from, and its words."""

    level: LogLevel
    logger: str
    text: str

    @property
    def line(self) -> str:
        """How it stands in the server's log."""
        origin = f" {self.logger}:" if self.logger else ""
        return f"[{self.level}]{origin} {self.text}"


class ServerLog:
    """Takes the messages of one session; `received` is sent with each that is kept."""

    def __init__(self, output: StderrLog) -> None:
        """Args: output: where they are kept."""
        self.received: Signal[[LogMessage]] = Signal()
        self._output = output
        self._window_ends = 0.0
        self._come = self._taken = 0
        self._left_out = 0

    def leaves_out(self) -> bool:
        """Whether a message that has just come is too much even to be parsed: it is counted then.

        What is parsed in spite of that, because it came on another way, is bounded by `take`.
        """
        self._enter_window()
        self._come += 1
        if self._come <= MAX_PER_WINDOW:
            return False
        self._left_out += 1
        return True

    async def take(self, params: LoggingMessageNotificationParams) -> None:
        """Keep one message, or count it where there are too many."""
        self._enter_window()
        if self._taken >= MAX_PER_WINDOW:
            self._left_out += 1
            return
        self._taken += 1
        text = (
            params.data if isinstance(params.data, str) else quoted(params.data, MAX_MESSAGE_LENGTH)
        )
        logger = (params.logger or "")[:MAX_LOGGER_LENGTH]
        message = LogMessage(params.level, logger, text[:MAX_MESSAGE_LENGTH])
        self._output.add(*message.line.splitlines())
        self.received.send(message)

    def _enter_window(self) -> None:
        now = asyncio.get_running_loop().time()
        if now >= self._window_ends:
            self.say_left_out()
            self._window_ends, self._come, self._taken = now + WINDOW, 0, 0

    def say_left_out(self) -> None:
        """Tell how many were left out since it was told last; nothing where none were."""
        if self._left_out:
            words = translatable(
                "{count} log messages dropped: more than {limit} per second",
                count=self._left_out,
                limit=MAX_PER_WINDOW,
            )
            self._output.add(f"[mcp-desktop] {words}")
            self._left_out = 0


async def set_log_level(client: Client, level: LogLevel | None) -> None:
    """Ask a server for its log messages from a level on; one that has no log is not asked.

    Raises:
        Exception: whatever the SDK says of it.
    """
    if client.protocol_version in MODERN_PROTOCOL_VERSIONS:
        change_log_level(client, level)
    elif level is not None and client.server_capabilities.logging is not None:
        # Not the client's own verb, which warns that later servers have it no more.
        params = types.SetLevelRequestParams(level=level)
        await client.session.send_request(types.SetLevelRequest(params=params), types.EmptyResult)
