"""Between a second start and the first window: one line, over the socket or pipe of a data folder.

The first window listens, a later start connects to it; only the same user gets in. On Windows,
where Python has no Unix sockets, it is a named pipe. Elsewhere it is a Unix socket, served by Qt's
loop without Qt's own sockets: those bring a library of 3 MB. The line says `raise`, and what the
start was given to open. Must not know what is done with a request.
"""

from __future__ import annotations

import contextlib
import logging
import os
import socket
import sys
import tempfile
from typing import TYPE_CHECKING

from PySide6.QtCore import QSocketNotifier, QTimer

from desktop.base.private_files import FILE_MODE

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from PySide6.QtNetwork import QLocalServer, QLocalSocket

logger = logging.getLogger(__name__)

MAX_ANSWER_TIME = 1.0
"""Seconds for one attempt to reach the first window."""
MAX_REQUEST_TIME = 2.0
"""Seconds until a caller who sends no whole line is disconnected."""
MAX_REQUEST_SIZE = 70_000
"""Bytes of a line; the longest install link that is read is shorter."""
REPLY = b"ok\n"
_RAISE = b"raise"
NAME = "window.sock"
MAX_PATH = 90
"""Bytes of the path: the systems take 104."""
_AT_ONCE = 16 * 1024


# --- what is said ---------------------------------------------------------------------------------


class WrongRequestError(Exception):
    """Somebody else is at the other end: no start says this."""


def name_of(folder: Path) -> str:
    """What a data folder is known by where its path cannot be used."""
    import hashlib  # 4 ms, and few need it

    return f"mcp-desktop-{hashlib.sha256(os.fsencode(folder)).hexdigest()[:16]}"


def encode_request(opened: str) -> bytes:
    """Args: opened: left out where it has a line feed, which would end the request early."""
    text = opened.encode(errors="replace") if "\n" not in opened else b""
    return b" ".join(part for part in (_RAISE, text) if part) + b"\n"


def read_request(received: bytes) -> str | None:
    """What the other start was to open, or ''; None as long as its line is not whole.

    Raises:
        WrongRequestError: it is no request.
    """
    line, end, _ = received.partition(b"\n")
    word, _, text = line.partition(b" ")
    if not _RAISE.startswith(received[: len(_RAISE)]) or (end and word != _RAISE):
        raise WrongRequestError
    if not end and len(received) >= MAX_REQUEST_SIZE:
        raise WrongRequestError
    return text.decode(errors="replace") if end else None


# --- the socket -----------------------------------------------------------------------------------


class InstanceSocket:
    """One end of the socket, whichever is needed."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._opened = -1
        self._listening: _Watched | None = None
        self._callers: set[_Caller] = set()

    def listen(self, on_request: Callable[[str], object]) -> None:
        """Take requests from now on; where that fails, a warning is all. Needs the lock.

        They are answered as soon as a Qt loop runs.
        """
        if sys.platform == "win32":
            raise OSError("Windows has no such socket")
        listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        address = self._address()
        try:
            with contextlib.suppress(FileNotFoundError):  # a crashed run leaves it
                os.unlink(address)
            listening.bind(address)
            os.chmod(address, FILE_MODE)  # before it listens: nobody is in yet
            listening.listen()
        except OSError as error:
            listening.close()
            logger.warning("a second start cannot raise this window: %s", error)
            return
        self._listening = _Watched(listening, lambda: self._accept(on_request))

    def request(self, opened: str, pid: int) -> bool:
        """Ask the first window to show itself and `opened`; whether it answered. Blocks.

        Args:
            opened: the file or link.
            pid: of the process that has the lock: not needed, since nobody else can listen here.
        """
        if sys.platform == "win32":
            raise OSError("Windows has no such socket")
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as caller:
                caller.settimeout(MAX_ANSWER_TIME)
                caller.connect(self._address())
                caller.sendall(encode_request(opened))
                with caller.makefile("rb") as answer:
                    return answer.read(len(REPLY)) == REPLY
        except OSError:
            return False
        finally:
            self._close_folder()

    def close(self) -> None:
        """Remove what `listen` made. Idempotent."""
        if self._listening is not None:
            self._listening.close()
            self._listening = None
            with contextlib.suppress(OSError):
                os.unlink(self._address())
        for caller in list(self._callers):
            caller.end()
        self._close_folder()

    def _accept(self, on_request: Callable[[str], object]) -> None:
        if self._listening is None:
            return
        with contextlib.suppress(OSError):  # it has gone again
            caller, _ = self._listening.socket.accept()
            self._callers.add(_Caller(caller, on_request, self._callers.discard))

    def _address(self) -> str:
        """The socket's path, or a shorter one to it where the system takes no such long one."""
        path = self._folder / NAME
        if len(os.fsencode(path)) <= MAX_PATH:
            return str(path)
        if sys.platform == "linux":
            if self._opened < 0:
                self._opened = os.open(self._folder, os.O_RDONLY)
            return f"/proc/self/fd/{self._opened}/{NAME}"
        # Not run here. On macOS the folder for temporary files is the user's own.
        return os.path.join(tempfile.gettempdir(), name_of(self._folder))

    def _close_folder(self) -> None:
        if self._opened >= 0:
            os.close(self._opened)
            self._opened = -1


