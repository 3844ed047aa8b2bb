"""Cuts a byte stream into lines in linear time, with a limit on one line.

Knows nothing of JSON or MCP.
"""

from __future__ import annotations

LINE_LIMIT = 256 * 1024 * 1024
"""Bytes in one line. A list of 10,000 tools of 5 kB is 50 MB; beyond this a server is broken."""


class LineTooLongError(Exception):
    """A line passed the limit; the stream cannot be read on from here."""


class LineBuffer:
    """Collects chunks and gives back whole lines without their newline."""

    def __init__(self, limit: int = LINE_LIMIT) -> None:
        self._limit = limit
        self._chunks: list[bytes] = []
        self._size = 0

    def feed(self, data: bytes) -> list[bytes]:
        """Add `data`; return the lines that it completes.

        Raises:
            LineTooLongError: a line is longer than the limit.
        """
        *ends, rest = data.split(b"\n")
        if ends:
            ends[0] = self._take() + ends[0]
        self._chunks.append(rest)
        self._size += len(rest)
        if self._size > self._limit or any(len(line) > self._limit for line in ends):
            self._take()
            raise LineTooLongError
        return ends

    def _take(self) -> bytes:
        line = b"".join(self._chunks)
        self._chunks.clear()
        self._size = 0
        return line
