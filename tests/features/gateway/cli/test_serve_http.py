"""`serve --http`: who is let in, and what several clients of one gateway do to each other."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

import mcp_types as types
import psutil
import pytest

from desktop.base.tasks import spawn
from desktop.servers.sdk import MCPError
from tests.cli.terminal import ROOT, entry
from tests.features.gateway.cli.test_serve import CHANGED, ERAS, FORM, asks, names
from tests.features.gateway.gateway_client import Person, over_http, texts, until
from tests.patience import LIMIT

if TYPE_CHECKING:
    from tests.cli.terminal import Terminal
    from tests.conftest import ExpectedLogs
    from tests.features.gateway.gateway_client import Served


def run_log(terminal: Terminal) -> str:
    return (terminal.folder / "data" / "logs" / "app.log").read_text("utf-8")


@ERAS
async def test_a_client_with_the_token_has_everything(terminal: Terminal, mode: str) -> None:
    terminal.configure(plain=entry("plain"), asks=entry("asks_client"))
    person = Person(answer=types.ElicitResult(action="accept", content={"name": "Ada"}))
    seen: list[float] = []

    async def follow(progress: float, total: float | None, message: str | None) -> None:
        seen.append(progress)

    async with over_http(terminal) as served, served.client(mode=mode, person=person) as client:
        assert "mcp__plain__echo" in await names(client)
        form = await client.call_tool("mcp__asks__ask", asks("elicitation/create", FORM))
        assert json.loads(texts(form)) == [{"action": "accept", "content": {"name": "Ada"}}]
        arguments = {"seconds": 0.1, "steps": 2}
        await client.call_tool("mcp__plain__slow", arguments, progress_callback=follow)
        assert seen == [1, 2]


async def refuse_whoever_is_not_meant(served: Served) -> None:
    """Try each way in that is none; also where another run serves."""
    good = f"Bearer {served.token}"
    port = served.url.split(":")[2].split("/")[0]
    refused = {
        401: [
            {},
            {"Authorization": "Bearer wrong"},
            {"Authorization": f"Basic {served.token}"},
            {"Authorization": f"{good}x"},
        ],
        403: [
            {"Authorization": good, "Host": "evil.example"},
            {"Authorization": good, "Host": f"evil.example:{port}"},
            {"Authorization": good, "Host": "127.0.0.1.evil.example"},
            {"Authorization": good, "Host": f"127.0.0.1:{int(port) - 1}"},
            {"Authorization": good, "Origin": "http://evil.example"},
            {"Authorization": good, "Origin": "null"},
            {"Authorization": good, "Origin": f"https://127.0.0.1:{port}"},
        ],
    }
    for status, tried in refused.items():
        for headers in tried:
            answer = await served.post(**headers)
            assert answer.status_code == status, headers
            assert served.token not in answer.text
    assert (await served.post("{" * 1000, Authorization=good)).status_code == 400
    assert (await served.post("x" * 17_000_000, Authorization=good)).status_code in {400, 413}
    async with served.client() as client:
        assert "mcp__plain__echo" in await names(client)


async def test_whoever_is_not_meant_is_refused_before_anything_is_read(
    terminal: Terminal,
) -> None:
    terminal.configure(plain=entry("plain"))
    async with over_http(terminal) as served:
        await refuse_whoever_is_not_meant(served)
    assert served.token not in run_log(terminal)
    assert "evil" not in run_log(terminal)


async def test_the_token_is_for_its_owner_alone_and_stays_until_another_is_wanted(
    terminal: Terminal,
) -> None:
    terminal.configure(plain=entry("plain"))
    file = terminal.folder / "data" / "gateway.token"
    async with over_http(terminal) as served:
        assert file.stat().st_mode & 0o777 == 0o600
    async with over_http(terminal) as again:
        assert again.token == served.token
    async with over_http(terminal, "--new-token") as other:
        assert other.token != served.token
        old = {"Authorization": f"Bearer {served.token}"}
        assert (await other.post(**old)).status_code == 401


async def test_a_port_that_is_taken_is_said(terminal: Terminal) -> None:
    async with over_http(terminal) as served:
        port = served.url.split(":")[2].split("/")[0]
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "desktop", "serve", "--http", port,
            env=terminal.environment, cwd=ROOT, stderr=asyncio.subprocess.PIPE,
        )  # fmt: skip
        _, said = await process.communicate()
        assert process.returncode == 2
        assert f"Port {port} cannot be used" in said.decode()


async def test_two_clients_share_a_server_and_neither_is_asked_for_the_other(
    terminal: Terminal,
) -> None:
    terminal.configure(asks=entry("asks_client"), plain=entry("plain"))
    yes = types.ElicitResult(action="accept", content={"name": "Ada"})
    one, two = Person(answer=yes), Person(answer=yes)
    async with (
        over_http(terminal) as served,
        served.client(person=one, name="one") as first,
        served.client(person=two, name="two") as second,
    ):
        assert texts(await first.call_tool("mcp__plain__pid", {})) == texts(
            await second.call_tool("mcp__plain__pid", {})
        )
        form = await second.call_tool("mcp__asks__ask", asks("elicitation/create", FORM))
        assert "Ada" in texts(form)
        assert (len(one.asked), len(two.asked)) == (0, 1)


async def test_a_change_is_told_over_http_too(terminal: Terminal) -> None:
    terminal.configure(more=entry("list_changes"))
    person, other = Person(), Person()
    async with (
        over_http(terminal) as served,
        served.client(person=person) as client,
        served.client(person=other) as bystander,
    ):
        capabilities = client.server_capabilities
        assert capabilities.tools is not None
        assert capabilities.tools.list_changed
        await names(client)
        await names(bystander)
        await bystander.call_tool("mcp__more__add_tool", {"name": "fresh"})
        await person.until_told(CHANGED)
        await other.until_told(CHANGED)


async def test_what_a_killed_client_called_is_ended(terminal: Terminal) -> None:
    terminal.configure(plain=entry("plain"))
    code = (
        "import asyncio, sys, json\n"
        "sys.path.insert(0, '.')\n"
        "from tests.features.gateway.gateway_client import Served\n"
        "async def main():\n"
        "    async with Served(sys.argv[1], sys.argv[2], None).client() as client:\n"
        "        await client.list_tools()\n"
        "        async def begun(*_): print('begun', flush=True)\n"
        "        await client.call_tool('mcp__plain__slow', {'seconds': 300, 'steps': 3000},"
        " progress_callback=begun)\n"
        "asyncio.run(main())\n"
    )
    async with over_http(terminal) as served:
        client = await asyncio.create_subprocess_exec(
            sys.executable, "-c", code, served.url, served.token,
            cwd=ROOT, stdout=asyncio.subprocess.PIPE,
        )  # fmt: skip
        assert client.stdout is not None
        async with asyncio.timeout(LIMIT):
            assert await client.stdout.readline() == b"begun\n"
        client.kill()
        await client.wait()
        await until(lambda: "stopped" in terminal.server_log("plain"))
        async with served.client() as other:
            assert texts(await other.call_tool("mcp__plain__echo", {"message": "on"})) == "on"


@pytest.mark.parametrize("number", ["SIGKILL", "SIGTERM"])
async def test_nothing_is_left_where_the_gateway_ends(
    terminal: Terminal, number: str, expected_logs: ExpectedLogs
) -> None:
    expected_logs.allow("Session termination failed|Error in post_writer")
    terminal.configure(plain=entry("plain"), child=entry("leaves_child"))
    async with over_http(terminal, own_interpreter=True) as served:
        async with served.client() as client:
            await names(client)
            arguments = {"seconds": 300, "steps": 3000}

            async def call() -> None:
                with suppress(MCPError):  # its gateway ends
                    await client.call_tool("mcp__plain__slow", arguments)

            calling = spawn(call(), "slow")
            await client.call_tool("mcp__plain__pid", {})
            below = psutil.Process(served.process.pid).children(recursive=True)
            assert len(below) >= 4
            os.kill(served.process.pid, signal.Signals[number])
            async with asyncio.timeout(LIMIT):
                await served.process.wait()
            calling.cancel()
        _, left = await asyncio.to_thread(psutil.wait_procs, below, timeout=LIMIT)
        assert left == []
