"""Built-in servers beside the reference servers of the same name.

`python -m tests.builtin_servers.compare_references [--sqlite PROGRAM] [--full]` prints a row a tool
and a row a call: the same arguments to both, and how theirs and ours differ. The references are
those of `make peers`; mcp-server-sqlite, which is not among them, is named by its program. Not a
test: what differs on purpose stands in docs/built-in-servers.md.
"""

from __future__ import annotations

import argparse
import asyncio
import http.server
import json
import re
import sqlite3
import tempfile
import threading
from collections import Counter
from contextlib import AsyncExitStack, asynccontextmanager, closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from mcp import Client, MCPError, StdioServerParameters

from tests import peers
from tests.builtin_command import builtin

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Generator

    from mcp.types import Tool

Arguments = dict[str, Any]
LIMIT = 30.0
WIDTH = 70
ENTITY = {"name": "Ada", "entityType": "person", "observations": ["programs"]}
ENGINE: Arguments = {"name": "Engine", "entityType": "machine", "observations": []}
RELATION = {"from": "Ada", "to": "Engine", "relationType": "programs"}
EDIT = {"oldText": "two", "newText": "2"}
FILES: list[tuple[str, Arguments]] = [
    ("list_allowed_directories", {}),
    ("read_file", {"path": "$/a.txt"}),
    ("read_text_file", {"path": "$/a.txt"}),
    ("read_text_file", {"path": "$/a.txt", "head": 1}),
    ("read_text_file", {"path": "$/a.txt", "tail": 2}),
    ("read_text_file", {"path": "$/a.txt", "head": 1, "tail": 1}),
    ("read_text_file", {"path": "$/missing.txt"}),
    ("read_text_file", {"path": "$/../outside.txt"}),
    ("read_text_file", {}),
    ("read_media_file", {"path": "$/pixel.png"}),
    ("read_media_file", {"path": "$/sound.wav"}),
    ("read_media_file", {"path": "$/a.txt"}),
    ("read_multiple_files", {"paths": ["$/a.txt", "$/missing.txt", "$/d/b.txt"]}),
    ("list_directory", {"path": "$"}),
    ("list_directory_with_sizes", {"path": "$"}),
    ("list_directory_with_sizes", {"path": "$", "sortBy": "size"}),
    ("directory_tree", {"path": "$"}),
    ("directory_tree", {"path": "$", "excludePatterns": ["*.txt"]}),
    ("search_files", {"path": "$", "pattern": "*.txt"}),
    ("search_files", {"path": "$", "pattern": "**/*.txt"}),
    ("search_files", {"path": "$", "pattern": "**/*.txt", "excludePatterns": ["d/**"]}),
    ("search_files", {"path": "$", "pattern": "nothing"}),
    ("get_file_info", {"path": "$/a.txt"}),
    ("edit_file", {"path": "$/a.txt", "edits": [EDIT], "dryRun": True}),
    ("edit_file", {"path": "$/a.txt", "edits": [EDIT]}),
    ("edit_file", {"path": "$/a.txt", "edits": [{"oldText": "nowhere", "newText": ""}]}),
    ("write_file", {"path": "$/new.txt", "content": "new"}),
    ("write_file", {"path": "$/no/where.txt", "content": "new"}),
    ("create_directory", {"path": "$/e/f"}),
    ("create_directory", {"path": "$/e/f"}),
    ("move_file", {"source": "$/new.txt", "destination": "$/e/moved.txt"}),
    ("move_file", {"source": "$/e/moved.txt", "destination": "$/a.txt"}),
]
MEMORY: list[tuple[str, Arguments]] = [
    ("read_graph", {}),
    ("create_entities", {"entities": [ENTITY, ENGINE]}),
    ("create_entities", {"entities": [ENTITY]}),
    ("create_relations", {"relations": [RELATION]}),
    ("create_relations", {"relations": [RELATION, RELATION | {"to": "Nobody"}]}),
    ("add_observations", {"observations": [{"entityName": "Ada", "contents": ["x", "programs"]}]}),
    ("add_observations", {"observations": [{"entityName": "Nobody", "contents": ["x"]}]}),
    ("read_graph", {}),
    ("search_nodes", {"query": "mach"}),
    ("search_nodes", {"query": "nothing"}),
    ("open_nodes", {"names": ["Ada", "Nobody"]}),
    ("open_nodes", {"names": ["Ada", "Engine"]}),
    ("delete_observations", {"deletions": [{"entityName": "Ada", "observations": ["x"]}]}),
    ("delete_observations", {"deletions": [{"entityName": "Nobody", "observations": ["x"]}]}),
    ("delete_relations", {"relations": [RELATION]}),
    ("delete_entities", {"entityNames": ["Ada", "Nobody"]}),
    ("read_graph", {}),
]
ZONES = {"source_timezone": "Asia/Kolkata", "target_timezone": "America/New_York"}
TIME: list[tuple[str, Arguments]] = [
    ("get_current_time", {"timezone": "Europe/Paris"}),
    ("get_current_time", {"timezone": "Mars/Olympus"}),
    ("convert_time", ZONES | {"time": "16:30"}),
    ("convert_time", ZONES | {"time": "4 pm"}),
    ("convert_time", ZONES | {"time": "25:00"}),
    ("convert_time", {"time": "16:30"}),
]
FETCH: list[tuple[str, Arguments]] = [
    ("fetch", {"url": "@/page", "raw": True}),
    ("fetch", {"url": "@/page", "raw": True, "max_length": 20}),
    ("fetch", {"url": "@/page", "raw": True, "max_length": 20, "start_index": 20}),
    ("fetch", {"url": "@/page", "raw": True, "start_index": 9999}),
    ("fetch", {"url": "@/page"}),
    ("fetch", {"url": "@/json"}),
    ("fetch", {"url": "@/missing"}),
    ("fetch", {"url": "@/private/page"}),
    ("fetch", {"url": "nothing"}),
    ("fetch", {"url": "@/page", "max_length": 0}),
]
SQLITE: list[tuple[str, Arguments]] = [
    ("list_tables", {}),
    ("describe_table", {"table_name": "t"}),
    ("describe_table", {"table_name": "nothing"}),
    ("read_query", {"query": "SELECT * FROM t"}),
    ("read_query", {"query": "SELECT * FROM t WHERE a = 'nothing'"}),
    ("read_query", {"query": "DELETE FROM t"}),
    ("read_query", {"query": "SELECT nothing"}),
    ("write_query", {"query": "INSERT INTO t VALUES ('y', 2)"}),
    ("write_query", {"query": "SELECT 1"}),
    ("create_table", {"query": "CREATE TABLE u (b INTEGER)"}),
    ("create_table", {"query": "DROP TABLE t"}),
    ("list_tables", {}),
]


