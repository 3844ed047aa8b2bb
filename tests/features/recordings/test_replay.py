"""`--record`, `replay` and `compare`: what a server said once, served and held against now."""

from __future__ import annotations

import json
import sys
import time
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import pytest
from mcp import StdioServerParameters

from desktop.servers.sdk import Client, MCPError
from tests.cli.terminal import ROOT, entry
from tests.features.gateway.cli.test_serve import ERAS, names
from tests.features.gateway.gateway_client import options, over_stdio, texts

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator
    from pathlib import Path

    from tests.cli.terminal import Terminal

TOKEN = "s3cr3t-t0ken"


@asynccontextmanager
async def replaying(
    terminal: Terminal, file: Path, *args: str, mode: str = "legacy"
) -> AsyncGenerator[Client]:
    program, *words = terminal.started_by_others("replay", str(file), *args)
    started = StdioServerParameters(command=program, args=words, env=terminal.environment, cwd=ROOT)
    async with Client(started, **options(None, "test-client", mode)) as client:
        yield client


@pytest.fixture
async def recorded(terminal: Terminal, tmp_path: Path) -> Path:
    """A session with two servers, one of which was given a secret."""
    file = tmp_path / "made" / "session.jsonl"
    plain = entry("plain", env={"API_TOKEN": TOKEN})
    terminal.configure(plain=plain, offers=entry("offers"))
    async with over_stdio(terminal, "--record", str(file)) as client:
        await client.list_tools()
        await client.call_tool("mcp__plain__echo", {"message": "hi"})
        await client.call_tool("mcp__plain__env", {"names": ["API_TOKEN"]})
        await client.call_tool("mcp__plain__echo", {"message": f"it is {TOKEN}!"})
        await client.call_tool("mcp__plain__fail", {"message": "no"})
        await client.call_tool("mcp__plain__big", {"bytes": 200_000})
        await client.call_tool("mcp__plain__slow", {"seconds": 0.5, "steps": 1})
        await client.list_resources()
        await client.read_resource("test://rich")
        await client.list_prompts()
        await client.get_prompt("mcp__offers__greet", {"who": "Ada"})
    return file


def read(file: Path) -> str:
    return file.read_text("utf-8")


def write(file: Path, text: str) -> None:
    file.write_text(text, encoding="utf-8")


def lines(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()]


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX modes")
def test_a_recording_is_for_its_owner_alone(recorded: Path) -> None:
    assert recorded.stat().st_mode & 0o077 == 0


def test_a_recording_is_lines_of_json_without_secrets(recorded: Path) -> None:
    first, *messages, last = lines(recorded)
    assert first["mcp-desktop recording"] == 1
    assert last["end"] == len(messages)
    assert {message["server"] for message in messages} == {"plain", "offers"}
    assert TOKEN not in recorded.read_text("utf-8")


@ERAS
async def test_a_replay_answers_as_it_was_answered_and_starts_no_server(
    terminal: Terminal, recorded: Path, mode: str
) -> None:
    terminal.config.unlink()
    async with replaying(terminal, recorded, mode=mode) as client:
        assert "mcp__plain__echo" in await names(client)
        assert texts(await client.call_tool("mcp__plain__echo", {"message": "hi"})) == "hi"
        failed = await client.call_tool("mcp__plain__fail", {"message": "no"})
        assert (failed.is_error, texts(failed)) == (True, "no")
        big = await client.call_tool("mcp__plain__big", {"bytes": 200_000})
        assert len(texts(big)) == 200_000
        # Any text fits where a secret was.
        other = await client.call_tool("mcp__plain__echo", {"message": "it is mine!"})
        assert texts(other) == "it is ‹redacted›!"
        assert (await client.list_resources()).resources
        assert (await client.read_resource("test://rich")).contents
        assert (await client.list_prompts()).prompts[0].name == "mcp__offers__greet"
        filled = await client.get_prompt("mcp__offers__greet", {"who": "Ada"})
        assert "Ada" in str(filled.messages)


async def test_what_was_never_recorded_is_an_error_that_says_so(
    terminal: Terminal, recorded: Path
) -> None:
    async with replaying(terminal, recorded) as client:
        await names(client)
        never = "no call with these arguments; it has 2 with others. The nearest differs in"
        said = {"message": {"message": "other"}, "more": {"message": "hi", "more": 1}}
        for differs, arguments in {**said, "message.": {}}.items():
            with pytest.raises(MCPError, match=f"{never} {differs}"):
                await client.call_tool("mcp__plain__echo", arguments)
        with pytest.raises(MCPError, match="has no tool 'mcp__plain__none'"):
            await client.call_tool("mcp__plain__none", {})
        with pytest.raises(MCPError, match="has no read of test://blob"):
            await client.read_resource("test://blob")
        assert texts(await client.call_tool("mcp__plain__echo", {"message": "hi"})) == "hi"


