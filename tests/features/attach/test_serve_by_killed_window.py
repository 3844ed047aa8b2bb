"""A real window is killed while it serves clients: no server is left, and each client is told."""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
import sys
from contextlib import ExitStack, contextmanager, suppress
from typing import TYPE_CHECKING, Any

import httpx2
import psutil
import pytest

from tests.patience import LIMIT

if sys.platform == "win32":
    raise pytest.skip.Exception("needs Unix sockets", allow_module_level=True)

from desktop.features.attach.protocol import find_run
from tests.cli.terminal import ROOT, entry, servers_of
from tests.faults.population import wait_until
from tests.features.gateway.gateway_client import over_http, texts

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from tests.cli.terminal import Terminal
    from tests.conftest import ExpectedLogs

HELLO: dict[str, Any] = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "raw", "version": "1"},
}
LEFT_WITHIN = 2.0
"""Seconds after which no server of a killed app is left."""


def takes_commands(terminal: Terminal) -> bool:
    flags = ["--config", str(terminal.config), "--data-dir", str(terminal.folder / "data")]
    if (connection := find_run(flags)) is None:
        return False
    connection.close()
    return True


@pytest.fixture
def window(terminal: Terminal) -> Iterator[subprocess.Popen[str]]:
    terminal.configure(plain=entry("plain"), leaves=entry("leaves_child"), counts=entry("counts"))
    terminal.environment["QT_QPA_PLATFORM"] = "offscreen"
    with terminal.start() as process:
        try:
            assert wait_until(lambda: takes_commands(terminal), LIMIT)
            yield process
        finally:
            process.kill()


class RawClient:
    """A client of the gateway that reads and writes lines, with the process that it started."""

    def __init__(self, gateway: subprocess.Popen[bytes]) -> None:
        self.gateway = gateway
        self._number = 0

    def send(self, method: str, **params: Any) -> None:
        self._number += 1
        message = {"jsonrpc": "2.0", "id": self._number, "method": method, "params": params}
        assert self.gateway.stdin is not None
        self.gateway.stdin.write(json.dumps(message).encode() + b"\n")
        self.gateway.stdin.flush()

    def read(self) -> dict[str, Any]:
        """The next message; empty where there is no further one."""
        assert self.gateway.stdout is not None
        line = self.gateway.stdout.readline()
        return json.loads(line) if line else {}

    def greet(self) -> None:
        self.send("initialize", **HELLO)
        assert self.read()["result"]["serverInfo"]["name"] == "mcp-desktop"

    def call(self, tool: str, **arguments: object) -> dict[str, Any]:
        self.send("tools/call", name=tool, arguments=arguments)
        return self.read()["result"]

    def begin_slow_call(self) -> None:
        arguments = {"seconds": 600, "steps": 6000}
        meta = {"progressToken": 1}
        self.send("tools/call", name="mcp__plain__slow", arguments=arguments, _meta=meta)
        assert self.read()["method"] == "notifications/progress"

    def read_to_the_end(self) -> list[dict[str, Any]]:
        return list(iter(self.read, {}))


@contextmanager
def client_of(terminal: Terminal, name: str) -> Generator[RawClient]:
    with subprocess.Popen(
        [sys.executable, "-m", "desktop", "serve", "--client", name],
        env=terminal.environment,
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as gateway:
        try:
            yield RawClient(gateway)
        finally:
            gateway.kill()


def left_of(processes: list[psutil.Process]) -> list[psutil.Process]:
    """Those that still run; one that ended is nobody's but the system's, which may be busy."""
    _, left = psutil.wait_procs(processes, LEFT_WITHIN)
    running: list[psutil.Process] = []
    for process in left:
        with suppress(psutil.NoSuchProcess):
            if process.status() != psutil.STATUS_ZOMBIE:
                running.append(process)
    return running


def test_a_killed_window_leaves_no_server_and_its_clients_say_so(
    terminal: Terminal, window: subprocess.Popen[str]
) -> None:
    with ExitStack() as stack:
        clients = [stack.enter_context(client_of(terminal, name)) for name in ("one", "two")]
        for client in clients:
            client.greet()
        counts = [each.call("mcp__counts__count")["content"][0]["text"] for each in clients]
        assert counts == ["1", "2"]  # both are served by the window
        for client in clients:
            assert not psutil.Process(client.gateway.pid).children()
            client.begin_slow_call()
        below = servers_of(window)
        assert len(below) >= 4

        window.send_signal(signal.SIGKILL)
        window.wait(LIMIT)
        assert left_of(below) == []
        for client in clients:
            assert client.gateway.wait(LIMIT) == 3
            answers = [each for each in client.read_to_the_end() if "id" in each]
            assert answers == []  # nobody knows what became of the call
            assert client.gateway.stderr is not None
            words = client.gateway.stderr.read().decode()
            assert words.startswith("mcp-desktop: The app that served this client was closed.")
            assert "Start it again" in words

    with client_of(terminal, "one") as client:
        client.greet()
        assert client.call("mcp__counts__count")["content"][0]["text"] == "1"
        own = psutil.Process(client.gateway.pid).children(recursive=True)
        assert own  # now it has servers of its own, which end with it
        assert client.gateway.stdin is not None
        client.gateway.stdin.close()
        assert client.gateway.wait(LIMIT) == 0
        assert left_of(own) == []


async def test_a_killed_window_leaves_no_server_and_whoever_served_over_http_says_so(
    terminal: Terminal, window: subprocess.Popen[str], expected_logs: ExpectedLogs
) -> None:
    expected_logs.allow("Session termination failed|Error in post_writer|GET stream")
    async with over_http(terminal) as served:
        async with served.client() as one, served.client(mode="2026-07-28") as two:
            counts = [texts(await each.call_tool("mcp__counts__count", {})) for each in (one, two)]
            assert counts == ["1", "2"]
            below = servers_of(window)
            window.send_signal(signal.SIGKILL)
            await asyncio.to_thread(window.wait, LIMIT)
            assert await asyncio.to_thread(left_of, below) == []
            code, said = await served.end()
            assert code == 3
            assert said.startswith(f"mcp-desktop: The app that served {served.url} was closed.")
        with pytest.raises(httpx2.ConnectError):
            await served.post()
