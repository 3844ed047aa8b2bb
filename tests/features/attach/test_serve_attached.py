"""`serve` while another run has the servers: that run serves the client, on its own pipes."""

from __future__ import annotations

import asyncio
import json
import signal
import socket
import sqlite3
import subprocess
import sys
from contextlib import closing, contextmanager, suppress
from typing import TYPE_CHECKING, Any

import mcp_types as types
import psutil
import pytest

from desktop.features.attach import protocol
from desktop.features.attach.protocol import find_run
from tests.cli.terminal import ROOT, daemon, entry, interrupt, servers_of
from tests.features.gateway.gateway_client import Person, over_stdio, texts, until
from tests.patience import LIMIT
from tests.server_commands import FOLDER

if sys.platform == "win32":
    raise pytest.skip.Exception("needs Unix sockets", allow_module_level=True)

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from tests.cli.terminal import Terminal

CHANGED = "notifications/tools/list_changed"
ASKED = {
    "method": "elicitation/create",
    "params": {
        "message": "Who?",
        "requestedSchema": {"type": "object", "properties": {"name": {"type": "string"}}},
    },
}
HELLO: dict[str, Any] = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "raw", "version": "1"},
    },
}


@pytest.fixture
def held(terminal: Terminal, request: pytest.FixtureRequest) -> Iterator[subprocess.Popen[str]]:
    """A daemon of a test's own; parametrized, with an interpreter of its own."""
    terminal.configure(
        plain=entry("plain"),
        counts=entry("counts"),
        asks=entry("asks_client"),
        off=entry("counts"),
    )
    with daemon(terminal, own_interpreter=getattr(request, "param", False)) as process:
        yield process


@contextmanager
def started(terminal: Terminal, *args: str) -> Generator[subprocess.Popen[bytes]]:
    with subprocess.Popen(
        [sys.executable, "-m", "desktop", "serve", *args],
        env=terminal.environment,
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as gateway:
        try:
            yield gateway
        finally:
            gateway.kill()


def greet(gateway: subprocess.Popen[bytes]) -> dict[str, Any]:
    assert gateway.stdin is not None
    assert gateway.stdout is not None
    gateway.stdin.write(json.dumps(HELLO).encode() + b"\n")
    gateway.stdin.flush()
    return json.loads(gateway.stdout.readline())


async def test_clients_share_the_servers_that_run_and_their_state(
    terminal: Terminal, held: subprocess.Popen[str]
) -> None:
    async with over_stdio(terminal) as one, over_stdio(terminal, mode="2026-07-28") as other:
        seen = [texts(await each.call_tool("mcp__counts__count", {})) for each in (one, other, one)]
        assert seen == ["1", "2", "3"]
    assert terminal.run("call", "counts:count").out == "4\n"
    async with over_stdio(terminal, "--no-attach") as alone:
        assert texts(await alone.call_tool("mcp__counts__count", {})) == "1"


async def test_a_client_is_told_what_its_servers_say_of_themselves(terminal: Terminal) -> None:
    script = str(FOLDER / "whole_protocol.py")
    whole: dict[str, object] = {"command": sys.executable, "args": [script]}
    terminal.configure(plain=entry("plain"), whole=whole)
    with daemon(terminal):
        terminal.run("tools")  # they are all connected
        async with over_stdio(terminal) as client:
            instructions = client.instructions or ""
            assert instructions.startswith("Tools of several MCP servers.")
            assert "## Server whole\nHas everything." in instructions


async def test_what_a_client_calls_stands_in_the_history_with_its_name(
    terminal: Terminal, held: subprocess.Popen[str]
) -> None:
    async with over_stdio(terminal, "--client", "cursor") as client:
        await client.call_tool("mcp__plain__echo", {"message": "one"})
    async with over_stdio(terminal, name="other-client") as client:
        await client.call_tool("mcp__plain__echo", {"message": "two"})

    def rows() -> list[Any]:
        file = terminal.folder / "data" / "history.sqlite3"
        with (
            suppress(sqlite3.OperationalError),  # the daemon has not written them yet
            closing(sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True)) as history,
        ):
            return history.execute("SELECT key, origin, model FROM calls ORDER BY id").fetchall()
        return []

    await until(lambda: len(rows()) == 2)
    assert rows() == [("plain:echo", "client", "cursor"), ("plain:echo", "client", "other-client")]


async def test_a_switch_and_a_selection_that_change_are_told(
    terminal: Terminal, held: subprocess.Popen[str]
) -> None:
    person = Person()
    async with over_stdio(terminal, "--client", "cursor", person=person) as client:
        names = [tool.name for tool in (await client.list_tools()).tools]
        assert "mcp__off__count" in names
        config = json.loads(terminal.config.read_text("utf-8"))
        config["mcpServers"]["off"]["enabled"] = False
        terminal.config.write_text(json.dumps(config), encoding="utf-8")
        terminal.run("tools")  # a command has the config read again
        await person.until_told(CHANGED)
        names = [tool.name for tool in (await client.list_tools()).tools]
        assert "mcp__off__count" not in names
        person.told.clear()
        config["mcpDesktop"] = {"gateway": {"clients": {"cursor": {"servers": ["counts"]}}}}
        terminal.config.write_text(json.dumps(config), encoding="utf-8")
        terminal.run("tools")
        await person.until_told(CHANGED)
        assert [tool.name for tool in (await client.list_tools()).tools] == ["mcp__counts__count"]


