"""`serve --http` while another run has the servers: that run serves, on the port opened here."""

from __future__ import annotations

import asyncio
import json
import signal
import socket
import sqlite3
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import httpx2
import psutil
import pytest

from tests.patience import LIMIT

if sys.platform == "win32":
    raise pytest.skip.Exception("needs Unix sockets", allow_module_level=True)

from desktop.base.loopback_server import open_socket
from desktop.base.tasks import spawn
from desktop.features.attach import protocol
from desktop.features.attach.protocol import find_run
from desktop.servers.sdk import MCPError
from tests.cli.terminal import daemon, entry, servers_of
from tests.features.gateway.cli.test_serve import CHANGED, ERAS, names
from tests.features.gateway.cli.test_serve_http import refuse_whoever_is_not_meant, run_log
from tests.features.gateway.gateway_client import Person, over_http, over_stdio, texts, until

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Iterator

    from tests.cli.terminal import Terminal
    from tests.conftest import ExpectedLogs
    from tests.features.gateway.gateway_client import Served


@pytest.fixture
def held(terminal: Terminal, request: pytest.FixtureRequest) -> Iterator[subprocess.Popen[str]]:
    """A daemon of a test's own; parametrized, with an interpreter of its own."""
    terminal.configure(plain=entry("plain"), counts=entry("counts"), off=entry("counts"))
    with daemon(terminal, own_interpreter=getattr(request, "param", False)) as process:
        yield process


def port_of(served: Served) -> int:
    return int(served.url.split(":")[2].split("/")[0])


def is_free(port: int) -> bool:
    with socket.socket() as trying:
        return trying.connect_ex(("127.0.0.1", port)) != 0


@ERAS
async def test_clients_over_http_share_the_servers_that_run(
    terminal: Terminal, held: subprocess.Popen[str], mode: str
) -> None:
    assert terminal.run("call", "counts:count").out == "1\n"
    async with over_http(terminal, own_interpreter=True) as served:
        assert not psutil.Process(served.process.pid).children()
        async with served.client(mode=mode) as one, over_stdio(terminal) as other:
            seen = [texts(await each.call_tool("mcp__counts__count", {})) for each in (one, other)]
            assert seen == ["2", "3"]
    async with over_http(terminal, "--no-attach") as alone, alone.client(mode=mode) as client:
        assert texts(await client.call_tool("mcp__counts__count", {})) == "1"


async def test_what_they_call_stands_in_the_history_with_their_names(
    terminal: Terminal, held: subprocess.Popen[str]
) -> None:
    async with (
        over_http(terminal) as served,
        served.client(name="one") as one,
        served.client(name="two") as two,
    ):
        for client in (one, two):
            await client.call_tool("mcp__plain__echo", {"message": "x"})
    async with over_http(terminal, "--client", "cursor") as served, served.client() as client:
        await client.call_tool("mcp__plain__echo", {"message": "x"})

    def rows() -> list[Any]:
        with (
            suppress(sqlite3.OperationalError),  # nothing was written yet
            sqlite3.connect(terminal.folder / "data" / "history.sqlite3") as history,
        ):
            return history.execute("SELECT key, origin, model FROM calls ORDER BY id").fetchall()
        return []

    await until(lambda: len(rows()) == 3)
    assert rows() == [("plain:echo", "client", name) for name in ("one", "two", "cursor")]


async def test_a_switch_is_told_and_a_decision_holds(
    terminal: Terminal, held: subprocess.Popen[str]
) -> None:
    decided = {"version": 1, "tools": {"plain:echo": {"rule": "never"}}}
    file = terminal.folder / "data" / "approvals.json"
    file.write_text(json.dumps(decided), encoding="utf-8")
    person = Person()
    async with over_http(terminal) as served, served.client(person=person) as client:
        assert "mcp__off__count" in await names(client)
        config = json.loads(terminal.config.read_text("utf-8"))
        config["mcpServers"]["off"]["enabled"] = False
        terminal.config.write_text(json.dumps(config), encoding="utf-8")
        terminal.run("tools")  # a command has the config read again
        await person.until_told(CHANGED)
        assert "mcp__off__count" not in await names(client)
        refused = await client.call_tool("mcp__plain__echo", {"message": "x"})
        assert refused.is_error
        assert "does not allow this tool" in texts(refused)


