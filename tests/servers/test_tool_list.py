"""A list of tools is complete and in order whatever its pages are; one without end is cut.

A change of the tools is noticed in both generations of the protocol, and none is missed.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from tests.live_servers import connected, names, stdio, until
from tests.patience import LIMIT

if TYPE_CHECKING:
    from pathlib import Path

    from desktop.config.models import ServerConfig

ERAS = [
    pytest.param((), "legacy", id="legacy"),
    pytest.param(("--era", "modern"), "auto", id="modern"),
]


@pytest.mark.parametrize(("args", "era"), ERAS)
async def test_a_changed_list_is_read_again(args: tuple[str, ...], era: str) -> None:
    async with connected(stdio("list_changes", *args, era=era)) as connection:
        before = names(connection)
        await connection.call_tool("add_tool", {"name": "new"})
        await until(connection.tools_changed, lambda: names(connection) == [*before, "new"])
        await connection.call_tool("remove_tool", {"name": "echo"})
        await until(connection.tools_changed, lambda: "echo" not in names(connection))


@pytest.mark.parametrize(("args", "era"), ERAS)
async def test_many_changes_at_once_end_with_the_last_one(args: tuple[str, ...], era: str) -> None:
    async with connected(stdio("list_changes", *args, era=era)) as connection:
        calls = (connection.call_tool("add_tool", {"name": f"new_{n}"}) for n in range(20))
        await asyncio.gather(*calls)
        await until(connection.tools_changed, lambda: len(names(connection)) == 24)


async def test_a_server_that_does_not_acknowledge_who_listens_connects(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("desktop.servers.changes.LISTEN_LIMIT", 0.05)
    config = stdio("list_changes", "--era", "modern", "--listen", "mute", era="auto")
    async with connected(config) as connection:
        assert names(connection)[0] == "echo"


COUNT = 10_000
SERVER = f"""
import sys
sys.path.insert(0, {str(__file__).rpartition("/tests/")[0]!r})
from tests.servers.base import ECHO, Server

def pages(message):
    cursor = (message.get("params") or {{}}).get("cursor") or "0"
    return {{"tools": [ECHO.declaration], "nextCursor": NEXT(cursor)}}

server = Server("endless", [ECHO])
server.answers["tools/list"] = pages
"""
RICH: dict[str, Any] = {
    "name": "rich",
    "title": "Rich",
    "description": "Does things.",
    "inputSchema": {"type": "object", "x-own": [1]},
    "outputSchema": {"type": "object"},
    "annotations": {"readOnlyHint": True, "destructiveHint": False},
    "icons": [{"src": "data:,", "mimeType": "image/png"}],
    "_meta": {"version": "1.2", "author": "me", "tags": ["a", 1], "category": "c", "x/y": {}},
}


def written(body: str, folder: Path) -> ServerConfig:
    """A server that is `SERVER` with a few lines more."""
    script = folder / "written.py"
    script.write_text(f"{SERVER}{body}\nserver.serve()\n", "utf-8")
    config = stdio("plain", name="written")
    return config.changed(args=(*config.args[:2], str(script)))


@pytest.mark.parametrize("page", [0, 200, 100])
async def test_ten_thousand_tools_are_complete_and_in_order(page: int) -> None:
    config = stdio("many_tools", "--count", COUNT, "--bytes", 600, "--page", page)
    async with connected(config) as connection:
        assert names(connection) == [f"tool_{number:05}" for number in range(COUNT)]


@pytest.mark.parametrize(
    "rule",
    [
        "lambda cursor: 'again'",
        "lambda cursor: str(int(cursor) + 1)",
        "lambda cursor: {'0': 'a', 'a': 'b', 'b': 'a'}[cursor]",
    ],
    ids=["same", "new", "circle"],
)
async def test_a_list_without_an_end_keeps_what_was_read_and_says_so(
    rule: str, tmp_path: Path
) -> None:
    async with connected(written(f"NEXT = {rule}", tmp_path)) as connection:
        assert names(connection) == ["echo"]
        assert any("its pages do not end: " in text for text in connection.oddities)


@pytest.mark.parametrize(
    "page",
    ["server.refuse(message['id'], -32000, 'no')", "{'tools': 5}", "None"],
    ids=["refused", "odd", "never"],
)
async def test_a_later_page_that_is_wrong_costs_itself_alone(page: str, tmp_path: Path) -> None:
    body = f"""
