"""Runs terminal commands in processes that have imported the program before they start.

A command costs half a second of imports and a tenth of work, and the tests run hundreds. Here one
process imports all of it once (`forking`); each run is a fork of that, with its own environment,
folder, files and exit. What another program starts is a fork, too: `argv` names a small program
that hands over its own standard files. Linux alone has such sockets. Must not serve tests about the
start of the interpreter, about what is imported, or about signals.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Self

INTERPRETER = ("PYTHON", "LANG", "LC_", "TMPDIR", "MCP_DESKTOP_TRACE")
"""How the names of variables begin that are read while the interpreter or an import starts."""
HAND_OVER = Path(__file__).with_name("hand_over.py")


class PreloadedProgram:
    """The process that has imported everything. Use as a context manager; not thread-safe."""

    _folder: TemporaryDirectory[str]
    _place: str
    _channel: socket.socket
    _process: subprocess.Popen[bytes]

    def __init__(self) -> None:
        assert sys.platform == "linux"
        self._folder = TemporaryDirectory()
        self._place = str(Path(self._folder.name, "s"))
        self._channel, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs, socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as listening:
            listening.bind(self._place)
            listening.listen()
            given = (theirs.fileno(), listening.fileno())
            self._process = subprocess.Popen(
                [sys.executable, "-W", "error", "-m", "tests.cli.forking", *map(str, given)],
                stdin=subprocess.DEVNULL,
                pass_fds=given,
            )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._channel.close()
        self._process.wait(60)
        self._folder.cleanup()

    def argv(self, args: tuple[str, ...]) -> list[str]:
        """What to start in place of `python -m desktop ARGS`, with the same pipes and exit code."""
        return [sys.executable, "-I", "-S", str(HAND_OVER), self._place, *args]

    def run(
        self, args: tuple[str, ...], environment: Mapping[str, str], stdin: str, limit: float
    ) -> tuple[int, str, str]:
        """The exit code of `python -m desktop ARGS`, and what it printed on stdout and stderr.

        Raises:
            TimeoutExpired: it ran longer than `limit` seconds, and was killed.
        """
        assert sys.platform == "linux"
        request = {"args": args, "environment": dict(environment), "folder": os.getcwd()}
        with ExitStack() as stack:
            files = [stack.enter_context(TemporaryFile()) for _ in ("request", "in", "out", "err")]
            for file, text in zip(files, (json.dumps(request), stdin), strict=False):
                file.write(text.encode())
                file.seek(0)
            socket.send_fds(self._channel, [b"run"], [file.fileno() for file in files])
            code = self._wait(args, limit)
            return code, _read(files[2]), _read(files[3])

    def _wait(self, args: tuple[str, ...], limit: float) -> int:
        self._channel.settimeout(limit)
        pid = int(self._channel.recv(64))
        try:
            return int(self._channel.recv(64))
        except TimeoutError:
            os.kill(pid, 9)
            self._channel.recv(64)
            raise subprocess.TimeoutExpired(args, limit) from None


def needs_own_interpreter(environment: Mapping[str, str]) -> bool:
    """Whether these variables differ from ours in what is read before a command begins."""
    names = {*environment, *os.environ}
    return any(
        environment.get(name) != os.environ.get(name)
        for name in names
        if name.startswith(INTERPRETER) and name != "PYTHONWARNINGS"
    )


def _read(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read().decode()
