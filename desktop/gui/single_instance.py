"""One window for one data folder: a second start brings the first one's window to the front.

A file lock decides who is first. A local socket beside it (on Windows a named pipe) carries one
line from a second start to the first: `raise`, and the file or link that it was started with. Runs
before the first paint, so `QtNetwork` is imported only where it is needed: by a second start, and
by the first one once its window is painted. The terminal commands do not use it.

Not `QLockFile`: it takes a file that a crash left empty, or whose PID another process has by now,
for a living window, and nothing would ever free it.
"""

from __future__ import annotations

import contextlib
import logging
import os
import sys
import time
from typing import TYPE_CHECKING, Literal, TypeAlias

from desktop.file_lock import FileLock
from desktop.private_files import FILE_MODE, opener

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from PySide6.QtNetwork import QLocalServer, QLocalSocket

Answer: TypeAlias = Literal["first", "raised", "silent"]
"""What a start is: the first; or a later one, and the first came to the front or kept silent."""

MAX_WAIT = 5.0
"""Seconds for a first window that is still starting, or just closing its servers."""
MAX_ANSWER_TIME = 1.0
"""Seconds for one attempt to reach it."""
MAX_REQUEST_TIME = 2.0
"""Seconds until a caller who sends no whole line is disconnected."""
MAX_REQUEST_SIZE = 70_000
"""Bytes of a line; the longest install link that is read is shorter."""
MAX_SOCKET_PATH = 90
"""Bytes of a socket's path: the systems take 104; Qt makes it under a longer name first."""
_PAUSE = 0.05
_RAISE, _REPLY = b"raise", b"ok\n"

logger = logging.getLogger(__name__)


class SingleInstance:
    """The claim of this run on a data folder, held until `close` or the end of the process."""

    def __init__(self, data: Path) -> None:
        self._file = data / "window.lock"
        self._lock = FileLock(self._file)
        self._is_first = False
        self._channel = InstanceChannel(data)

    def claim(self, wait: float = MAX_WAIT, opened: str = "") -> Answer:
        """Become the first, or ask the one who is to show itself. Blocks, `wait` seconds at most.

        Args:
            wait: seconds; 0 asks once.
            opened: the file or link that the first one is to show then.
        """
        deadline = time.monotonic() + wait
        while not self._take_lock():
            if self._channel.request(opened, self._holder_pid()):
                return "raised"
            if time.monotonic() > deadline:
                return "silent"
            time.sleep(_PAUSE)
        return "first"

    def listen(self, on_request: Callable[[str], object]) -> None:
        """Call `on_request` at each second start, with what that was to open, or ''."""
        if self._is_first:
            self._channel.listen(on_request)

    def stop_listening(self) -> None:
        """Answer nobody any more: a start that comes now waits for the claim to be free."""
        self._channel.close()

    def close(self) -> None:
        """Let the next start be the first. Idempotent."""
        self._channel.close()
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


