"""A terminal command that another run carries out: sends what was typed, prints what comes back.

For the few commands that talk to servers, where a window or a daemon has these servers running.
Decides nothing: the run reads the arguments, knows who is trusted, and says what to print. Is
imported before the command itself, and must import next to nothing: the whole command takes less
time than `argparse`, asyncio and the config do.
"""

from __future__ import annotations

import os
import select
import signal
import sys
from typing import IO, TYPE_CHECKING, Any, Final

from desktop.base.given_text import read_given
from desktop.cli.commands import ATTACHABLE, find_command, prepare_streams
from desktop.cli.exit_codes import Exit
from desktop.features.attach import protocol

if TYPE_CHECKING:
    import socket
    from collections.abc import Generator

    from desktop.cli.output import Console
    from desktop.features.gateway.cli.serve_options import ServeOptions


SERVE: Final = "serve"
"""The command that is carried out on the pipes of whoever started it."""
ALONE: Final = "--no-attach"
_OWN_RUN: Final = (
    ALONE,
    "-h",
    "--help",
    "--verbose",
    "--trace",
    "--record",
    "--trust",
    "--sandbox",
)
"""Flags that speak of a run of one's own."""
ACTING: Final = "--client"
"""So does this one, but of `serve`: the servers of that run were told that this program asks."""
SERVER: Final = "--server"
"""So does this one, where it says how to start the server."""
_TEXTS: Final = ("--args", "--elicit")
"""Flags whose value may be read from a file or the standard input."""
_FILES: Final = ("--output",)
_CHUNK: Final = 1 << 20


def run_attached(args: list[str]) -> int | None:
    """Have a command carried out by the run that has the servers; returns its exit code.

    None where there is no such run, or it is not for this command: then nothing was sent.
    """
    name, rest = find_command(args)
    if not protocol.IS_SUPPORTED or _wants_own_run(rest):
        return None
    if name == SERVE:
        from desktop.features.attach.served_client import run_served

        return run_served(rest)
    if name not in ATTACHABLE or any(word.partition("=")[0] == ACTING for word in rest):
        return None
    if (connection := protocol.find_run(rest)) is None:
        return None
    with connection:
        try:
            given = _with_own_files(rest)
        except (OSError, ValueError):  # the command says it with all that belongs to it
            return None
        return _Attached(connection).run(name, given)


def serve_attached(args: list[str], options: ServeOptions, console: Console) -> int | None:
    """Have that run serve clients over HTTP on a port of this process; as `run_attached`.

    Raises:
        UsageError: the port cannot be used.
        ConfigError: the token cannot be kept.
    """
    if not protocol.IS_SUPPORTED or _wants_own_run(args):
        return None
    if (run := protocol.find_run(args)) is None:
        return None
    from desktop.features.attach.served_client import serve_port

    with run:
        return serve_port(run, options, console)


def _wants_own_run(args: list[str]) -> bool:
    """Whether a command is to be carried out by the process it was typed for."""
    flags = (word.partition("=") for word in args)
    return any(
        flag in _OWN_RUN or (before == SERVER and "=" in word) or (flag == SERVER and "=" in value)
        for before, word, (flag, _, value) in zip(["", *args], args, flags, strict=False)
    )


def _with_own_files(args: list[str]) -> list[str]:
    """The arguments without what only this process can see: its folder, its standard input."""
    given: list[str] = []
    flag = ""
    for word in args:
        if flag:
            given.append(_value(flag, word))
            flag = ""
            continue
        name, equals, value = word.partition("=")
        if name in _TEXTS or name in _FILES:
            given.append(f"{name}={_value(name, value)}" if equals else word)
            flag = "" if equals else name
        else:
            given.append(word)
    return given


def _value(flag: str, value: str) -> str:
    if flag in _FILES:
        return os.path.abspath(value)
    if value != "-" and not value.startswith("@"):
        return value
    text = read_given(value, "replace" if value == "-" else "strict")  # a pipe is read once
    # What was read is not read once more over there: as JSON it is wrong either way.
    return f" {text}" if text.startswith(("@", "-")) else text


