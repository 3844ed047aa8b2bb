"""Speaks to a server process through bare pipes, line by line; every wait is bounded.

For tests that must see the bytes, not what a client makes of them.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import subprocess
import sys
import tempfile
import time
from typing import TYPE_CHECKING, Any

import psutil

from tests.patience import LIMIT

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from types import TracebackType

    Json = dict[str, Any]

MODERN_META: dict[str, object] = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
}


class RawClient:
    """One server process; leaving the context kills it."""

    def __init__(
        self, command: tuple[str, list[str]], env: Mapping[str, str] | None = None
    ) -> None:
        self._errors, path = tempfile.mkstemp()
        os.unlink(path)
        self.process = subprocess.Popen(
            [command[0], *command[1]],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            env=env,
            start_new_session=True,
        )
        self.notifications: list[Json] = []
        self.garbage: list[bytes] = []
        self._buffer = bytearray()
        self._last_id = 0

    def __enter__(self) -> RawClient:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.process.kill()
        self.process.wait(LIMIT)
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                pipe.close()
        os.close(self._errors)

    def send_line(self, line: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def send(self, method: str, params: object = None, **extra: object) -> None:
        """A notification, or a request where `id` is given."""
        message: Json = {"jsonrpc": "2.0", "method": method} | extra
        if params is not None:
            message["params"] = params
        self.send_line(json.dumps(message).encode())

    def ask(self, method: str, params: object = None) -> Json:
        """The whole answer to one request; other messages are kept aside."""
        self._last_id += 1
        self.send(method, params, id=self._last_id)
        return self.read_answer(self._last_id)

    def read_answer(self, request_id: object) -> Json:
        while True:
            message = self.read_message()
            if "method" in message:
                self.notifications.append(message)
            elif message.get("id") == request_id:
                return message

    def read_message(self) -> Json:
        """The next line that is a JSON object; others go to `garbage`."""
        while True:
            line = self.read_line()
            try:
                return json.loads(line)
            except ValueError:
                self.garbage.append(line)

    def read_line(self, limit: float = LIMIT) -> bytes:
        """The next line.

        Raises:
            EOFError: The server closed its end.
            TimeoutError: Nothing came in time.
        """
        assert self.process.stdout is not None
        searched = 0
        while (end := self._buffer.find(b"\n", searched)) < 0:
            searched = len(self._buffer)
            if not select.select([self.process.stdout], [], [], limit)[0]:
                raise TimeoutError(f"no line within {limit} s")
            chunk = os.read(self.process.stdout.fileno(), 1 << 20)
            if not chunk:
                raise EOFError
            self._buffer += chunk
        line = bytes(self._buffer[:end])
        del self._buffer[: end + 1]
        return line

    def initialize(self, version: str = "2025-11-25") -> Json:
        client = {"name": "raw", "version": "1"}
        params = {"protocolVersion": version, "capabilities": {}, "clientInfo": client}
        answer = self.ask("initialize", params)
        self.send("notifications/initialized")
        return answer

    def call(self, tool: str, **arguments: object) -> Json:
        """The answer to a `tools/call`."""
        return self.ask("tools/call", {"name": tool, "arguments": arguments})

    def close_input(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()

    def wait(self, limit: float = LIMIT) -> int:
        return self.process.wait(limit)

    def is_alive_after(self, seconds: float) -> bool:
        """Whether the process outlives the given time; ends early when it does not."""
        try:
            self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            return True
        return False

    @property
    def stderr(self) -> str:
        """All that the server wrote to its stderr until now."""
        assert sys.platform != "win32"
        return os.pread(self._errors, 1 << 26, 0).decode(errors="replace")

    def wait_stderr(self, text: str) -> None:
        """Until the server has written `text` to its stderr."""
        end = time.monotonic() + LIMIT
        while text not in self.stderr:
            if time.monotonic() > end:
                raise TimeoutError(f"{text!r} is not in {self.stderr[-500:]!r}")
            select.select([], [], [], 0.005)


def find_marked(marker: str) -> list[psutil.Process]:
    """The processes that carry `--marker MARKER` in their command line."""
    return list(population([marker])[marker])


def population(markers: Iterable[str]) -> dict[str, set[psutil.Process]]:
    """The processes of each marker, in one look at all there are."""
    found: dict[str, set[psutil.Process]] = {marker: set() for marker in markers}
    for pid in psutil.pids():
        with contextlib.suppress(OSError, psutil.Error):
            for argument in _command_line(pid):
                if argument in found:
                    found[argument].add(psutil.Process(pid))
    return found


def _command_line(pid: int) -> list[str]:
    """Empty for a zombie. By hand on Linux: psutil asks much else of each of hundreds first."""
    if sys.platform != "linux":
        return psutil.Process(pid).cmdline()
    with open(f"/proc/{pid}/cmdline", encoding="utf-8", errors="replace") as file:
        return file.read().split("\0")


def end_marked(marker: str) -> int:
    """Kill them; how many there were."""
    marked = find_marked(marker)
    for process in marked:
        with contextlib.suppress(psutil.NoSuchProcess):
            process.kill()
    end = time.monotonic() + LIMIT
    while find_marked(marker):  # a zombie has no command line: nobody waits for it to be reaped
        if time.monotonic() > end:
            raise TimeoutError(f"processes marked {marker} do not end")
        select.select([], [], [], 0.005)
    return len(marked)