async def test_equal_requests_are_answered_in_their_order(
    terminal: Terminal, tmp_path: Path
) -> None:
    file = tmp_path / "session.jsonl"
    terminal.configure(plain=entry("plain"))
    async with over_stdio(terminal, "--record", str(file)) as client:
        for _ in range(2):
            await client.call_tool("mcp__plain__echo", {"message": "hi"})
    *before, last, end = read(file).splitlines(keepends=True)
    write(file, "".join([*before, last.replace('"text": "hi"', '"text": "ho"'), end]))
    async with replaying(terminal, file, "--server", "plain") as client:
        got = [texts(await client.call_tool("echo", {"message": "hi"})) for _ in range(3)]
    assert got == ["hi", "ho", "ho"]


async def test_delays_are_kept_where_they_are_wanted(terminal: Terminal, recorded: Path) -> None:
    arguments = {"seconds": 0.5, "steps": 1}
    async with replaying(terminal, recorded, "--delays") as client:
        began = time.monotonic()
        await client.call_tool("mcp__plain__slow", arguments)
        assert time.monotonic() - began >= 0.5


def test_a_file_that_is_no_recording_is_refused(terminal: Terminal, tmp_path: Path) -> None:
    file = tmp_path / "file"
    refused = {
        "": "is no recording of mcp-desktop",
        '{"a": 1}\n': "is no recording of mcp-desktop",
        '{"mcp-desktop recording": 2}\n': "is a recording of format 2; this version reads 1",
        '{"mcp-desktop recording": 1}\n': "has no server",
        "[" * 100_000: "is no recording of mcp-desktop",
    }
    for text, words in refused.items():
        file.write_text(text, encoding="utf-8")
        done = terminal.run("replay", str(file))
        assert done.code == 2
        assert words in done.err
    assert "cannot be read" in terminal.run("replay", str(tmp_path)).err


async def test_a_recording_that_was_cut_or_edited_is_said(
    terminal: Terminal, recorded: Path
) -> None:
    text = read(recorded)
    write(recorded, text.replace('"hi"', '"ho"'))
    assert "was edited after it was recorded" in terminal.run("replay", str(recorded)).err
    async with replaying(terminal, recorded) as client:
        assert texts(await client.call_tool("mcp__plain__echo", {"message": "ho"})) == "ho"
    at = text.index('"message": "no"')
    write(recorded, text[:at])
    assert "was cut off" in terminal.run("replay", str(recorded)).err
    async with replaying(terminal, recorded) as client:
        assert texts(await client.call_tool("mcp__plain__echo", {"message": "hi"})) == "hi"
        with pytest.raises(MCPError, match="no call with these"):
            await client.call_tool("mcp__plain__fail", {"message": "no"})
    write(recorded, text[:at] + text[at + 50 :])
    done = terminal.run("replay", str(recorded))
    assert done.code == 2
    assert "is no message; the file was cut or edited there" in done.err


def test_a_call_and_saved_calls_are_recorded_too(terminal: Terminal, tmp_path: Path) -> None:
    terminal.configure(plain=entry("plain"))
    file = tmp_path / "call.jsonl"
    done = terminal.run("call", "plain:add", "a=1", "b=2", "--record", str(file))
    assert (done.code, done.out) == (0, "3\n")
    assert lines(file)[-2]["method"] == "tools/call"
    calls = tmp_path / "calls.json"
    saved = {"calls": [{"name": "add", "tool": "plain:add", "arguments": {"a": 1, "b": 2}}]}
    calls.write_text(json.dumps(saved), encoding="utf-8")
    assert terminal.run("test", str(calls), "--record", str(file)).code == 0
    assert lines(file)[-2]["method"] == "tools/call"
    refused = terminal.run("call", "plain:add", "a=1", "b=2", "--record", str(tmp_path))
    assert refused.code == 2
    assert "cannot be written" in refused.err


# --- compare --------------------------------------------------------------------------------------


def test_a_server_is_held_against_its_recording(terminal: Terminal, recorded: Path) -> None:
    same = terminal.run("compare", f"{recorded}#plain", "plain")
    assert (same.code, same.out) == (0, "The tools are the same.\n")
    gone = terminal.run("compare", f"{recorded}#plain", "offers", "--json")
    assert gone.code == 1
    assert gone.document["breaking"] is True
    assert "echo" in gone.document["removed"]
    unclear = terminal.run("compare", str(recorded), "plain")
    assert unclear.code == 2
    assert f"{recorded}#plain" in unclear.err
    assert terminal.run("compare", "plain", "none").code == 2


def test_a_changed_argument_is_named_and_judged(terminal: Terminal, recorded: Path) -> None:
    text = recorded.read_text("utf-8")
    wider = recorded.with_name("wider.jsonl")
    number, either = '"a": {"type": "number"}', '"a": {"type": ["number", "string"]}'
    assert number in text
    wider.write_text(text.replace(number, either), encoding="utf-8")
    done = terminal.run("compare", f"{recorded}#plain", f"{wider}#plain")
    assert done.code == 0
    assert 'a: type changed from "number" to ["number", "string"]\n' in done.out
    back = terminal.run("compare", f"{wider}#plain", f"{recorded}#plain", "--json")
    assert back.code == 1
    change = {
        "where": "a",
        "change": 'type changed from ["number", "string"] to "number"',
        "breaking": True,
    }
    assert back.document["changed"] == {"add": [change]}
