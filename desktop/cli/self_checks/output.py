"""What a process says that a check has started: kept, bounded, and waited for."""

from __future__ import annotations

import asyncio

KEPT = 64_000
"""Bytes kept of each stream, the last ones."""


class CapturedOutput:
    """A `ProcessOutput` that keeps."""

    def __init__(self) -> None:
        self._stdout = b""
        self._stderr = b""
        self._is_closed = False
        self._changed = asyncio.Event()

    @property
    def complaint(self) -> str:
        """The last lines on stderr."""
        return "\n".join(self._stderr.decode(errors="replace").strip().splitlines()[-8:])

    async def wait_for(self, text: bytes) -> None:
        """Return once `text` was said on stdout.

        Raises:
            EOFError: stdout ended without it; with what stderr said.
        """
        while text not in self._stdout:
            if self._is_closed:
                raise EOFError(self.complaint or "it said nothing")
            self._changed.clear()
            await self._changed.wait()

    def stdout_received(self, data: bytes) -> None:
        self._stdout = (self._stdout + data)[-KEPT:]
        self._changed.set()

    def stdout_closed(self) -> None:
        self._is_closed = True
        self._changed.set()

    def stderr_received(self, data: bytes) -> None:
        self._stderr = (self._stderr + data)[-KEPT:]

    def process_exited(self, code: int) -> None:
        """Nothing: the process itself tells of it."""
