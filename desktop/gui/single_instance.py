"""One window for one data folder: who starts a second one gets the first in front instead.

A lock on a file says who is first: the system frees it whatever ends the process, and gives it to
one of two. A `doorbell` beside it is how the second one rings. Runs before the first paint, so it
imports next to nothing. The terminal commands do not ask.
"""

from __future__ import annotations

import contextlib
import logging
import os
import time
from typing import TYPE_CHECKING, Literal, TypeAlias

from desktop.file_lock import lock_file
from desktop.gui.doorbell import doorbell_of

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable
    from pathlib import Path

    from desktop.gui.doorbell import Doorbell

Answer: TypeAlias = Literal["first", "raised", "silent"]
"""What a start is: the first one, or one more, and the first came to the front or kept silent."""

WAIT = 5.0
"""Seconds for a first window that is still starting, or just closing its servers."""
_PAUSE = 0.05
_RING_LIMIT = 1.0
_RING, _REPLY = b"raise", b"ok\n"

logger = logging.getLogger(__name__)


class SingleInstance:
    """The claim of this run on a data folder, held until `close` or the end of the process."""

    def __init__(self, data: Path, doorbell: Doorbell | None = None) -> None:
        """Args: doorbell: another than that of this platform."""
        self._data = data
        self._file = -1
        self._doorbell = doorbell or doorbell_of(data)
        self._server: asyncio.Server | None = None

    def claim(self, wait: float = WAIT, opened: str = "") -> Answer:
        """Become the first, or ring at the one who is; `wait` bounds how long that may take.

        `opened` is the file or link that the first one is to show then.
        """
        deadline = time.monotonic() + wait
        while not self._lock():
            if self._ring(opened):
                return "raised"
            if time.monotonic() > deadline:
                return "silent"
            time.sleep(_PAUSE)
        return "first"

    async def listen(self, ring: Callable[[str], object]) -> None:
        """Call `ring` each time somebody starts a second one, with what that was to open, or ''."""
        if self._file < 0:
            return
        from desktop.gui.bell import Bell

        try:
            self._server = await self._doorbell.open(lambda key: Bell(ring, _RING, _REPLY, key))
        except OSError as error:
            logger.warning("a second start cannot raise this window: %s", error)

    def close(self) -> None:
        """Let the next start be the first. Idempotent."""
        self.stop_listening()
        self._server = None
        self._doorbell.close()
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def stop_listening(self) -> None:
        """Answer nobody any more: a start that comes now waits for the claim to be free."""
        if self._server is not None:
            self._server.close()

    @property
    def holder(self) -> str:
        """Who has the claim, for a person to look for."""
        try:
            pid = (self._data / "window.lock").read_bytes()[:20].decode("ascii", "replace")
        except OSError:
            return "its PID is not known"
        return f"its PID is {pid}"

    def _lock(self) -> bool:
        """Whether the claim is ours; also where nothing can be locked: then there is no second."""
        try:
            self._data.mkdir(parents=True, exist_ok=True)
            file = os.open(self._data / "window.lock", os.O_RDWR | os.O_CREAT, 0o600)
        except OSError:
            return True
        try:
            lock_file(file)
        except (BlockingIOError, PermissionError):
            os.close(file)
            return False
        except OSError:  # a file system without locks
            os.close(file)
            return True
        self._file = file
        self._doorbell.clear()
        with contextlib.suppress(OSError):  # a full disk: then the PID is not known
            os.ftruncate(file, 0)
            os.write(file, str(os.getpid()).encode())
        return True

    def _ring(self, opened: str) -> bool:
        """Whether the first one answered."""
        try:
            caller, key = self._doorbell.call(_RING_LIMIT)
            with caller:
                caller.sendall(_line(key, opened))
                return caller.recv(len(_REPLY)) == _REPLY
        except OSError:
            return False


def _line(key: bytes, opened: str) -> bytes:
    """A line feed in a path would end the message early."""
    text = opened.encode(errors="replace") if "\n" not in opened else b""
    return b" ".join(part for part in (_RING, key, text) if part) + b"\n"
