"""Runs `python -m desktop` as a person's terminal would: a real process, its own files.

Most runs start from a process that has imported the program already (see `preloaded`).
"""

from __future__ import annotations

import json
import os
import select
import shlex
import signal
import subprocess
import sys
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psutil
import pytest

from tests.cli.preloaded import PreloadedProgram, needs_own_interpreter
from tests.server_commands import command

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping, Sequence


ROOT = Path(__file__).parent.parent.parent
LIMIT = 50.0


@dataclass(frozen=True, slots=True)
class Done:
    """How a run ended and what it printed."""

    code: int
    out: str
    err: str

    @property
    def document(self) -> Any:
        """The one JSON document on stdout."""
        return json.loads(self.out)


class Terminal:
    """One person's config file, data folder and environment."""

    def __init__(self, folder: Path, program: PreloadedProgram | None = None) -> None:
        """Args: program: what `run` forks; None: each run starts an interpreter of its own."""
        self.folder = folder
        self._program = program
        self.config = folder / "mcp.json"
        self.environment = {
            **{name: value for name, value in os.environ.items() if name != "QT_QPA_PLATFORM"},
            "MCP_DESKTOP_CONFIG": str(self.config),
            "MCP_DESKTOP_DATA": str(folder / "data"),
            "SHELL": "/bin/sh",
            "PYTHONWARNINGS": "error",
        }
        for name in ("DISPLAY", "WAYLAND_DISPLAY"):
            self.environment.pop(name, None)

    def configure(self, **servers: Mapping[str, object]) -> None:
        self.config.write_text(json.dumps({"mcpServers": servers}), encoding="utf-8")

    def run(self, *args: str, stdin: str = "", own_interpreter: bool = False) -> Done:
        program = self._program
        if program and not own_interpreter and not needs_own_interpreter(self.environment):
            return Done(*program.run(args, self.environment, stdin, LIMIT))
        done = subprocess.run(
            self.argv(args),
            env=self.environment,
            cwd=ROOT,
            input=stdin,
            capture_output=True,
            encoding="utf-8",
            timeout=LIMIT,
            check=False,
        )
        return Done(done.returncode, done.stdout, done.stderr)

    def started_by_others(self, *args: str) -> list[str]:
        """The words by which another program starts it, with `environment`, to talk over pipes."""
        if self._program and not needs_own_interpreter(self.environment):
            return self._program.argv(args)
        return self.argv(args)

    def start(self, *args: str, own_interpreter: bool = True) -> subprocess.Popen[str]:
        """Args: own_interpreter: False where neither the pid nor what is below it matters."""
        return subprocess.Popen(
            self.argv(args) if own_interpreter else self.started_by_others(*args),
            env=self.environment,
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
        )

    def watch(self, *args: str) -> tuple[int, str]:
        """Run it on a terminal; the exit code and all that the terminal shows, codes included."""
        return self._on_terminal("", args)

    def _on_terminal(
        self, text: str, args: tuple[str, ...], replies: Sequence[tuple[str, str]] = ()
    ) -> tuple[int, str]:
        ours, theirs = pseudo_terminal()
        process = subprocess.Popen(
            self.argv(args),
            env={**self.environment, "TERM": "xterm", "COLUMNS": "70"},
            cwd=ROOT,
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
        )
        os.close(theirs)
        os.write(ours, text.encode())
        shown = _read_all(ours, replies)
        return process.wait(LIMIT), shown

    def answer(self, replies: Sequence[tuple[str, str]], *args: str) -> tuple[int, str]:
        """As `watch`, each answer typed once its question is shown: what is typed unseen must be.

        Args: replies: the end of each question, and the line that answers it.
        """
        return self._on_terminal("", args, replies)

    def type(self, text: str, *args: str) -> tuple[int, str]:
        """As `watch`, with `text` typed ahead."""
        return self._on_terminal(text, args)

    def server_log(self, name: str) -> str:
        file = self.folder / "data" / "logs" / "servers" / f"{name}.log"
        return file.read_text(encoding="utf-8") if file.exists() else ""

    def argv(self, args: tuple[str, ...]) -> list[str]:
        """The words that start it in an interpreter of its own."""
        return [sys.executable, "-m", "desktop", *args]


def pseudo_terminal() -> tuple[int, int]:
    """Our end and the program's; the test is skipped on a system without."""
    if sys.platform == "win32":
        pytest.skip("no pseudo-terminals")
    return os.openpty()


@contextmanager
def typed(monkeypatch: pytest.MonkeyPatch, text: str) -> Generator[int]:
    """A terminal as stdin, on which `text` was typed; gives its other end."""
    ours, theirs = pseudo_terminal()
    os.write(ours, text.encode())
    with os.fdopen(theirs, "r", encoding="utf-8") as stdin:
        monkeypatch.setattr(sys, "stdin", stdin)
        yield ours
    os.close(ours)


def entry(name: str, *args: object, **more: object) -> dict[str, object]:
    """The config entry of a test server."""
    program, arguments = command(name, *args)
    return {"command": program, "args": arguments, **more}


def command_of(name: str, *args: object) -> str:
    """A test server as `--server` is given it."""
    program, arguments = command(name, *args)
    return shlex.join([program, *arguments])


def wait_for_line(process: subprocess.Popen[str], text: str) -> None:
    """Return once stderr shows a line with `text`."""
    assert process.stderr is not None
    for line in process.stderr:
        if text in line:
            return
    raise AssertionError(f"{text!r} did not come")


def servers_of(process: subprocess.Popen[str]) -> list[psutil.Process]:
    return psutil.Process(process.pid).children(recursive=True)


def names_below(process: subprocess.Popen[str]) -> set[str]:
    """Of the programs that run below it; what ends meanwhile has no name any more."""
    names: set[str] = set()
    for one in servers_of(process):
        with suppress(psutil.NoSuchProcess):
            names.add(one.name())
    return names


def interrupt(process: subprocess.Popen[str], number: signal.Signals = signal.SIGINT) -> int:
    """Send the signal and wait; the exit code."""
    process.send_signal(number)
    process.communicate(timeout=LIMIT)
    return process.returncode


@contextmanager
def daemon(
    terminal: Terminal, *args: str, own_interpreter: bool = False
) -> Generator[subprocess.Popen[str]]:
    """A daemon that takes commands, until the end of the block. Args: as of `Terminal.start`."""
    process = terminal.start("daemon", *args, own_interpreter=own_interpreter)
    try:
        wait_for_line(process, "ready for commands")
        yield process
    finally:
        if process.poll() is None:
            interrupt(process, signal.SIGTERM)
        process.communicate()  # of one that was killed, too, the pipes are to be closed


def _read_all(descriptor: int, replies: Sequence[tuple[str, str]] = ()) -> str:
    data, seen = b"", 0
    waiting = [(question.encode(), answer.encode()) for question, answer in replies]
    while select.select([descriptor], [], [], LIMIT)[0]:
        try:
            chunk = os.read(descriptor, 65536)
        except OSError:  # Linux: nobody has the other end any more
            break
        if not chunk:
            break
        data += chunk
        if waiting and (at := data.find(waiting[0][0], seen)) >= 0:
            seen = at + len(waiting[0][0])
            os.write(descriptor, waiting.pop(0)[1] + b"\n")
    os.close(descriptor)
    return data.decode()
