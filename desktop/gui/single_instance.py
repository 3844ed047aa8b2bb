"""One window for one data folder: a second start brings the first one's window to the front.

A file lock decides who is first. A Unix socket beside it, on Windows a named pipe, carries one line
from a second start to the first (`instance_channel`). Runs before the first paint, so that is
imported only where it is needed: by a second start, and by the first one once its window is
painted. The terminal commands do not use it.

Not `QLockFile`: it takes a file that a crash left empty, or whose PID another process has by now,
for a living window, and nothing would ever free it.
"""

from __future__ import annotations

import contextlib
import os
import sys
import time
from typing import TYPE_CHECKING, Literal, TypeAlias

from desktop.base.file_lock import FileLock
from desktop.base.private_files import opener

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from desktop.gui.instance_channel import InstancePipe, InstanceSocket

Answer: TypeAlias = Literal["first", "raised", "silent"]
"""What a start is: the first; or a later one, and the first came to the front or kept silent."""

MAX_WAIT = 5.0
"""Seconds for a first window that is still starting, or just closing its servers."""
_PAUSE = 0.05


class SingleInstance:
    """The claim of this run on a data folder, held until `close` or the end of the process."""

    def __init__(self, data: Path) -> None:
        self._file = data / "window.lock"
        self._lock = FileLock(self._file)
        self._is_first = False
        self._data = data
        self._opened_channel: InstanceSocket | InstancePipe | None = None

    def claim(self, wait: float = MAX_WAIT, opened: str = "") -> Answer:
        """Become the first, or ask the one who is to show itself. Blocks, `wait` seconds at most.

        Args:
            wait: seconds; 0 asks once.
            opened: the file or link that the first one is to show then.
        """
        deadline = time.monotonic() + wait
        while not self._take_lock():
            if self._channel().request(opened, self._holder_pid()):
                return "raised"
            if time.monotonic() > deadline:
                return "silent"
            time.sleep(_PAUSE)
        return "first"

    def listen(self, on_request: Callable[[str], object]) -> None:
        """Call `on_request` at each second start, with what that was to open, or ''."""
        if self._is_first:
            self._channel().listen(on_request)

    def stop_listening(self) -> None:
        """Answer nobody any more: a start that comes now waits for the claim to be free."""
        if self._opened_channel is not None:
            self._opened_channel.close()

    def close(self) -> None:
        """Let the next start be the first. Idempotent."""
        self.stop_listening()
        self._is_first = False
        self._lock.release()

    @property
    def holder(self) -> str:
        """Who has the claim, for a person to look for."""
        pid = self._holder_pid()
        return f"its PID is {pid}" if pid else "its PID is not known"

    def _holder_pid(self) -> int:
        """0 where it is not known."""
        try:
            with open(self._file, "rb", opener=opener) as file:
                pid = file.read(20)
        except OSError:
            return 0
        return int(pid) if pid.isdigit() else 0

    def _take_lock(self) -> bool:
        try:
            if not self._lock.take():
                return False
        except OSError:  # a folder or a file system without locks: then there is no second start
            return True
        self._is_first = True
        with contextlib.suppress(OSError):  # a full disk: then the PID is not known
            self._lock.write(str(os.getpid()).encode())
        return True

    def _channel(self) -> InstanceSocket | InstancePipe:
        """On which a second start and the first talk to each other."""
        if self._opened_channel is None:
            if sys.platform == "win32":
                from desktop.gui.instance_channel import InstancePipe as Channel
            else:
                from desktop.gui.instance_channel import InstanceSocket as Channel
            self._opened_channel = Channel(self._data)
        return self._opened_channel
