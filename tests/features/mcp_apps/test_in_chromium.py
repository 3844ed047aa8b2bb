"""Apps in a real browser: published ones work, and a hostile one gets nowhere."""

from __future__ import annotations

import asyncio
import contextlib
import json
from typing import TYPE_CHECKING

import pytest

from desktop.base.tasks import spawn
from desktop.features.mcp_apps.limits import BURST, PER_SECOND
from desktop.history.records import Query
from desktop.values.tool_types import ToolCall
from tests import peers
from tests.features.mcp_apps.looking import looking, script, until
from tests.patience import LIMIT

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator
    from pathlib import Path

pytestmark = [pytest.mark.real_servers, peers.needs_playwright, pytest.mark.timeout(120)]


@contextlib.asynccontextmanager
async def listener() -> AsyncGenerator[tuple[int, list[str]]]:
    """A port that nobody may come to, and the first line of whoever did."""
    came: list[str] = []

    async def take(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        came.append((await reader.readline()).decode("latin-1"))
        writer.close()

    server = await asyncio.start_server(take, "127.0.0.1", 0)
    async with server:
        yield server.sockets[0].getsockname()[1], came


@peers.needs_app_servers
async def test_a_published_app_shows_its_result_and_calls_its_server_once_it_is_allowed(
    tmp_path: Path,
) -> None:
    program, *args = peers.app_server_command("basic-vanillajs")
    async with looking(tmp_path, time={"command": program, "args": args}) as person:
        view = await person.show("time:get-time")
        shown = view.shown.result.output
        await person.browse("navigate", url=view.url)
        await until(view, lambda: view.phase == "open")
        await person.sees(shown)
        person.decide = lambda _: "deny"
        await person.click("Get Server Time")
        await until(view, lambda: any("Denied" in note for note in view.notes))
        person.decide = lambda _: "once"
        await person.click("Get Server Time")
        async with asyncio.timeout(LIMIT):
            while not any(result.success for result in person.called["get-time"]):
                await person.next()
        new = person.called["get-time"][-1].output
        await person.sees(new)
        assert new != shown
        assert len(person.asked) == 2
        page = await person.core.history.page(Query(origin="app"))
        assert [call.outcome for call in page.calls] == ["done", "denied"]
        view.close()
        await view.closed()
        await person.sees("This view is closed")


@peers.needs_app_servers
async def test_a_published_app_draws_what_it_was_given(tmp_path: Path) -> None:
    program, *args = peers.app_server_command("budget-allocator")
    async with looking(tmp_path, budget={"command": program, "args": args}) as person:
        view = await person.show("budget:get-budget-data")
        await person.browse("navigate", url=view.url)
        await until(view, lambda: view.phase == "open")
        await person.sees("Marketing")
        await person.sees("$100,000")
        assert not [note for note in view.notes if note.startswith("Refused")], view.notes


SET_HEIGHT = """() => new Promise((tell) => {
  const look = () => {
    const height = document.querySelector('iframe').style.height;
    height ? tell(height) : requestAnimationFrame(look);
  };
  look();
})"""
"""The height that our page was told to give the app, as soon as it was."""


async def test_an_app_cannot_leave_its_sandbox(tmp_path: Path) -> None:
    async with listener() as (port, came):
        hostile = script("hostile_app", "--what", "escape", "--listener", port)
        async with looking(tmp_path, hostile=hostile) as person:
            view = await person.show("hostile:show", with_domains=True)
            await person.browse("navigate", url=view.url)
            found = await person.reported()
            address = await person.browse("evaluate", function="() => location.href")
            title = await person.browse("evaluate", function="() => document.title")
            frame = await person.browse(
                "evaluate", function="() => document.querySelector('iframe').src"
            )
        assert view.url in address
        assert "show" in title
        assert "127.0.0.1" in frame
    # Chromium opens a connection for a navigation before it refuses it, and sends nothing.
    assert [line for line in came if line] == []
    assert found.pop("capabilities") == (
        "downloadFile logging openLinks sandbox serverResources serverTools"
    )
    assert json.loads(found.pop("allowed")) == {
        "connectDomains": ["https://api.example.com"],
        "resourceDomains": ["https://cdn.example.com"],
    }
    found.pop("declared")  # it is allowed; whether this machine has a network is not the question
    assert found.pop("camera") in {"NotAllowedError", "NotFoundError"}
    assert found.pop("clipboard") == "NotAllowedError"
    assert found == {
        "fetch": "TypeError",
        "host": "TypeError",
        "image": "refused",
        "script": "refused",
        "style": "refused",
        "socket": "refused",
        "beacon": "queued",  # says so and sends nothing
        "worker": "refused",
        "parent": "SecurityError",
        "parentAddress": "SecurityError",
        "top": "SecurityError",
        "popup": "null",
        "cookie": "SecurityError",
        "storage": "SecurityError",
        "database": "SecurityError",
        "origin": "null",
    }


async def test_an_app_that_calls_a_thousand_times_a_second_is_slowed_and_the_rest_goes_on(
    tmp_path: Path,
) -> None:
    flood, other = script("hostile_app", "--what", "flood"), script("plain")
    async with looking(tmp_path, hostile=flood, other=other) as person:
        view = await person.show("hostile:show")
        began = asyncio.get_running_loop().time()
        await person.browse("navigate", url=view.url)
        report = spawn(person.reported(), "report")
        quick = await person.core.executor.run(ToolCall("other:echo", {"message": "still here"}))
        assert quick.output == "still here"
        kinds = await report
        seconds = asyncio.get_running_loop().time() - began
        assert sum(kinds.values()) == 2000, kinds
        sent = kinds["answered"]
        assert 0 < sent <= BURST + PER_SECOND * (seconds + 1)
        assert kinds["error -32000"] == 2000 - sent
        assert len(person.called["echo"]) == sent
        refused = [note for note in view.notes if note.startswith("Refused")]
        assert set(refused) <= {
            "Refused: too many messages.",
            "Refused: too many or too large messages.",
            "Refused: more than 8 requests are open.",
        }
        assert refused
        assert view.phase == "open"


async def test_an_app_gets_only_what_its_server_has_for_apps(tmp_path: Path) -> None:
    greedy, other = script("hostile_app", "--what", "greedy"), script("plain")
    async with looking(tmp_path, hostile=greedy, other=other) as person:
        view = await person.show("hostile:show")
        await person.browse("navigate", url=view.url)
        found = await person.reported()
        height = await person.browse("evaluate", function=SET_HEIGHT)
    assert found == {
        "early": "error -32600",
        "unknown": "error -32602",
        "other": "error -32602",
        "secret": "error -32602",
        "inner": "answered",
        "method": "error -32601",
        "link": "error -32602",
        "file": "error -32602",
        "resource": "error -32000",
        "mode": '{"mode":"fullscreen"}',
        "window": '{"mode":"fullscreen"}',  # there is none of its own
        "huge": "error -32000",
    }
    assert "4000px" in height
    assert set(person.called) == {"inner", "report"}
    assert "Log: hello" in view.notes
    assert "Refused: the server has no tool secret for apps." in view.notes
