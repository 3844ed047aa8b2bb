"""How a second start reaches the first one: a Unix socket, or the loopback where there are none.

Both have their place in the data folder. The loopback takes calls from everybody on this machine:
there, only who can read the file beside knows the key that rings. Knows no window; imports next to
nothing, for `single_instance`.
"""

from __future__ import annotations

import contextlib
import os
import sys
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import asyncio
    import socket
    from collections.abc import Callable
    from pathlib import Path

    Answering = Callable[[bytes], asyncio.Protocol]
    """Makes what answers a caller who must know this key; one without a key answers everybody."""

_PATH_LIMIT = 100
"""Bytes of a socket's path that every system takes."""
_LOOPBACK = "127.0.0.1"


class Doorbell(Protocol):
    """Either of the two."""

    async def open(self, answering: Answering) -> asyncio.Server:
        """Take calls from now on. Raises `OSError` where it cannot be."""
        ...

    def call(self, limit: float) -> tuple[socket.socket, bytes]:
        """A connection to the first one, and the key to say. Raises `OSError`: nobody is there."""
        ...

    def clear(self) -> None:
        """Remove what a run left that did not end in order."""
        ...

    def close(self) -> None:
        """Remove what `open` made. Idempotent."""
        ...


def doorbell_of(folder: Path, platform: str = sys.platform) -> Doorbell:
    """The one that works there: a socket has no long path but on Linux, and none on Windows."""
    unix = UnixDoorbell(folder)
    is_short = platform == "linux" or not unix.is_too_long
    return unix if is_short and platform != "win32" else LoopbackDoorbell(folder)


class UnixDoorbell:
    """A socket beside the lock; the folder's rights are its own."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._socket = folder / "window.sock"
        self._open_folder = -1
        self._is_open = False

    async def open(self, answering: Answering) -> asyncio.Server:
        from asyncio import get_running_loop

        server = await get_running_loop().create_unix_server(lambda: answering(b""), self._address)
        self._is_open = True
        return server

    def call(self, limit: float) -> tuple[socket.socket, bytes]:
        import socket

        caller = socket.socket(socket.AF_UNIX)
        return _connected(caller, self._address, limit), b""

    def clear(self) -> None:
        """Nothing: who listens replaces it."""

    def close(self) -> None:
        if self._is_open:
            self._is_open = False
            self._socket.unlink(missing_ok=True)
        if self._open_folder >= 0:
            os.close(self._open_folder)
            self._open_folder = -1

    @property
    def is_too_long(self) -> bool:
        return len(os.fsencode(self._socket)) > _PATH_LIMIT

    @property
    def _address(self) -> str:
        """The socket's path, or a shorter one to it where Linux offers one."""
        if not self.is_too_long or sys.platform != "linux":
            return str(self._socket)
        if self._open_folder < 0:
            self._open_folder = os.open(self._folder, os.O_RDONLY)
        return f"/proc/self/fd/{self._open_folder}/{self._socket.name}"


class LoopbackDoorbell:
    """A port of the loopback; a file that only its person can read says which, and the key."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / "window.port"
        self._is_open = False

    async def open(self, answering: Answering) -> asyncio.Server:
        from asyncio import get_running_loop
        from secrets import token_hex

        key = token_hex(32).encode("ascii")
        loop = get_running_loop()
        server = await loop.create_server(lambda: answering(key), _LOOPBACK, 0)
        port = server.sockets[0].getsockname()[1]
        try:
            self._write(b"%d %d %s\n" % (port, os.getpid(), key))
        except OSError:
            server.close()
            raise
        return server

    def call(self, limit: float) -> tuple[socket.socket, bytes]:
        import socket

        port, pid, key, *_ = [*self._file.read_bytes()[:200].split(), b"", b"", b""]
        if not port.isdigit() or not pid.isdigit():
            raise ConnectionRefusedError(f"{self._file} is not whole")
        caller = _connected(socket.socket(socket.AF_INET), (_LOOPBACK, int(port)), limit)
        _let_come_forward(int(pid))
        return caller, key

    def clear(self) -> None:
        with contextlib.suppress(OSError):
            self._file.unlink(missing_ok=True)

    def close(self) -> None:
        if self._is_open:
            self._is_open = False
            self.clear()

    def _write(self, content: bytes) -> None:
        self.clear()
        file = os.open(self._file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        self._is_open = True
        try:
            os.write(file, content)
        finally:
            os.close(file)


def _connected(
    caller: socket.socket, address: str | tuple[str, int], limit: float
) -> socket.socket:
    try:
        caller.settimeout(limit)
        caller.connect(address)
    except BaseException:
        caller.close()
        raise
    return caller


def _let_come_forward(pid: int) -> None:
    """Windows: only who has the foreground can give it away, and this start has. Not run here."""
    if sys.platform == "win32":
        import ctypes

        ctypes.windll.user32.AllowSetForegroundWindow(pid)