class _InterruptError(Exception):
    """A signal asked for the end of the command."""


class _Attached:
    """One command over an open connection."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._unread = bytearray()
        self._is_asked = False
        self._is_cancelled = False

    def run(self, name: str, args: list[str]) -> int:
        for each in ("SIGINT", "SIGTERM", "SIGHUP"):
            signal.signal(getattr(signal, each), _interrupt)
        prepare_streams()
        try:
            self._send({"command": name, "args": args, "terminal": _terminal()})
            return self._follow()
        except _InterruptError:
            return Exit.INTERRUPTED  # a second one: who hangs up is cancelled
        except (OSError, protocol.WrongFrameError) as error:
            return _lost(args, str(error))

    def _send(self, frame: dict[str, object]) -> None:
        self._connection.sendall(protocol.encode(frame))

    def _follow(self) -> int:
        """Print until the command has ended; the first signal cancels it."""
        while True:
            try:
                for frame in self._frames():
                    code = self._take(frame)
                    if code is not None:
                        return code
                self._read_more()
            except _InterruptError:
                if self._is_cancelled:
                    raise
                self._is_cancelled = True
                self._send({"cancel": True})

    def _frames(self) -> Generator[dict[str, Any]]:
        while (end := self._unread.find(b"\n")) >= 0:
            line = bytes(self._unread[:end])
            del self._unread[: end + 1]
            yield protocol.decode(line)

    def _take(self, frame: dict[str, Any]) -> int | None:
        """Do what one line says; the exit code, if that is what it says."""
        if isinstance(text := frame.get("out"), str):
            _print(sys.stdout, text)
        if isinstance(text := frame.get("err"), str):
            _print(sys.stderr, text)
        self._is_asked = self._is_asked or frame.get("ask") is True
        code = frame.get("exit")
        return code if isinstance(code, int) else None

    def _read_more(self) -> None:
        watched = [self._connection, *([sys.stdin] if self._is_asked else [])]
        ready = select.select(watched, [], [], protocol.SILENCE_LIMIT)[0]
        if not ready:
            raise OSError("it does not respond")
        if sys.stdin in ready:
            self._is_asked = False
            typed = os.read(sys.stdin.fileno(), 65536)
            self._send({"line": typed.decode(errors="replace") if typed else None})
        if self._connection in ready:
            part = self._connection.recv(_CHUNK)
            if not part:
                raise OSError("it was closed")
            self._unread += part


def _interrupt(number: int, _: object) -> None:
    raise _InterruptError(number)


def _terminal() -> dict[str, object]:
    """What the run has to know to print as if it were here."""
    from shutil import get_terminal_size

    is_dumb = os.environ.get("TERM") == "dumb"
    names = ("stdin", "stdout", "stderr")
    seen = {name: _is_terminal(getattr(sys, name)) for name in names}
    return {
        "types": seen["stdin"] and seen["stderr"],
        "results": seen["stdout"] and not is_dumb,
        "notes": seen["stderr"] and not is_dumb,
        "columns": get_terminal_size().columns,
        "colours": not os.environ.get("NO_COLOR"),
    }


def _is_terminal(stream: IO[str]) -> bool:
    try:
        return stream.isatty()
    except (AttributeError, ValueError):  # closed, or never there
        return False


def _lost(args: list[str], why: str) -> int:
    """Say that nobody knows what became of the command."""
    words = f"Lost the connection to the app: {why}. The command may have had effects."
    _print(sys.stderr, f"mcp-desktop: {words}\n")
    if "--json" in args:
        error = {"type": "ServerError", "message": words, "code": "unreachable"}
        failure = {"success": False, "data": None, "error": error}
        _print(sys.stdout, protocol.encode(failure).decode())
    return Exit.UNREACHABLE


def _print(stream: IO[str], text: str) -> None:
    try:
        stream.write(text)
        stream.flush()
    except BrokenPipeError:
        # The reader left. Later writes, and the flush at exit, go nowhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