def pages(message):
    if (message.get("params") or {{}}).get("cursor"):
        return {page}
    return {{"tools": [ECHO.declaration], "nextCursor": "2"}}
server.answers["tools/list"] = pages
"""
    config = written(body, tmp_path).changed(connect_timeout=5 if page == "None" else LIMIT)
    async with connected(config) as connection:
        assert names(connection) == ["echo"]
        assert any(text.startswith("tools/list: ") for text in connection.oddities)


@pytest.mark.parametrize("others", [2, 600], ids=["short list", "long list"])
@pytest.mark.parametrize("levels", [300, 500, 20_000])
async def test_a_schema_that_is_too_deep_costs_no_other_tool(
    levels: int, others: int, tmp_path: Path
) -> None:
    body = f"""
import json
deep = '{{"type": "object", "properties": {{"a": ' * {levels} + "true" + "}}}}" * {levels}
plain = json.dumps({{"description": "d" * 300, "inputSchema": {{"type": "object"}}}})
tools = [plain.replace("{{", '{{"name": "t%d", ' % n, 1) for n in range({others})]
tools.insert({others} // 2, '{{"name": "deep", "inputSchema": %s}}' % deep)
def listed(message):
    start = '{{"jsonrpc": "2.0", "id": %s, "result": {{"tools": [' % message["id"]
    server.send_bytes((start + ",".join(tools) + "]}}}}").encode())
server.answers["tools/list"] = listed
"""
    async with connected(written(body, tmp_path)) as connection:
        assert len(names(connection)) == others + 1
        result = await connection.call_tool("t0", {})
        is_cut = any("is read as anything" in text for text in connection.oddities)
    assert result.error is not None  # it has no such tool, but it is still there
    assert is_cut == (levels > 300)


async def test_a_tool_that_breaks_the_protocol_is_listed_with_what_is_wrong() -> None:
    async with connected(stdio("wrong_result", "--list", "bad")) as connection:
        assert connection.is_connected
        assert {tool.name: (tool.problems, tool.input_schema) for tool in connection.tools} == {
            "no_schema": (("inputSchema is missing",), {}),
            "schema_is_text": (("inputSchema is not an object",), {}),
        }
        said = "tools/list: tool 3 cannot be called: name is not a string"
        assert connection.oddities == (said,)
        assert f"[mcp-desktop] {said}" in connection.output.lines
        assert (await connection.call_tool("no_schema", {})).error is not None


async def test_everything_a_tool_declares_is_kept(tmp_path: Path) -> None:
    body = f"server.answers['tools/list'] = lambda _: {{'tools': [{RICH!r}]}}"
    async with connected(written(body, tmp_path)) as connection:
        (tool,) = connection.tools
    assert (tool.key, tool.label, tool.description) == ("written:rich", "Rich", "Does things.")
    assert tool.input_schema == RICH["inputSchema"]
    assert tool.output_schema == {"type": "object"}
    assert (tool.annotations.read_only, tool.annotations.destructive) == (True, False)
    assert tool.annotations.idempotent is None
    assert tool.icons == ({"src": "data:,", "mimeType": "image/png"},)
    assert (tool.metadata.version, tool.metadata.author) == ("1.2", "me")
    assert tool.metadata.tags == ("a", "1")
    assert tool.category == "c"
    assert tool.metadata.raw == RICH["_meta"]


@pytest.mark.parametrize(
    ("last", "told"),
    [
        ("raise ValueError('the database is locked')", "exited with code 1: ValueError: the data"),
        ("print('no licence left', file=sys.stderr); sys.exit(3)", "exited with code 3: no licen"),
        ("sys.exit(4)", "exited with code 4. The call was interrupted"),
        (
            "print('closed', file=sys.stderr); os.close(1); sys.exit(5)",
            "exited with code 5: closed",
        ),
    ],
)
async def test_a_server_that_dies_in_a_call_is_told_with_its_last_words(
    last: str, told: str, tmp_path: Path
) -> None:
    body = f"""
import os
def die(message):
    {last}
server.answers |= {{"tools/call": die, "tools/list": server.list_tools}}
"""
    async with connected(written(body, tmp_path)) as connection:
        result = await connection.call_tool("echo", {})
    assert result.error is not None
    assert told in result.error.message
    assert "may have had effects" in result.error.message
