"""The process of `preloaded`: it has imported the program, and forks a run for each request."""

from __future__ import annotations

import atexit
import gc
import importlib
import json
import os
import pkgutil
import select
import signal
import socket
import sys
from contextlib import suppress

import pydantic

if sys.platform != "linux":
    raise SystemExit("this is for Linux")

LEFT_OUT = ("desktop.__main__", "desktop.app", "desktop.gui", "desktop.processes.macos")
"""Modules of `desktop` that no terminal command imports here."""
LIBRARIES = (
    "anyio._backends._asyncio",
    "anyio.streams.tls",
    "httpcore2._async.http2",
    "jsonschema",
    "keyring",
    "mcp.client.session",
    "mcp.client.stdio",
    "mcp.client.streamable_http",
    "truststore",
)
"""Imported by commands once they need them."""


def _preload() -> None:
    import desktop

    for module in pkgutil.walk_packages(desktop.__path__, "desktop."):
        if not module.name.startswith(LEFT_OUT) and ".gui" not in module.name:
            with suppress(ImportError):  # a part for another system
                importlib.import_module(module.name)
    for name in LIBRARIES:
        importlib.import_module(name)
    _build_models(pydantic.BaseModel)
    gc.collect()
    gc.freeze()


def _build_models(parent: type[pydantic.BaseModel]) -> None:
    """Those of the protocol, which are built at their first use."""
    for model in parent.__subclasses__():
        if model.__module__.startswith("mcp_types"):
            model.model_rebuild()
        _build_models(model)


class _QuickEnd:
    """Leaves a run when all is done that it registered for its end.

    What is imported is not taken down: that takes as long as half a run. Made before anything is
    imported that registers something, as what is registered last is called first.
    """

    def __init__(self) -> None:
        self.code: int | None = None
        """What a run ended with; None in the process that forks."""
        atexit.register(self._leave)

    def _leave(self) -> None:
        if self.code is not None:
            for stream in (sys.stdout, sys.stderr):
                with suppress(OSError, ValueError):  # closed, or nobody reads it any more
                    stream.flush()
            os._exit(self.code)


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
    """As a run, for a program that handed over its files; it is given the pid and the exit code."""
    os.dup(caller.fileno())  # open until this process is gone, and no sooner
    caller.send(str(os.getpid()).encode())
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


def _main(end: _QuickEnd) -> int:
    _preload()
    with (
        socket.socket(fileno=int(sys.argv[1])) as channel,
        socket.socket(fileno=int(sys.argv[2])) as listening,
    ):
        end.code = 1  # of a run that raises
        try:
            end.code = _serve(channel, listening)
        except SystemExit as leaving:
            end.code = leaving.code if isinstance(leaving.code, int) else 1
            raise
        return end.code or 0


if __name__ == "__main__":
    sys.exit(_main(_QuickEnd()))
