"""The Unix socket of a data folder: the first window listens, a later start connects to it.

Only its owner can open it. Served by Qt's loop, without Qt's own sockets: those bring a library of
3 MB. Must not know what is done with a request.
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

NAME = "window.sock"
MAX_PATH = 90
"""Bytes of the path: the systems take 104."""
_AT_ONCE = 16 * 1024

logger = logging.getLogger(__name__)


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
