"""A terminal command that another run carries out: sends what was typed, prints what comes back.

For the few commands that talk to servers, where a window or a daemon has these servers running.
Decides nothing: the run reads the arguments, knows who is trusted, and says what to print. For
`serve` it hands over its pipes or the port it opened and only waits: no message passes through it,
and whichever of client, this process and that run ends first, the other two see it at once. Is
imported before the command itself, and must import next to nothing: the whole command takes less
time than `argparse`, asyncio and the config do.
"""

from __future__ import annotations

import os
import select
import signal
import socket
import sys
from contextlib import suppress
from typing import IO, TYPE_CHECKING, Any, Final

from desktop.base.given_text import read_given
from desktop.cli.commands import ATTACHABLE, VALUE_FLAGS, find_command, prepare_streams
from desktop.cli.exit_codes import Exit
from desktop.features.attach import protocol
from desktop.features.attach.protocol import find_run, next_frame

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping
    from types import FrameType

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
        return _run_served(rest)
    if name not in ATTACHABLE or any(word.partition("=")[0] == ACTING for word in rest):
        return None
    if (connection := find_run(rest)) is None:
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
    if (run := find_run(args)) is None:
        return None
    with run:
        return _serve_port(run, options, console)


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


# --- serve: that run gets our pipes, or the port we opened ---------------------------------------

_LEAVE_LIMIT: Final = 5.0
"""Seconds until a port that is served for us is closed."""


def _run_served(args: list[str]) -> int | None:
    """Have this client served there; None where nobody does, and nothing was handed over."""
    client = _client_of(args)
    if client is None or (connection := find_run(args)) is None:
        return None
    with connection:
        _be_interruptible()
        try:
            return _hand_over(connection, client)
        except (OSError, protocol.WrongFrameError):
            return None
        except KeyboardInterrupt:
            return Exit.INTERRUPTED


def _client_of(args: list[str]) -> str | None:
    """The client that is named, "" for none; None where the arguments say anything else."""
    client, words = "", iter(args)
    for word in words:
        flag, equals, value = word.partition("=")
        if flag not in {ACTING, *VALUE_FLAGS}:
            return None
        value = value if equals else next(words, "")
        if flag == ACTING:
            client = value
    return client


def _hand_over(connection: socket.socket, client: str) -> int | None:
    if not _is_taken(connection, {"serve": client}, [0, 1]):
        return None
    # From here on they are the other run's: whoever is served must see it when that one closes.
    nowhere = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1):
        os.dup2(nowhere, descriptor)
    os.close(nowhere)
    code = _wait_for_end(connection)
    if code is not None:
        return code
    sys.stderr.write(
        "mcp-desktop: The app that served this client was closed. Start it again: without the app, "
        "servers of its own are started.\n"
    )
    return Exit.UNREACHABLE


def _serve_port(run: socket.socket, options: ServeOptions, console: Console) -> int | None:
    """Have clients over HTTP served there, on the port that is opened here; returns the exit code.

    Raises:
        UsageError: the port cannot be used.
        ConfigError: the token cannot be kept.
        KeyboardInterrupt: SIGINT, SIGTERM or SIGHUP ended it; the port is closed.
    """
    from desktop.features.gateway.address import url_of
    from desktop.features.gateway.cli.serve_http import open_port, tell
    from desktop.features.gateway.token import read_token

    folder = options.paths.data
    token = read_token(folder, new=options.new_token)
    with open_port(options) as opened:
        port = opened.getsockname()[1]
        if not _hand_over_port(run, opened, options.client):
            return None
    tell(port, token, folder, console)
    if not console.as_json:
        console.write("The open window or daemon serves there, with the servers that it runs.")
    try:
        code = _wait_for_end(run)
    except KeyboardInterrupt:
        _leave_port(run)
        raise
    if code is not None:
        return code
    console.note(
        f"mcp-desktop: The app that served {url_of(port)} was closed. Start this again: without the"
        " app, servers of its own are started."
    )
    return Exit.UNREACHABLE


def _hand_over_port(connection: socket.socket, opened: socket.socket, client: str) -> bool:
    """Have clients over HTTP served there, on this socket; whether they are.

    The caller closes its own copy of the socket: the port is open as long as that run serves. From
    here on, SIGINT, SIGTERM and SIGHUP raise `KeyboardInterrupt`.
    """
    _be_interruptible()
    try:
        asked = {"serve": client, "http": True}
        if not _is_taken(connection, asked, [opened.fileno()]):
            return False
        connection.settimeout(protocol.PIPES_LIMIT)
        is_served = next_frame(connection).get("serving") is True
        connection.settimeout(None)
    except (OSError, protocol.WrongFrameError):
        return False
    return is_served


def _wait_for_end(connection: socket.socket) -> int | None:
    """The exit code that the other run gives; None where it ended, and gave none."""
    try:
        code = next_frame(connection).get("exit")
    except (OSError, protocol.WrongFrameError):
        return None
    return code if isinstance(code, int) else None


def _is_taken(
    connection: socket.socket, asked: Mapping[str, object], descriptors: list[int]
) -> bool:
    """Give these open files away to the other run, if it takes them."""
    if sys.platform == "win32":
        raise OSError("Windows has no such socket")
    connection.settimeout(protocol.PIPES_LIMIT)
    connection.sendall(protocol.encode(asked))
    if next_frame(connection).get("pipes") is not True:
        return False
    socket.send_fds(connection, [b"\0"], descriptors)
    connection.settimeout(None)
    return True


def _leave_port(connection: socket.socket) -> None:
    """Say that we end, and wait until the other run has closed the port: then it is free."""
    with suppress(OSError):
        connection.shutdown(socket.SHUT_WR)
        connection.settimeout(_LEAVE_LIMIT)
        while connection.recv(4096):
            pass


def _be_interruptible() -> None:
    for each in ("SIGINT", "SIGTERM", "SIGHUP"):
        signal.signal(getattr(signal, each), _leave)


def _leave(_: int, __: FrameType | None) -> None:
    raise KeyboardInterrupt