class InstanceChannel:
    """The local socket of a data folder: the first window listens, a later start connects to it.

    Only the same user can reach it: the socket has mode 0600, the pipe a security descriptor.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._open_folder = -1
        self._server: QLocalServer | None = None
        self._handlers: set[InstanceRequestHandler] = set()

    def listen(self, on_request: Callable[[str], object]) -> None:
        """Take requests from now on; where that fails, a warning is all. Needs the lock.

        They are answered as soon as a Qt loop runs.
        """
        try:
            from PySide6.QtNetwork import QLocalServer
        except ImportError as error:  # a system library is missing
            logger.warning("a second start cannot raise this window: %s", error)
            return
        server = self._server = QLocalServer()
        server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)

        def accept() -> None:
            while server.hasPendingConnections():
                handler = InstanceRequestHandler(server.nextPendingConnection(), on_request)
                self._handlers.add(handler)
                handler.start(self._handlers.discard)

        server.newConnection.connect(accept)
        # Qt moves the new socket over one that a crashed run left.
        if not server.listen(self._address()):
            logger.warning("a second start cannot raise this window: %s", server.errorString())
        elif sys.platform != "win32":
            with contextlib.suppress(OSError):  # on macOS it may be elsewhere, in a private folder
                os.chmod(self._folder / "window.sock", FILE_MODE)

    def request(self, opened: str, pid: int) -> bool:
        """Ask the first window to show itself and `opened`; whether it answered. Blocks.

        Args:
            opened: left out where it has a line feed, which would end the request early.
            pid: of the process that has the lock, 0 if not known.
        """
        from PySide6.QtNetwork import QLocalSocket

        text = opened.encode(errors="replace") if "\n" not in opened else b""
        milliseconds = int(MAX_ANSWER_TIME * 1000)
        caller = QLocalSocket()
        caller.connectToServer(self._address())
        try:
            if not caller.waitForConnected(milliseconds) or not _is_process(caller, pid):
                return False
            caller.write(b" ".join(part for part in (_RAISE, text) if part) + b"\n")
            while caller.bytesAvailable() < len(_REPLY):
                if not caller.waitForReadyRead(milliseconds):
                    return False
            return caller.readAll().data() == _REPLY
        finally:
            caller.abort()
            self._close_folder()

    def close(self) -> None:
        """Remove what `listen` made. Idempotent."""
        if self._server is not None:
            self._server.close()
            self._server = None
        self._close_folder()

    def _address(self) -> str:
        """The socket's path, or a shorter one to it where the system takes no such long one."""
        path = self._folder / "window.sock"
        if sys.platform != "win32" and len(os.fsencode(path)) <= MAX_SOCKET_PATH:
            return str(path)
        if sys.platform == "linux":
            if self._open_folder < 0:
                self._open_folder = os.open(self._folder, os.O_RDONLY)
            return f"/proc/self/fd/{self._open_folder}/{path.name}"
        import hashlib  # 4 ms: not before the first paint

        from PySide6.QtCore import QDir

        # Not run here. On macOS the folder for temporary files is the user's own.
        name = f"mcp-desktop-{hashlib.sha256(os.fsencode(self._folder)).hexdigest()[:16]}"
        return name if sys.platform == "win32" else QDir.temp().filePath(name)

    def _close_folder(self) -> None:
        if self._open_folder >= 0:
            os.close(self._open_folder)
            self._open_folder = -1


class InstanceRequestHandler:
    """One caller of the first window: reads a line, answers it, disconnects."""

    def __init__(self, caller: QLocalSocket, on_request: Callable[[str], object]) -> None:
        from PySide6.QtCore import QTimer

        self._caller = caller
        self._on_request = on_request
        self._limit = QTimer(caller)

    def start(self, on_end: Callable[[InstanceRequestHandler], object]) -> None:
        """Read from now on; `on_end` once the caller is gone."""
        caller = self._caller
        caller.setReadBufferSize(MAX_REQUEST_SIZE)
        caller.readyRead.connect(self._read)
        caller.disconnected.connect(lambda: on_end(self))
        caller.disconnected.connect(caller.deleteLater)
        self._limit.timeout.connect(lambda: caller.abort())
        self._limit.start(int(MAX_REQUEST_TIME * 1000))

    def _read(self) -> None:
        caller = self._caller
        if not _RAISE.startswith(caller.peek(len(_RAISE)).data()):
            caller.abort()
        elif caller.canReadLine():
            word, _, text = bytes(caller.readLine().data()).rstrip(b"\n").partition(b" ")
            if word == _RAISE:
                caller.write(_REPLY)
            caller.disconnectFromServer()  # once the reply is sent
            if word == _RAISE:
                self._on_request(text.decode(errors="replace"))
        elif caller.bytesAvailable() >= MAX_REQUEST_SIZE:
            caller.abort()


def _is_process(caller: QLocalSocket, pid: int) -> bool:
    """Whether the other end is the process that has the lock; on Windows it may come to the front.

    Only there any user can make a pipe of any name, and only who has the foreground, as this start
    has, can give it away.
    """
    if sys.platform != "win32":
        return True
    import ctypes  # not run here

    server = ctypes.c_ulong()
    ctypes.windll.kernel32.GetNamedPipeServerProcessId(
        ctypes.c_void_p(caller.socketDescriptor()), ctypes.byref(server)
    )
    ctypes.windll.user32.AllowSetForegroundWindow(pid)
    return pid != 0 and server.value == pid
