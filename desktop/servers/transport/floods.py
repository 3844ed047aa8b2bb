"""Which notifications of a server are passed over unread: more of one kind than anybody can follow.

A server may send ten thousand in a second. To parse them and hand them on takes more than half of a
core, so a line that is too much is known by how it begins. Log messages are left to whoever counts
them; of the progress of one call, the latest is read when the second is over. What does not begin
as SDKs write it is read as ever. Must not parse a line.
Source: MCP specification, server/utilities/logging and basic/utilities/progress.
"""

from __future__ import annotations

import asyncio
import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

WINDOW: Final = 1.0
"""Seconds."""
MAX_PROGRESS: Final = 20
"""Signs of progress of one call that are read in a window: enough to renew its time limit."""
MAX_TOKENS: Final = 50
"""Calls whose progress is told apart in a window; that of all others together is one more."""
_OTHERS: Final = b""
_NOTIFICATION: Final = re.compile(
    rb'\s*+\{\s*+(?:"jsonrpc"\s*+:\s*+"2\.0"\s*+,\s*+)?'
    rb'"method"\s*+:\s*+"notifications/(message|progress)"'
)
_TOKEN: Final = re.compile(rb'"progressToken"\s*+:\s*+(-?\d{1,20}+|"(?:[^"\\]|\\.){0,200}+")')
_TOKEN_WITHIN: Final = 1000
"""Bytes of a line in which it is looked for."""


class FloodGate:
    """Keeps back what is too much of one connection."""

    def __init__(
        self,
        leaves_out_log: Callable[[], bool],
        read: Callable[[bytes], None],
        passed_over: Callable[[bytes], None],
    ) -> None:
        """Args: leaves_out_log: asked for each log message, whether it is too much.

        read: gets a line that was kept back, and is the latest. passed_over: each that never is.
        """
        self._leaves_out_log = leaves_out_log
        self._read, self._passed_over = read, passed_over
        self._counts: dict[bytes, int] = {}
        self._latest: dict[bytes, bytes] = {}
        self._end: asyncio.TimerHandle | None = None

    def keeps_back(self, line: bytes) -> bool:
        """Whether `line` is not to be read now."""
        found = _NOTIFICATION.match(line)
        if found is None:
            return False
        if found[1] == b"progress":
            return self._keeps_progress_back(line)
        if self._leaves_out_log():
            self._passed_over(line)
            return True
        return False

    def close(self) -> None:
        """Nothing is read any more."""
        if self._end is not None:
            self._end.cancel()

    def _keeps_progress_back(self, line: bytes) -> bool:
        if self._end is None:
            self._end = asyncio.get_running_loop().call_later(WINDOW, self._end_window)
        found = _TOKEN.search(line, 0, _TOKEN_WITHIN)
        token = found[1] if found is not None else _OTHERS
        if token not in self._counts and len(self._counts) >= MAX_TOKENS:
            token = _OTHERS
        count = self._counts[token] = self._counts.get(token, 0) + 1
        if count <= MAX_PROGRESS:
            return False
        if (before := self._latest.get(token)) is not None:
            self._passed_over(before)
        self._latest[token] = line
        return True

    def _end_window(self) -> None:
        self._end = None
        latest, self._latest, self._counts = self._latest, {}, {}
        for line in latest.values():
            self._read(line)