class _Watched:
    """A socket that Qt's loop looks at."""

    def __init__(self, watched: socket.socket, on_readable: Callable[[], object]) -> None:
        self.socket = watched
        watched.setblocking(False)
        self._notifier = QSocketNotifier(watched.fileno(), QSocketNotifier.Type.Read)
        self._notifier.activated.connect(lambda: on_readable())

    def close(self) -> None:
        self._notifier.setEnabled(False)  # before its number belongs to another file
        self._notifier.deleteLater()
        self.socket.close()


class _Caller:
    """A start that calls: reads its line, answers it, hangs up."""

    def __init__(
        self,
        caller: socket.socket,
        on_request: Callable[[str], object],
        on_end: Callable[[_Caller], object],
    ) -> None:
        self._on_request = on_request
        self._on_end = on_end
        self._received = b""
        self._watched = _Watched(caller, self._read)
        self._limit = QTimer(singleShot=True)
        self._limit.timeout.connect(self.end)
        self._limit.start(int(MAX_REQUEST_TIME * 1000))

    def end(self) -> None:
        self._limit.stop()
        self._watched.close()
        self._on_end(self)

    def _read(self) -> None:
        try:
            part = self._watched.socket.recv(_AT_ONCE)
            self._received = (self._received + part)[:MAX_REQUEST_SIZE]
            opened = read_request(self._received)
            if opened is not None:
                self._watched.socket.send(REPLY)
        except BlockingIOError:
            return
        except (OSError, WrongRequestError):
            self.end()
            return
        if opened is not None:
            self.end()
            self._on_request(opened)
        elif not part:
            self.end()


# --- the pipe of Windows --------------------------------------------------------------------------


class InstancePipe:
    """One end of the pipe, whichever is needed."""

    def __init__(self, folder: Path) -> None:
        self.name = name_of(folder)
        self._server: QLocalServer | None = None

    def listen(self, on_request: Callable[[str], object]) -> None:
        """Take requests from now on; where that fails, a warning is all. Needs the lock."""
        from PySide6.QtNetwork import QLocalServer

        server = self._server = QLocalServer()
        server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)

        def accept() -> None:
            while server.hasPendingConnections():
                _answer(server.nextPendingConnection(), on_request)

        server.newConnection.connect(accept)
        if not server.listen(self.name):
            logger.warning("a second start cannot raise this window: %s", server.errorString())

    def request(self, opened: str, pid: int) -> bool:
        """Ask the first window to show itself and `opened`; whether it answered. Blocks.

        Args:
            opened: the file or link.
            pid: of the process that has the lock, 0 if not known.
        """
        from PySide6.QtNetwork import QLocalSocket

        milliseconds = int(MAX_ANSWER_TIME * 1000)
        caller = QLocalSocket()
        caller.connectToServer(self.name)
        try:
            if not caller.waitForConnected(milliseconds) or not _is_process(caller, pid):
                return False
            caller.write(encode_request(opened))
            while caller.bytesAvailable() < len(REPLY):
                if not caller.waitForReadyRead(milliseconds):
                    return False
            return caller.readAll().data() == REPLY
        finally:
            caller.abort()

    def close(self) -> None:
        """Remove what `listen` made. Idempotent."""
        if self._server is not None:
            self._server.close()
            self._server = None


def _answer(caller: QLocalSocket, on_request: Callable[[str], object]) -> None:
    """Read the line of a start that calls, answer it, hang up."""
    caller.setReadBufferSize(MAX_REQUEST_SIZE)
    limit = QTimer(caller)

    def read() -> None:
        try:
            opened = read_request(bytes(caller.peek(MAX_REQUEST_SIZE).data()))
        except WrongRequestError:
            caller.abort()
            return
        if opened is not None:
            caller.readyRead.disconnect(read)
            caller.write(REPLY)
            caller.disconnectFromServer()  # once the reply is sent
            on_request(opened)

    caller.readyRead.connect(read)
    caller.disconnected.connect(caller.deleteLater)
    limit.timeout.connect(lambda: caller.abort())
    limit.start(int(MAX_REQUEST_TIME * 1000))


def _is_process(caller: QLocalSocket, pid: int) -> bool:
    """Whether the other end is the process that has the lock; then it may come to the front.

    Any user can make a pipe of any name, and only who has the foreground, as this start has, can
    give it away.
    """
    if sys.platform != "win32":  # in tests
        return True
    import ctypes  # not run here

    server = ctypes.c_ulong()
    ctypes.windll.kernel32.GetNamedPipeServerProcessId(
        ctypes.c_void_p(caller.socketDescriptor()), ctypes.byref(server)
    )
    ctypes.windll.user32.AllowSetForegroundWindow(pid)
    return pid != 0 and server.value == pid
