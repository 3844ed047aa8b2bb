"""Runs terminal commands in processes that have imported the program before they start.

A command costs half a second of imports and a tenth of work, and the tests run hundreds. Here one
process imports all of it once; each run is a fork of that, with its own environment, folder, files
and exit. What another program starts is a fork, too: `argv` names a small program that hands over
its own standard files. Must not serve tests about the start of the interpreter, about what is
imported, or about signals.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import pkgutil
import select
import signal
import socket
import subprocess
import sys
from contextlib import ExitStack, suppress
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
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
HAND_OVER = Path(__file__).with_name("hand_over.py")


class PreloadedProgram:
    """The process that has imported everything. Use as a context manager; not thread-safe."""

    def __init__(self) -> None:
        self._folder = TemporaryDirectory()
        self._place = str(Path(self._folder.name, "s"))
        self._channel, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs, socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as listening:
            listening.bind(self._place)
            listening.listen()
            given = (theirs.fileno(), listening.fileno())
            self._process = subprocess.Popen(
                [sys.executable, "-W", "error", "-m", __spec__.name, *map(str, given)],
                stdin=subprocess.DEVNULL,
                pass_fds=given,
            )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._channel.close()
        self._process.wait(10)
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


class _Forks:
    """The runs whose end nobody waits for: each is reaped as it ends."""

    def __init__(self) -> None:
        self._pids: set[int] = set()
        signal.signal(signal.SIGCHLD, self._reap)

    def add(self, pid: int) -> None:
        self._pids.add(pid)
        self._reap()  # its signal may have come before it was in the set

    def _reap(self, *_: object) -> None:
        for pid in tuple(self._pids):
            if os.waitpid(pid, os.WNOHANG)[0]:
                self._pids.discard(pid)


def _serve(channel: socket.socket, listening: socket.socket) -> int | None:
    """Fork a process for each request. Returns in that process with the exit code of its run.

    In the first process it returns None once nobody asks any more.
    """
    forks = _Forks()
    while True:
        if channel not in select.select([channel, listening], [], [])[0]:
            caller, _ = listening.accept()
            with caller:
                pid = os.fork()
                if pid == 0:
                    return _run_for(caller)
            forks.add(pid)
            continue
        word, files, *_ = socket.recv_fds(channel, 16, 4)
        if not word:
            return None
        pid = os.fork()
        if pid == 0:
            return _run(files)
        for descriptor in files:
            os.close(descriptor)
        channel.send(str(pid).encode())
        _, status = os.waitpid(pid, 0)
        channel.send(str(os.waitstatus_to_exitcode(status)).encode())


def _run_for(caller: socket.socket) -> int:
    """As a run, for a program that handed over its files; it is given the exit code."""
    os.dup(caller.fileno())  # open until this process is gone, and no sooner
    code = _run(socket.recv_fds(caller, 16, 4)[1])
    caller.send(str(code).encode())
    return code


def _run(files: list[int]) -> int:
    """Take over the environment, the folder and the files of a request, and do it."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    wish, *standard = files
    with open(wish, encoding="utf-8") as file:
        request = json.load(file)
    for number, descriptor in enumerate(standard):
        os.dup2(descriptor, number)
        os.close(descriptor)
    _renew_standard_streams()
    os.environ.clear()
    os.environ.update(request["environment"])
    os.chdir(request["folder"])
    sys.argv[1:] = request["args"]
    from desktop.__main__ import main

    return main(request["args"])


def _renew_standard_streams() -> None:
    """The old ones remember whether a file was behind them, and where in it they were."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        old = getattr(sys, name)
        buffering = 1 if name == "stderr" else -1
        stream = os.fdopen(old.fileno(), mode, buffering, old.encoding, old.errors, closefd=False)
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)  # as long as that is there, its pipe stays open


def _main() -> int:
    _preload()
    with (
        socket.socket(fileno=int(sys.argv[1])) as channel,
        socket.socket(fileno=int(sys.argv[2])) as listening,
    ):
        return _serve(channel, listening) or 0


if __name__ == "__main__":
    sys.exit(_main())
