"""Runs terminal commands in processes that have imported the program before they start.

A command costs half a second of imports and a tenth of work, and the tests run hundreds. Here one
process imports all of it once; each run is a fork of that, with its own environment, folder, files
and exit. Must not serve tests about the start of the interpreter or about what is imported.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import pkgutil
import socket
import subprocess
import sys
from contextlib import ExitStack, suppress
from tempfile import TemporaryFile
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Self

LEFT_OUT = ("desktop.__main__", "desktop.app", "desktop.gui", "desktop.processes.macos")
"""Modules of `desktop` that no terminal command imports here."""
LIBRARIES = (
    "jsonschema",
    "keyring",
    "mcp.client.session",
    "mcp.client.stdio",
    "mcp.client.streamable_http",
)
"""Imported by commands once they need them."""
INTERPRETER = ("PYTHON", "LANG", "LC_", "TMPDIR", "MCP_DESKTOP_TRACE")
"""How the names of variables begin that are read while the interpreter or an import starts."""


class PreloadedProgram:
    """The process that has imported everything. Use as a context manager; not thread-safe."""

    _channel: socket.socket
    _process: subprocess.Popen[bytes]

    def __init__(self) -> None:
        assert sys.platform == "linux"
        self._channel, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-W", "error", "-m", __spec__.name, str(theirs.fileno())],
                stdin=subprocess.DEVNULL,
                pass_fds=(theirs.fileno(),),
            )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._channel.close()
        self._process.wait(10)

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


# --- the process itself -----------------------------------------------------------------------


def _preload() -> None:
    import desktop

    for module in pkgutil.walk_packages(desktop.__path__, "desktop."):
        if not module.name.startswith(LEFT_OUT) and ".gui" not in module.name:
            with suppress(ImportError):  # a part for another system
                importlib.import_module(module.name)
    for name in LIBRARIES:
        importlib.import_module(name)
    gc.collect()
    gc.freeze()


def _serve(channel: socket.socket) -> list[str] | None:
    """Fork a process for each request. Returns in that process with its arguments.

    In the first process it returns None once nobody asks any more.
    """
    assert sys.platform == "linux"
    while True:
        word, files, *_ = socket.recv_fds(channel, 16, 4)
        if not word:
            return None
        pid = os.fork()
        if pid == 0:
            return _become(files)
        for descriptor in files:
            os.close(descriptor)
        channel.send(str(pid).encode())
        _, status = os.waitpid(pid, 0)
        channel.send(str(os.waitstatus_to_exitcode(status)).encode())


def _become(files: list[int]) -> list[str]:
    """Take over the environment, the folder and the files of a request; its arguments."""
    wish, *standard = files
    with open(wish, encoding="utf-8") as file:
        request = json.load(file)
    for number, descriptor in enumerate(standard):
        os.dup2(descriptor, number)
        os.close(descriptor)
    os.environ.clear()
    os.environ.update(request["environment"])
    os.chdir(request["folder"])
    sys.argv[1:] = request["args"]
    return request["args"]


def _main() -> int:
    _preload()
    with socket.socket(fileno=int(sys.argv[1])) as channel:
        args = _serve(channel)
    if args is None:
        return 0
    from desktop.__main__ import main

    return main(args)


if __name__ == "__main__":
    sys.exit(_main())