async def test_whoever_is_not_meant_is_refused_there_too(
    terminal: Terminal, held: subprocess.Popen[str]
) -> None:
    async with over_http(terminal) as served:
        await refuse_whoever_is_not_meant(served)
    async with over_http(terminal, "--new-token") as other:
        assert other.token != served.token
        old = {"Authorization": f"Bearer {served.token}"}
        assert (await other.post(**old)).status_code == 401
        await refuse_whoever_is_not_meant(other)
    assert served.token not in run_log(terminal)
    assert "evil" not in run_log(terminal)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
async def test_the_port_is_closed_when_its_process_ends_and_the_servers_go_on(
    terminal: Terminal,
    held: subprocess.Popen[str],
    number: signal.Signals,
    expected_logs: ExpectedLogs,
) -> None:
    expected_logs.allow("Session termination failed|Error in post_writer|GET stream")
    async with (
        over_http(terminal, own_interpreter=True) as served,
        served.client() as client,
    ):
        assert texts(await client.call_tool("mcp__counts__count", {})) == "1"
        served.process.send_signal(number)
        code, _ = await served.end()
        assert code == (-signal.SIGKILL if number == signal.SIGKILL else 130)
        if number == signal.SIGKILL:  # else it has waited for that
            await until(lambda: is_free(port_of(served)))
        open_socket(port_of(served)).close()
    assert terminal.run("call", "counts:count").out == "2\n"


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
@pytest.mark.parametrize("held", [True], indirect=True)
async def test_the_end_of_the_run_that_serves_is_said(
    terminal: Terminal,
    held: subprocess.Popen[str],
    number: signal.Signals,
    expected_logs: ExpectedLogs,
) -> None:
    expected_logs.allow("Session termination failed|Error in post_writer|GET stream")
    async with over_http(terminal) as served:
        async with served.client() as client:
            await client.call_tool("mcp__counts__count", {})
            below = servers_of(held)
            held.send_signal(number)
            code, said = await served.end()
            assert code == 3
            assert f"The app that served {served.url} was closed. Start this again" in said
            await asyncio.to_thread(held.wait, LIMIT)
        assert psutil.wait_procs(below, LIMIT)[1] == []
        with pytest.raises(httpx2.ConnectError):
            await served.post()


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
async def test_a_call_ends_at_its_server_when_the_process_that_opened_the_port_ends(
    terminal: Terminal,
    held: subprocess.Popen[str],
    number: signal.Signals,
    expected_logs: ExpectedLogs,
) -> None:
    expected_logs.allow("Session termination failed|Error in post_writer|GET stream")
    begun = asyncio.Event()

    async def note(progress: float, total: float | None, message: str | None) -> None:
        begun.set()

    async with (
        over_http(terminal, own_interpreter=True) as served,
        served.client() as client,
    ):

        async def call() -> None:
            arguments = {"seconds": 600, "steps": 6000}
            with suppress(MCPError):  # its gateway ends
                await client.call_tool("mcp__plain__slow", arguments, progress_callback=note)

        calling = spawn(call(), "slow")
        async with asyncio.timeout(LIMIT):
            await begun.wait()
        served.process.send_signal(number)
        await served.end()
        await until(lambda: "stopped" in terminal.server_log("plain"))
        calling.cancel()
    assert terminal.run("call", "plain:echo", "message=on").out == "on\n"


async def test_a_port_that_is_taken_is_said_before_anything_is_handed_over(
    terminal: Terminal, held: subprocess.Popen[str]
) -> None:
    async with over_http(terminal) as served:
        done = await asyncio.to_thread(terminal.run, "serve", "--http", str(port_of(served)))
        assert done.code == 2
        assert f"Port {port_of(served)} cannot be used" in done.err


@pytest.mark.parametrize("kind", ["everywhere", "not listening", "a file"])
def test_a_socket_that_others_could_reach_is_not_served(
    terminal: Terminal, held: subprocess.Popen[str], kind: str
) -> None:
    flags = ["--config", str(terminal.config), "--data-dir", str(terminal.folder / "data")]
    connection = find_run(flags)
    assert connection is not None
    with connection, socket.socket() as offered, terminal.config.open() as file:
        if kind == "everywhere":
            offered.bind(("0.0.0.0", 0))
            offered.listen()
        connection.sendall(protocol.encode({"serve": "", "http": True}))
        assert protocol.decode(connection.recv(4096)) == {"pipes": True}
        given = file.fileno() if kind == "a file" else offered.fileno()
        socket.send_fds(connection, [b"\0"], [given])
        assert connection.recv(4096) == b""
    assert terminal.run("call", "counts:count").out == "1\n"