class Pair(NamedTuple):
    """A server of both: their command in a folder, our arguments, and what is called.

    `$` stands for the folder, `@` for the address of the site.
    """

    theirs: Callable[[Path], list[str]]
    ours: tuple[str, ...]
    calls: list[tuple[str, Arguments]]


def pairs(sqlite: str) -> dict[str, Pair]:
    """The servers that both have; `sqlite` is the program of theirs, or empty to leave it out."""

    def their_memory(folder: Path) -> list[str]:
        return ["env", f"MEMORY_FILE_PATH={folder}/memory.jsonl", *peers.memory_command()]

    def their_time(_: Path) -> list[str]:
        return peers.time_command("Europe/Paris")

    def their_fetch(_: Path) -> list[str]:
        return peers.fetch_command()

    def their_sqlite(folder: Path) -> list[str]:
        return [sqlite, "--db-path", str(folder / "a.db")]

    found = {
        "filesystem": Pair(peers.filesystem_command, ("$",), FILES),
        "memory": Pair(their_memory, ("--file", "$/memory.db"), MEMORY),
        "time": Pair(their_time, ("--local-timezone", "Europe/Paris"), TIME),
        "fetch": Pair(their_fetch, ("--allow-private",), FETCH),
    }
    return found | ({"sqlite": Pair(their_sqlite, ("--write", "$/a.db"), SQLITE)} if sqlite else {})


class Answer(NamedTuple):
    """What a call came to, with the folder and what the clock says replaced."""

    is_error: bool
    kinds: tuple[str, ...]
    text: str
    structured: str

    def __str__(self) -> str:
        words = " ".join(self.text.split())
        return f"{'error: ' if self.is_error else ''}{words}"[:WIDTH] or ",".join(self.kinds)


def how_they_differ(theirs: Answer, ours: Answer) -> list[str]:
    """Nothing where a program that reads both sees the same."""
    parts = {
        "error or not": theirs.is_error != ours.is_error,
        "kinds of content": theirs.kinds != ours.kinds,
        "words": theirs.text != ours.text and (theirs.is_error and ours.is_error),
        "text": theirs.text != ours.text and not (theirs.is_error and ours.is_error),
        "structured content": theirs.structured != ours.structured,
    }
    return [part for part, differs in parts.items() if differs]


def parameters(tool: Tool) -> str:
    """The names, those that are required first."""
    schema = tool.input_schema
    required = schema.get("required", [])
    optional = [name for name in schema.get("properties", {}) if name not in required]
    return " ".join([*sorted(required), *(f"[{name}]" for name in sorted(optional))]) or "-"


async def call(client: Client, tool: str, arguments: Arguments, *places: tuple[str, str]) -> Answer:
    """Call the tool with the places filled in; taken out again of what it answers."""
    text = json.dumps(arguments)
    for short, place in places:
        text = text.replace(short, place)
    try:
        result = await client.call_tool(tool, json.loads(text))
    except MCPError as error:
        return Answer(True, (), error.message, "")

    def plain(said: str) -> str:
        for short, place in places:
            said = said.replace(place, short)
        return re.sub(r"\d\d:\d\d:\d\d[.\d]*", "hh:mm:ss", said)

    texts = [_without_layout(getattr(block, "text", "")) for block in result.content]
    kinds = tuple(block.type for block in result.content)
    structured = json.dumps(result.structured_content, sort_keys=True)
    return Answer(bool(result.is_error), kinds, plain("\n".join(texts)), plain(structured))


