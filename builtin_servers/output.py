"""Keeps the head and the tail of a long output, and counts what was between."""

from __future__ import annotations

from threading import Lock


class Output:
    """The bytes of one stream, at most `limit` of them kept. Fed by one thread, read by another."""

    def __init__(self, limit: int) -> None:
        self._half = limit // 2
        self._head = bytearray()
        self._tail = bytearray()
        self._lock = Lock()
        self.size = 0
        """How many bytes there were in all."""

    def feed(self, chunk: bytes) -> None:
        with self._lock:
            self.size += len(chunk)
            room = self._half - len(self._head)
            self._head += chunk[:room]
            self._tail += chunk[room:]
            if len(self._tail) > 2 * self._half + 65536:
                del self._tail[: -self._half]

    @property
    def is_cut(self) -> bool:
        return self.size > 2 * self._half

    @property
    def text(self) -> str:
        """As UTF-8; where something was left out, a line says how much of how much."""
        with self._lock:
            if not self.is_cut:
                return (self._head + self._tail).decode("utf-8", "replace")
            left_out = self.size - 2 * self._half
            note = f"\n[… {left_out} of {self.size} bytes left out …]\n"
            tail = self._tail[-self._half :]
            return self._head.decode("utf-8", "ignore") + note + tail.decode("utf-8", "ignore")
