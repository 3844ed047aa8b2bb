"""Locks between processes of the app: held while a file is changed, or a session or window is open.

The system releases a lock when its holder ends, however that happens. Must not import more of the
project than `private_files`, nor `filelock`: version 4.2 adds 15 to 31 ms to a start (this module 1
to 1.6), takes nine times as long for a lock, and on file systems without `flock` falls back to a
file that a killed process leaves behind.
"""

from __future__ import annotations

import os
import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from desktop.base.private_files import make_private_folder, open_private

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path

_PAUSE = 0.01
"""Seconds between two attempts."""


class FileLock:
    """One lock file. It stays on the disk: if it were removed, two could hold locks of one name."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file = -1

    @property
    def path(self) -> Path:
        """Where the lock file is."""
        return self._path

    def take(self) -> bool:
        """Try once to get the lock; False where another process, or another object, has it.

        Raises:
            OSError: the file cannot be made, or its file system has no locks.
        """
        file = self._open()
        try:
            _lock_file(file)
        except OSError as error:
            os.close(file)
            if isinstance(error, (BlockingIOError, PermissionError)):
                return False
            raise
        self._file = file
        return True

    def _open(self) -> int:
        make_private_folder(self._path.parent)
        return open_private(self._path, os.O_RDWR | os.O_CREAT)

    def write(self, content: bytes) -> None:
        """Replace the content of the file while the lock is held; others can read it meanwhile."""
        os.lseek(self._file, 0, os.SEEK_SET)
        os.ftruncate(self._file, 0)
        os.write(self._file, content)

    def release(self) -> None:
        """Safe to call twice. A program that is just being started may still have the file."""
        if self._file >= 0:
            _unlock_file(self._file)
            os.close(self._file)
            self._file = -1


class FolderLock(FileLock):
    """For the files of a folder that is not ours: it leaves no file there, but on Windows."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder / ".mcp-desktop.lock")

    if sys.platform != "win32":

        def _open(self) -> int:
            make_private_folder(self._path.parent)
            return os.open(self._path.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)


@contextmanager
def locked(lock: FileLock, limit: float) -> Generator[None]:
    """Wait for the lock, `limit` seconds at most. Blocks: for a thread, or where that is short.

    Raises:
        TimeoutError: another process held it all the time.
        OSError: the file cannot be made, or its file system has no locks.
    """
    deadline = time.monotonic() + limit
    while not lock.take():
        if time.monotonic() > deadline:
            raise TimeoutError(f"{lock.path} is held by another process")
        time.sleep(_PAUSE)
    try:
        yield
    finally:
        lock.release()


if sys.platform == "win32":
    _LOCKED = 0x4000_0000

    def _lock_file(file: int) -> None:
        """Lock an open file. Raises PermissionError if another has it. Not run here.

        A byte far behind the end, which Windows allows: nobody could read one that is locked.
        """
        import msvcrt

        os.lseek(file, _LOCKED, os.SEEK_SET)
        try:
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        finally:
            os.lseek(file, 0, os.SEEK_SET)

    def _unlock_file(file: int) -> None:
        """Closing it does that: no program that is started gets the file."""

else:

    def _lock_file(file: int) -> None:
        """Lock an open file. Raises BlockingIOError if another has it."""
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def _unlock_file(file: int) -> None:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_UN)
