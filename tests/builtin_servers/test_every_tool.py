"""Each tool of each built-in server through the official client, in both eras.

The client checks structured content against the tool's output schema by itself.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING, Any

import jsonschema
import pytest
from mcp import Client, StdioServerParameters
from mcp.types import Implementation, TextContent

from builtin_servers.catalog import CATALOG
from tests.builtin_command import InProcess, builtin
from tests.builtin_servers.web.site import running

if TYPE_CHECKING:
    from pathlib import Path

MODES = ["legacy", "auto", "2026-07-28"]
Calls = list[tuple[str, dict[str, Any], str]]
"""Tool, arguments, and a piece of the text that is to come."""
ENTITY = {"name": "Ada", "entityType": "person", "observations": ["programs"]}
OTHER: dict[str, Any] = {"name": "Engine", "entityType": "machine", "observations": []}
RELATION = {"from": "Ada", "to": "Engine", "relationType": "programs"}
FILES: Calls = [
    ("list_allowed_directories", {}, "/"),
    ("create_directory", {"path": "d"}, "Made"),
    ("write_file", {"path": "d/f", "content": "one\ntwo\n"}, "Wrote"),
    ("read_text_file", {"path": "d/f", "tail": 1}, "two"),
    ("read_file", {"path": "d/f", "head": 0, "tail": 0}, "one\ntwo"),
    ("read_multiple_files", {"paths": ["d/f"]}, "one"),
    ("edit_file", {"path": "d/f", "edits": [{"oldText": "two", "newText": "2"}]}, "+2"),
    ("copy_file", {"source": "d/f", "destination": "d/g"}, "Copied"),
    ("move_file", {"source": "d/g", "destination": "h"}, "Moved"),
    ("list_directory", {"path": "."}, "[DIR] d"),
    ("list_directory_with_sizes", {"path": "d", "sortBy": "size"}, "Total: 1 files, 0 directories"),
    ("directory_tree", {"path": "."}, '"children"'),
    ("search_files", {"path": ".", "pattern": "**/f"}, "/d/f"),
    ("search_content", {"path": ".", "pattern": "ONE", "contextLines": 1}, "d/f:1: one"),
    ("get_file_info", {"path": "h"}, "type: file"),
]
MEMORY: Calls = [
    ("create_entities", {"entities": [ENTITY, OTHER]}, "Ada"),
    ("create_relations", {"relations": [RELATION]}, "programs"),
    ("add_observations", {"observations": [{"entityName": "Ada", "contents": ["x"]}]}, "x"),
    ("add_note", {"text": "a note"}, "a note"),
    ("read_graph", {}, "Engine"),
    ("search_nodes", {"query": "mach"}, "Engine"),
    ("open_nodes", {"names": ["Ada"]}, "person"),
    ("delete_observations", {"deletions": [{"entityName": "Ada", "observations": ["x"]}]}, "1"),
    ("delete_relations", {"relations": [RELATION]}, "1 deleted"),
    ("delete_entities", {"entityNames": ["Ada"]}, "1 deleted"),
]
SQLITE: Calls = [
    ("write_query", {"query": "INSERT INTO t VALUES (?)", "parameters": ["x"]}, "1 rows"),
    ("create_table", {"query": "CREATE TABLE u (b INTEGER)"}, "Table created"),
    ("list_tables", {}, "t (table)"),
    ("describe_table", {"table_name": "t"}, "TEXT"),
    ("read_query", {"query": "SELECT * FROM t WHERE a = :a", "parameters": {"a": "x"}}, "x"),
]
SHELL: Calls = [("run_command", {"command": "echo hello; exit 2"}, "[Exit code 2]")]


@pytest.fixture
def arguments(tmp_path: Path) -> dict[str, list[object]]:
    """What each server is started with."""
    with closing(sqlite3.connect(tmp_path / "a.db")) as connection, connection:
        connection.execute("CREATE TABLE t (a TEXT)")
    (tmp_path / "files").mkdir()
    return {
        "filesystem": [tmp_path / "files"],
        "memory": ["--file", tmp_path / "memory.db"],
        "sqlite": ["--write", tmp_path / "a.db"],
        "fetch": ["--allow-private"],
    }


def connect(name: str, mode: str, given: list[object]) -> Client:
    command, args = builtin(name, *given)
    return Client(
        StdioServerParameters(command=command, args=args),
        mode=mode,
        read_timeout_seconds=15,
        client_info=Implementation(name="tests", version="1"),
    )


async def call_all(client: Client, calls: Calls) -> None:
    for tool, arguments, piece in calls:
        result = await client.call_tool(tool, arguments)
        block = result.content[0]
        assert isinstance(block, TextContent)
        assert not result.is_error, block.text
        assert piece in block.text


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    ("name", "calls"),
    [("filesystem", FILES), ("memory", MEMORY), ("sqlite", SQLITE), ("shell", SHELL)],
    ids=["filesystem", "memory", "sqlite", "shell"],
)
async def test_every_tool_answers_what_it_declares(
    name: str, calls: Calls, mode: str, arguments: dict[str, list[object]]
) -> None:
    async with connect(name, mode, arguments.get(name, [])) as client:
        tools = (await client.list_tools()).tools
        media = {"read_media_file"} if name == "filesystem" else set[str]()
        assert {tool.name for tool in tools} == {tool for tool, _, _ in calls} | media
        await call_all(client, calls)


@pytest.mark.parametrize("mode", MODES)
async def test_media_reach_the_client(
    mode: str, tmp_path: Path, arguments: dict[str, list[object]]
) -> None:
    (tmp_path / "files" / "p.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    (tmp_path / "files" / "s.wav").write_bytes(b"RIFF1234WAVE")
    (tmp_path / "files" / "b").write_bytes(b"\0")
    async with connect("filesystem", mode, arguments["filesystem"]) as client:
        kinds = [
            (await client.call_tool("read_media_file", {"path": path})).content[0].type
            for path in ("p.png", "s.wav", "b")
        ]
    assert kinds == ["image", "audio", "resource"]


@pytest.mark.parametrize("mode", MODES)
async def test_a_page_reaches_the_client(mode: str) -> None:
    with running() as site:
        site.say("/", "<h1>Hi</h1>", Content_Type="text/html")
        async with connect("fetch", mode, ["--allow-private"]) as client:
            await call_all(client, [("fetch", {"url": site.url("/", "127.0.0.1")}, "# Hi")])


@pytest.mark.parametrize("name", list(CATALOG))
def test_every_declaration_is_whole(name: str, arguments: dict[str, list[object]]) -> None:
    server = InProcess(name, *arguments.get(name, [])).server
    for tool in server.tools.values():
        jsonschema.Draft202012Validator.check_schema(tool.input_schema)
        jsonschema.Draft202012Validator.check_schema(tool.output_schema or {})
        assert tool.title
        assert tool.description
        assert tool.annotations is not None
        assert tool.annotations["readOnlyHint"] in (True, False)
        for field in tool.input_schema["properties"].values():
            assert field["description"]
        assert all(icon["src"].startswith("data:") for icon in tool.icons)
