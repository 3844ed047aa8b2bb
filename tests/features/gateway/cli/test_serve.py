"""`serve`: what another program gets of the app's servers, over stdio, in both eras."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import sys
from typing import TYPE_CHECKING, Any

import mcp_types as types
import psutil
import pytest

from desktop.base.tasks import spawn
from desktop.servers.sdk import MCPError
from tests.cli.terminal import entry
from tests.features.gateway.gateway_client import Person, over_stdio, texts, until
from tests.patience import LIMIT

if TYPE_CHECKING:
    from tests.cli.terminal import Terminal

ERAS = pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
FORM = {
    "message": "Who?",
    "requestedSchema": {"type": "object", "properties": {"name": {"type": "string"}}},
}
POEM = {
    "messages": [{"role": "user", "content": {"type": "text", "text": "a poem"}}],
    "maxTokens": 50,
}
CHANGED = "notifications/tools/list_changed"


def asks(method: str, params: dict[str, Any]) -> dict[str, Any]:
    return {"method": method, "params": params}


async def names(client: Any) -> list[str]:
    return [tool.name for tool in (await client.list_tools()).tools]


@ERAS
async def test_a_client_has_the_tools_of_all_servers_that_are_on(
    terminal: Terminal, mode: str
) -> None:
    off = entry("plain", enabled=False)
    terminal.configure(one=entry("plain"), two=entry("list_changes"), three=off)
    async with over_stdio(terminal, mode=mode) as client:
        offered = await names(client)
        assert "mcp__one__echo" in offered
        assert "mcp__two__add_tool" in offered
        assert not [name for name in offered if "three" in name]
        assert texts(await client.call_tool("mcp__one__echo", {"message": "hi"})) == "hi"


@ERAS
async def test_an_answer_comes_as_its_server_gave_it(terminal: Terminal, mode: str) -> None:
    terminal.configure(plain=entry("plain"))
    async with over_stdio(terminal, mode=mode) as client:
        resource = await client.call_tool("mcp__plain__resource", {})
        assert [block.type for block in resource.content] == ["resource", "resource_link"]
        link = resource.content[1]
        assert isinstance(link, types.ResourceLink)
        assert (link.name, link.size) == ("other", 3)
        structured = await client.call_tool("mcp__plain__structured", {})
        assert structured.structured_content["city"] == "Paris"
        failed = await client.call_tool("mcp__plain__fail", {"message": "no"})
        assert (failed.is_error, texts(failed)) == (True, "no")


async def test_wrong_arguments_are_not_sent_and_a_model_can_read_why(terminal: Terminal) -> None:
    terminal.configure(plain=entry("plain"))
    async with over_stdio(terminal) as client:
        result = await client.call_tool("mcp__plain__add", {"a": "x"})
        assert result.is_error
        assert "nothing was sent" in texts(result)
        assert "b: 'b' is required" in texts(result)
        with pytest.raises(MCPError, match=r"Unknown tool 'mcp__plain__ad'.*mcp__plain__add"):
            await client.call_tool("mcp__plain__ad", {})


async def test_a_tool_that_is_off_and_a_server_nobody_approved_are_not_offered(
    terminal: Terminal,
) -> None:
    terminal.configure(plain=entry("plain", disabledTools=["crash"]))
    terminal.run("servers")  # the first start: what is there now is approved
    servers = {
        "plain": entry("plain", disabledTools=["crash"]),
        "strange": entry("plain"),
    }
    terminal.config.write_text(json.dumps({"mcpServers": servers}), encoding="utf-8")
    async with over_stdio(terminal) as client:
        offered = await names(client)
        assert "mcp__plain__echo" in offered
        assert "mcp__plain__crash" not in offered
        assert not [name for name in offered if "strange" in name]
        with pytest.raises(MCPError, match="Unknown tool"):
            await client.call_tool("mcp__plain__crash", {})


@ERAS
async def test_progress_and_cancellation_are_passed_through(terminal: Terminal, mode: str) -> None:
    terminal.configure(plain=entry("plain"))
    seen: list[tuple[float, float | None, str | None]] = []

    async def follow(progress: float, total: float | None, message: str | None) -> None:
        seen.append((progress, total, message))

    async with over_stdio(terminal, mode=mode) as client:
        arguments = {"seconds": 0.2, "steps": 3}
        slow = await client.call_tool("mcp__plain__slow", arguments, progress_callback=follow)
        assert texts(slow) == "done after 3 steps"
        assert seen == [(n, 3, f"step {n} of 3") for n in (1, 2, 3)]

        begun = asyncio.Event()

        async def begin(progress: float, total: float | None, message: str | None) -> None:
            begun.set()

        arguments = {"seconds": 60, "steps": 600}
        call = spawn(
            client.call_tool("mcp__plain__slow", arguments, progress_callback=begin), "slow"
        )
        async with asyncio.timeout(LIMIT):
            await begun.wait()
        call.cancel()
        await until(lambda: "stopped" in terminal.server_log("plain"))
        assert texts(await client.call_tool("mcp__plain__echo", {"message": "on"})) == "on"


@ERAS
async def test_what_a_server_asks_reaches_the_client(terminal: Terminal, mode: str) -> None:
    terminal.configure(asks=entry("asks_client"))
    person = Person(answer=types.ElicitResult(action="accept", content={"name": "Ada"}))
    async with over_stdio(terminal, mode=mode, person=person) as client:
        form = await client.call_tool("mcp__asks__ask", asks("elicitation/create", FORM))
        assert json.loads(texts(form)) == [{"action": "accept", "content": {"name": "Ada"}}]
        poem = await client.call_tool("mcp__asks__ask", asks("sampling/createMessage", POEM))
        assert json.loads(texts(poem))[0]["content"] == {"type": "text", "text": "a poem"}
    assert [asked.method if hasattr(asked, "method") else type(asked) for asked in person.asked]
    assert person.asked[0].message == "Who?"
    assert person.asked[1].max_tokens == 50


@ERAS
async def test_a_client_that_cannot_be_asked_declines(terminal: Terminal, mode: str) -> None:
    terminal.configure(asks=entry("asks_client"))
    async with over_stdio(terminal, mode=mode) as client:
        form = await client.call_tool("mcp__asks__ask", asks("elicitation/create", FORM))
        assert json.loads(texts(form)) == [{"action": "decline"}]
        poem = await client.call_tool("mcp__asks__ask", asks("sampling/createMessage", POEM))
        assert "rejected" in json.loads(texts(poem))[0]["message"]


async def test_an_answer_that_does_not_fit_the_form_is_declined(terminal: Terminal) -> None:
    terminal.configure(asks=entry("asks_client"))
    person = Person(answer=types.ElicitResult(action="accept", content={"other": "Ada"}))
    async with over_stdio(terminal, person=person) as client:
        form = await client.call_tool("mcp__asks__ask", asks("elicitation/create", FORM))
        assert json.loads(texts(form)) == [{"action": "decline"}]


async def test_a_switch_that_moves_is_told_to_the_client(terminal: Terminal) -> None:
    def switch(*on: str) -> None:
        known = {"plain": "plain", "more": "list_changes", "offers": "offers"}
        terminal.configure(**{name: entry(known[name], enabled=name in on) for name in known})

    switch("plain")
    person = Person()
    async with over_stdio(terminal, person=person) as client:
        assert "mcp__more__add_tool" not in await names(client)
        switch("plain", "more")
        await person.until_told(CHANGED)
        assert "mcp__more__add_tool" in await names(client)
        person.told.clear()
        # The list of a server that changes by itself.
        await client.call_tool("mcp__more__add_tool", {"name": "fresh"})
        await person.until_told(CHANGED)
        assert (await client.list_resources()).resources == []
        assert (await client.list_prompts()).prompts == []
        person.told.clear()
        switch("plain", "more", "offers")
        await person.until_told("notifications/resources/list_changed")
        await person.until_told("notifications/prompts/list_changed")
        assert (await client.list_resources()).resources
        await names(client)
        person.told.clear()
        switch("more", "offers")
        await person.until_told(CHANGED)
        assert "mcp__plain__echo" not in await names(client)


async def test_a_client_is_offered_the_servers_that_the_config_names_for_it(
    terminal: Terminal,
) -> None:
    servers = {"one": entry("plain"), "two": entry("offers")}
    chosen: dict[str, Any] = {
        "cursor*": {"servers": ["two"]},
        "nothing": {"servers": []},
        "odd": {"servers": 1},
    }
    document: dict[str, Any] = {
        "mcpServers": servers,
        "mcpDesktop": {"gateway": {"clients": chosen}},
    }
    terminal.config.write_text(json.dumps(document), encoding="utf-8")
    async with over_stdio(terminal, name="Cursor-VSCode") as client:
        assert {name.split("__")[1] for name in await names(client)} == {"two"}
        with pytest.raises(MCPError, match="Unknown tool"):
            await client.call_tool("mcp__one__echo", {"message": "hi"})
        assert (await client.list_resources()).resources
    for name in ("nothing", "odd"):
        async with over_stdio(terminal, name=name) as client:
            assert await names(client) == []
            assert (await client.list_resources()).resources == []
            assert (await client.list_prompts()).prompts == []


@ERAS
async def test_resources_and_prompts_are_offered_too(terminal: Terminal, mode: str) -> None:
    terminal.configure(offers=entry("offers"), plain=entry("plain"))
    async with over_stdio(terminal, mode=mode) as client:
        resources = (await client.list_resources()).resources
        rich = next(each for each in resources if each.uri == "test://rich")
        assert rich.annotations is not None
        assert (rich.title, rich.size, rich.annotations.priority) == ("Rich", 6, 0.5)
        read = await client.read_resource("test://rich")
        assert read.contents[0].uri == "test://rich"
        templates = (await client.list_resource_templates()).resource_templates
        assert "test://item/{id}{?lang}" in [each.uri_template for each in templates]
        with pytest.raises(MCPError, match="offers, test://item/7"):  # its server has none
            await client.read_resource("test://item/7")
        with pytest.raises(MCPError, match="No server has the resource"):
            await client.read_resource("file:///etc/passwd")
        prompts = (await client.list_prompts()).prompts
        greet = next(each for each in prompts if each.name == "mcp__offers__greet")
        assert [argument.name for argument in greet.arguments or []] == ["who", "tone"]
        filled = await client.get_prompt("mcp__offers__greet", {"who": "Ada"})
        assert "Ada" in str(filled.messages)
        reference = types.PromptReference(name="mcp__offers__greet")
        assert await client.complete(reference, {"name": "who", "value": "A"})


async def test_what_a_client_called_is_in_the_history(terminal: Terminal) -> None:
    terminal.configure(plain=entry("plain"))
    async with over_stdio(terminal) as client:
        await client.call_tool("mcp__plain__echo", {"message": "from outside"})
    database = sqlite3.connect(terminal.folder / "data" / "history.sqlite3")
    try:
        text = "\n".join(database.iterdump())
    finally:
        database.close()
    assert "'client'" in text
    assert "from outside" in text


async def test_too_many_calls_at_a_time_are_refused_and_the_rest_goes_on(
    terminal: Terminal,
) -> None:
    terminal.configure(plain=entry("plain"), other=entry("plain"))
    async with over_stdio(terminal) as client:
        await client.list_tools()
        refused: list[str] = []
        enough = asyncio.Event()

        async def call() -> None:
            try:
                await client.call_tool("mcp__plain__slow", {"seconds": 300, "steps": 3000})
            except MCPError as error:
                refused.append(str(error))
                if len(refused) == 50:
                    enough.set()

        calls = [spawn(call(), "slow") for _ in range(300)]
        async with asyncio.timeout(LIMIT):
            await enough.wait()
        for each in calls:
            each.cancel()
        await asyncio.wait(calls)
        assert all("More than 250 requests are open" in words for words in refused)
        assert texts(await client.call_tool("mcp__other__echo", {"message": "on"})) == "on"


async def test_a_thousand_calls_in_a_row_are_all_answered(terminal: Terminal) -> None:
    terminal.configure(plain=entry("plain"))
    async with over_stdio(terminal) as client:
        await client.list_tools()
        for start in range(0, 1000, 200):
            given = [str(n) for n in range(start, start + 200)]
            calls = [client.call_tool("mcp__plain__echo", {"message": text}) for text in given]
            assert [texts(each) for each in await asyncio.gather(*calls)] == given


# --- the end --------------------------------------------------------------------------------------

INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "raw", "version": "1"},
    },
}
LIST = {"jsonrpc": "2.0", "id": 2, "method": "tools/list"}


def write(pipe: Any, *messages: object) -> None:
    for message in messages:
        pipe.write(json.dumps(message) + "\n")
    pipe.flush()


def test_messages_from_a_file_are_answered_into_a_file(terminal: Terminal) -> None:
    terminal.configure(plain=entry("plain"))
    lines = "\n".join(map(json.dumps, (INITIALIZE, {"not": "a message"}, LIST)))
    done = terminal.run("serve", stdin=lines, own_interpreter=True)
    answers = [json.loads(line) for line in done.out.splitlines()]
    assert done.code == 0
    assert answers[0]["result"]["serverInfo"]["name"] == "mcp-desktop"
    assert [answer["id"] for answer in answers] == [1, 2] or len(answers) == 1


@pytest.mark.parametrize("victim", ["gateway", "client"])
def test_nothing_is_left_where_the_client_or_the_gateway_is_killed(
    terminal: Terminal, victim: str
) -> None:
    """The client is a shell that has nothing but the gateway's pipes."""
    import subprocess

    from tests.cli.terminal import ROOT

    terminal.configure(plain=entry("plain"), child=entry("leaves_child"), deaf=entry("ignores_eof"))
    code = (
        "import subprocess, sys, time\n"
        f"gateway = subprocess.Popen([{sys.executable!r}, '-m', 'desktop', 'serve'],"
        " stdin=subprocess.PIPE, stdout=subprocess.PIPE)\n"
        "for line in sys.stdin.buffer:\n"
        "    gateway.stdin.write(line); gateway.stdin.flush()\n"
        "    sys.stdout.buffer.write(gateway.stdout.readline()); sys.stdout.flush()\n"
    )
    client = subprocess.Popen(
        [sys.executable, "-c", code],
        env=terminal.environment,
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
    )
    assert client.stdin is not None
    assert client.stdout is not None
    with client:
        write(client.stdin, INITIALIZE)
        assert "serverInfo" in client.stdout.readline()
        write(client.stdin, LIST)
        assert "mcp__plain__echo" in client.stdout.readline()
        below = psutil.Process(client.pid).children(recursive=True)
        gateway = psutil.Process(client.pid).children()[0]
        assert len(below) >= 5, below
        psutil.Process(client.pid if victim == "client" else gateway.pid).kill()
        # Nobody has taken note of the end of the gateway itself.
        others = [process for process in below if process != gateway or victim == "client"]
        _, left = psutil.wait_procs(others, timeout=LIMIT)
        client.kill()
    assert left == []


async def test_log_messages_are_passed_on_from_the_level_that_a_client_wants(
    terminal: Terminal,
) -> None:
    terminal.configure(offers=entry("offers"), other=entry("plain"))
    person = Person()
    async with over_stdio(terminal, person=person) as client:
        for level in ("info", "error"):
            await client.call_tool("mcp__offers__log", {"level": level, "number": 1})
        await until(lambda: person.logged)
        assert [(each.level, each.logger) for each in person.logged] == [("error", "offers/part")]
        await client.session.send_request(
            types.SetLevelRequest(params=types.SetLevelRequestParams(level="debug")),
            types.EmptyResult,
        )
        await client.call_tool("mcp__offers__log", {"level": "info", "number": 1})
        await until(lambda: len(person.logged) > 1)
        assert person.logged[1].data == "message 0"
