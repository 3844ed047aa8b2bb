"""The named pipe of a data folder on Windows, where Python has no Unix sockets.

The first window listens, a later start connects to it. Its security descriptor lets the same user
in. Must not know what is done with a request.
"""

from __future__ import annotations

import logging
import sys
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer
from PySide6.QtNetwork import QLocalServer, QLocalSocket

from desktop.gui.instance_request import (
    MAX_ANSWER_TIME,
    MAX_REQUEST_SIZE,
    MAX_REQUEST_TIME,
    REPLY,
    WrongRequestError,
    encode_request,
    name_of,
    read_request,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

logger = logging.getLogger(__name__)


class InstancePipe:
    """One end of the pipe, whichever is needed."""

    def __init__(self, folder: Path) -> None:
        self.name = name_of(folder)
        self._server: QLocalServer | None = None

    def listen(self, on_request: Callable[[str], object]) -> None:
        """Take requests from now on; where that fails, a warning is all. Needs the lock."""
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
