"""Runs one command and ends all that it started: at its end, at the limit, when it is cancelled.

A watcher in the command's process group reads from a pipe that only this server holds: when the
server ends, in whatever way, the pipe closes and the watcher kills the group. What left the group
(`setsid`) carries a mark in its environment, by which Linux finds it at the end of the call.
"""

from __future__ import annotations

import os
import signal
import subprocess
from contextlib import contextmanager, nullcontext, suppress
from shutil import which
from threading import Thread
from time import monotonic

from builtin_servers.call import ToolError
from builtin_servers.output import Output

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Generator
    from typing import IO

    from builtin_servers.call import Call

IS_POSIX = os.name == "posix"
_MARK = "MCP_DESKTOP_COMMAND"
_POLL = 0.05
_GRACE = 0.5
"""Seconds between asking a command to end and killing it."""
_TELL_EVERY = 5.0
_SWEEPS = 3
_LAST_OUTPUT = 1.0
"""Seconds to wait for output that is still in the pipes once all processes are killed."""

# The guard pipe comes as the standard input; a shell gives what it starts with `&` none of its own.
_WATCHED = """
exec 3<&0 </dev/null
(trap '' HUP INT TERM; read -r _ <&3; kill -KILL 0) >/dev/null 2>&1 &
exec "$0" -c "$1" 3<&-
"""


class Outcome:
    """How a command ended. `exit_code` is None where it was killed at the limit."""

    __slots__ = ("errors", "exit_code", "output", "seconds")

    def __init__(
        self, exit_code: int | None, seconds: float, output: Output, errors: Output
    ) -> None:
        self.exit_code = exit_code
        self.seconds = seconds
        self.output = output
        self.errors = errors


def run_command(call: Call, command: str, cwd: str, limit: float, kept: int) -> Outcome:
    """Run `command` in a shell; `limit` in seconds, `kept` bytes of each stream.

    Raises:
        ToolError: it could not be started, or the client cancelled.
    """
    mark = os.urandom(8).hex()
    began = monotonic()
    output, errors = Output(kept), Output(kept)
    with _guarded(command, cwd, mark) as process:
        readers = [_read(process.stdout, output), _read(process.stderr, errors)]
        try:
            code = _wait(process, call, began, limit)
        finally:
            _end_all(process, mark)
    for reader in readers:
        reader.join(_LAST_OUTPUT)
    if call.is_cancelled:
        raise ToolError("Cancelled: the command and all it started were ended")
    return Outcome(code, monotonic() - began, output, errors)


@contextmanager
def _guarded(command: str, cwd: str, mark: str) -> Generator[subprocess.Popen[bytes]]:
    """The started process, while this server holds the pipe that its watcher reads from."""
    reader, writer = os.pipe()
    try:
        try:
            process = _start(command, cwd, mark, reader)
        except OSError as error:
            raise ToolError(f"The command could not be started: {error.strerror}") from error
        finally:
            os.close(reader)
        yield process
    finally:
        os.close(writer)


def _start(command: str, cwd: str, mark: str, guard: int) -> subprocess.Popen[bytes]:
    shell = which("bash") or "/bin/sh"
    watched = ["/bin/sh", "-c", _WATCHED, shell, command]
    return subprocess.Popen(  # noqa: S603 - running a command is what this is for
        watched if IS_POSIX else command,
        shell=not IS_POSIX,
        cwd=cwd,
        env={**os.environ, _MARK: mark},
        stdin=guard if IS_POSIX else subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )


def _read(pipe: IO[bytes] | None, output: Output) -> Thread:
    def read() -> None:
        with pipe or nullcontext() as source:
            while source is not None and (chunk := os.read(source.fileno(), 65536)):
                output.feed(chunk)

    thread = Thread(target=read, name="output", daemon=True)
    thread.start()
    return thread


def _wait(process: subprocess.Popen[bytes], call: Call, began: float, limit: float) -> int | None:
    """The exit code, a signal as a shell says it; None at the limit or when cancelled."""
    told = began
    while not call.is_cancelled and (now := monotonic()) < began + limit:
        with suppress(subprocess.TimeoutExpired):
            code = process.wait(min(_POLL, began + limit - now))
            return code if code >= 0 else 128 - code
        if now - told > _TELL_EVERY:
            told = now
            call.report(round(now - began, 1), limit, "The command is running")
    return None


def _end_all(process: subprocess.Popen[bytes], mark: str) -> None:
    if not IS_POSIX:
        if process.poll() is None:
            tree = ["taskkill", "/T", "/F", "/PID", str(process.pid)]
            subprocess.run(tree, capture_output=True, check=False)  # noqa: S603 - no shell, no text of others
        return
    if process.poll() is None:
        _signal_group(process.pid, signal.SIGTERM)
        with suppress(subprocess.TimeoutExpired):
            process.wait(_GRACE)
    _signal_group(process.pid, signal.SIGKILL)
    process.wait()
    for _ in range(_SWEEPS):
        if not _kill_marked(mark):
            return


def _signal_group(group: int, signum: int) -> None:
    with suppress(ProcessLookupError, PermissionError):  # macOS: not permitted where all are gone
        os.killpg(group, signum)


def _kill_marked(mark: str) -> int:
    """Kill what carries the mark, wherever it went; how many there were. Linux only."""
    wanted = f"{_MARK}={mark}".encode()
    killed = 0
    for name in os.listdir("/proc") if os.path.isdir("/proc/self") else ():
        if name.isdecimal():
            with suppress(OSError):
                with open(f"/proc/{name}/environ", "rb") as file:
                    is_ours = wanted in file.read().split(b"\0")
                if is_ours:
                    os.kill(int(name), signal.SIGKILL)
                    killed += 1
    return killed