def _without_layout(text: str) -> str:
    """JSON on one line, so that only what it says is compared."""
    try:
        return json.dumps(json.loads(text))
    except ValueError:
        return text


@contextmanager
def site() -> Generator[str]:
    """A loopback site of one page, one JSON document and a robots.txt."""
    page = "<html><head><title>A page</title></head><body><h1>Head</h1><p>One <b>two</b>.</p>"
    documents = {
        "/page": ("text/html", f"{page}</body></html>"),
        "/private/page": ("text/html", page),
        "/json": ("application/json", '{"a": [1, 2]}'),
        "/robots.txt": ("text/plain", "User-agent: *\nDisallow: /private\n"),
    }

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            kind, text = documents.get(self.path, ("text/plain", "no such page"))
            self.send_response(200 if self.path in documents else 404)
            self.send_header("Content-Type", kind)
            self.end_headers()
            self.wfile.write(text.encode())

        def log_message(self, format: str, *args: object) -> None:
            """Nothing: the output is the table."""

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}"
        finally:
            server.shutdown()
            thread.join()


def fill(folder: Path) -> Path:
    """What the servers find, the same for both."""
    files = folder / "files"
    (files / "d").mkdir(parents=True)
    (files / "a.txt").write_text("one\ntwo\nthree\n", encoding="utf-8")
    (files / "d" / "b.txt").write_text("below", encoding="utf-8")
    (files / "pixel.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    (files / "sound.wav").write_bytes(b"RIFF\x24\0\0\0WAVEfmt ")
    (folder / "outside.txt").write_text("outside", encoding="utf-8")
    with closing(sqlite3.connect(files / "a.db")) as connection, connection:
        connection.execute("CREATE TABLE t (a TEXT NOT NULL, n INTEGER PRIMARY KEY)")
        connection.execute("INSERT INTO t VALUES ('x', 1)")
    return files


@asynccontextmanager
async def connected(command: list[str], folder: Path) -> AsyncGenerator[Client]:
    parameters = StdioServerParameters(command=command[0], args=command[1:], cwd=folder)
    async with Client(parameters, mode="legacy", read_timeout_seconds=LIMIT) as client:
        yield client


def row(*cells: str) -> None:
    print("| " + " | ".join(cell.replace("|", "/") for cell in cells) + " |", flush=True)


async def compare(name: str, pair: Pair, url: str, *, full: bool) -> Counter[str]:
    """Print the rows of one server; returns how many calls differ in what."""
    different: Counter[str] = Counter()
    async with AsyncExitStack() as stack:
        folders = [fill(Path(stack.enter_context(tempfile.TemporaryDirectory()))) for _ in "ab"]
        program, arguments = builtin(
            name, *(word.replace("$", str(folders[1])) for word in pair.ours)
        )
        commands = (pair.theirs(folders[0]), [program, *arguments])
        clients = [
            await stack.enter_async_context(connected(command, folder))
            for command, folder in zip(commands, folders, strict=True)
        ]
        tools = [{tool.name: tool for tool in (await one.list_tools()).tools} for one in clients]
        for tool in sorted({*tools[0], *tools[1]}):
            both = [parameters(own[tool]) if tool in own else "none" for own in tools]
            row(f"{name}:{tool}", *both, "" if both[0] == both[1] else "parameters")
        for tool, given in pair.calls:
            answers = [
                await call(client, tool, given, ("$", str(folder)), ("@", url))
                for client, folder in zip(clients, folders, strict=True)
            ]
            differs = how_they_differ(*answers)
            different.update(differs or ["nothing"])
            row(f"{tool} {json.dumps(given)}"[:WIDTH], *map(str, answers), ", ".join(differs))
            if full and differs:
                print(*(f"{answer.text}\n{answer.structured}" for answer in answers), sep="\n---\n")
    return different


async def main(sqlite: str, *, full: bool) -> None:
    row("tool or call", "theirs", "ours", "differs how")
    row(*["---"] * 4)
    counts: list[str] = []
    with site() as url:
        for name, pair in pairs(sqlite).items():
            different = await compare(name, pair, url, full=full)
            parts = ", ".join(f"{part} in {count}" for part, count in different.most_common())
            counts.append(f"{name}: of {len(pair.calls)} calls differ {parts}")
    print("", *counts, sep="\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sqlite", default="", help="path of the program mcp-server-sqlite")
    parser.add_argument("--full", action="store_true", help="print whole answers that differ")
    options = parser.parse_args()
    asyncio.run(main(options.sqlite, full=options.full))