async def test_what_a_server_asks_reaches_the_client_that_calls_it(
    terminal: Terminal, held: subprocess.Popen[str]
) -> None:
    person = Person(answer=types.ElicitResult(action="accept", content={"name": "Ada"}))
    async with over_stdio(terminal, person=person) as client, over_stdio(terminal) as other:
        answer = await client.call_tool("mcp__asks__ask", ASKED)
        assert json.loads(texts(answer)) == [{"action": "accept", "content": {"name": "Ada"}}]
        refused = await other.call_tool("mcp__asks__ask", ASKED)
        assert json.loads(texts(refused))[0]["action"] == "decline"
    assert terminal.run("call", "plain:echo", "message=on").out == "on\n"


@pytest.mark.parametrize("killed", ["gateway", "client", "daemon"])
@pytest.mark.parametrize("held", [True], indirect=True)
def test_whoever_is_killed_nothing_is_left_and_the_others_see_it(
    terminal: Terminal, held: subprocess.Popen[str], killed: str
) -> None:
    with started(terminal) as gateway:
        assert greet(gateway)["result"]["serverInfo"]["name"] == "mcp-desktop"
        assert not psutil.Process(gateway.pid).children()
        servers = servers_of(held)
        assert servers
        if killed == "gateway":
            gateway.kill()
        elif killed == "client":
            assert gateway.stdin is not None
            gateway.stdin.close()  # as the system does for one that is gone
        else:
            held.kill()
        code = gateway.wait(LIMIT)
        assert code == {"gateway": -signal.SIGKILL, "client": 0, "daemon": 3}[killed]
        if killed == "daemon":
            held.wait(LIMIT)
            psutil.wait_procs(servers, LIMIT)
            assert not [each for each in servers if each.is_running()]
            assert gateway.stderr is not None
            assert b"was closed. Start it again" in gateway.stderr.read()
        else:
            assert terminal.run("call", "counts:count").out == "1\n"
            assert all(each.is_running() for each in servers)


def test_a_call_ends_at_its_server_when_the_gateway_of_its_client_is_killed(
    terminal: Terminal, held: subprocess.Popen[str]
) -> None:
    with started(terminal) as gateway:
        greet(gateway)
        call = {
            "jsonrpc": "2.0",
            "id": 2,
            "method": "tools/call",
            "params": {
                "name": "mcp__plain__slow",
                "arguments": {"seconds": 60, "steps": 600},
                "_meta": {"progressToken": 1},
            },
        }
        note = {"jsonrpc": "2.0", "method": "notifications/initialized"}
        assert gateway.stdin is not None
        assert gateway.stdout is not None
        for message in (note, call):
            gateway.stdin.write(json.dumps(message).encode() + b"\n")
        gateway.stdin.flush()
        assert b"notifications/progress" in gateway.stdout.readline()
        gateway.kill()
        asyncio.run(until(lambda: "stopped" in terminal.server_log("plain")))


def test_a_daemon_that_ends_leaves_its_clients(
    terminal: Terminal, held: subprocess.Popen[str]
) -> None:
    with started(terminal) as gateway:
        greet(gateway)
        interrupt(held, signal.SIGTERM)
        assert gateway.wait(LIMIT) == 3


def test_who_hands_over_no_pipes_is_refused_and_the_rest_goes_on(
    terminal: Terminal, held: subprocess.Popen[str]
) -> None:
    flags = ["--config", str(terminal.config), "--data-dir", str(terminal.folder / "data")]
    for given in (b"\0", b"", b"x" * 10):
        connection = find_run(flags)
        assert connection is not None
        with connection:
            connection.sendall(protocol.encode({"serve": "cursor"}))
            assert protocol.decode(connection.recv(4096)) == {"pipes": True}
            if given:
                connection.sendall(given)
            connection.shutdown(socket.SHUT_WR)
            with suppress(ConnectionResetError):  # some of it was not even read
                assert connection.recv(4096) == b""
    assert terminal.run("call", "counts:count").out == "1\n"


@pytest.mark.parametrize(
    ("rule", "words"),
    [("never", "does not allow this tool"), ("ask", "nobody can be asked now")],
)
async def test_what_the_person_decided_about_a_tool_holds_for_clients(
    terminal: Terminal, held: subprocess.Popen[str], rule: str, words: str
) -> None:
    decided = {"version": 1, "tools": {"plain:echo": {"rule": rule}}}
    file = terminal.folder / "data" / "approvals.json"
    file.write_text(json.dumps(decided), encoding="utf-8")
    for flags in ((), ("--no-attach",)):
        async with over_stdio(terminal, *flags) as client:
            refused = await client.call_tool("mcp__plain__echo", {"message": "x"})
            assert refused.is_error
            assert words in texts(refused)
            assert texts(await client.call_tool("mcp__plain__add", {"a": 1, "b": 2})) == "3"
