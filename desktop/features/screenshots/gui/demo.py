"""Example content for pictures of the window: servers, files, a database, calls, a conversation.

All of it is in a temporary folder, which is removed again. Must not read or write the person's
configuration or data, nor use the network.
"""

from __future__ import annotations

import json
import sqlite3
import sys
import tempfile
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from desktop.base.paths import Paths
from desktop.features.chat.agent.session_file import encode
from desktop.features.chat.agent.session_info import SessionInfo
from desktop.features.models.messages import (
    AssistantMessage,
    ToolAnswer,
    ToolMessage,
    ToolRequest,
    Usage,
    UserMessage,
)
from desktop.features.screenshots import demo_server
from desktop.values.tool_types import ToolCall, ToolResult

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from desktop.core import Core
    from desktop.features.models.messages import Message
    from desktop.values.tool_types import JsonObject

SESSION: Final = "20261102-091500-0d3e11"
"""Id of the stored conversation."""
_MODEL: Final = "qwen3:14b"
_QUERY: Final = (
    "SELECT name, SUM(pieces) AS pieces, SUM(pieces * price) AS revenue\n"
    "FROM orders JOIN books USING (book)\nGROUP BY book ORDER BY revenue DESC"
)
SHOWN_CALL: Final[tuple[str, JsonObject]] = ("shop:read_query", {"query": _QUERY})
"""What is run in its form."""
SHOWN_RESOURCE: Final = "handbook", demo_server.RESOURCE
SHOWN_PROMPT: Final[tuple[str, dict[str, str]]] = (
    f"handbook:{demo_server.PROMPT}",
    {"reader": "a retired sailor", "budget": "25"},
)
"""What is opened on the page of each."""
_BOOKS: Final = (
    ("The Night Ferry", 18.5, 42),
    ("A Garden of Salt", 24.0, 31),
    ("Small Machines", 32.0, 19),
    ("Letters to the Coast", 14.9, 36),
    ("The Cartographer", 21.0, 12),
)
_FILES: Final = {
    "README.md": "# Bookshop\n\nNotes and figures of a small bookshop.\n",
    "notes/october.md": "# October\n\n- New shelf for travel books\n- Reading on the 24th\n",
    "notes/november.md": "# November\n\n- Stocktaking on the 28th\n- Order calendars\n",
    "figures/stock.csv": "title,pieces\nThe Night Ferry,12\nSmall Machines,4\n",
}


@contextmanager
def demo_paths() -> Generator[Paths]:
    """A configuration and data to run the window with, gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="bookshop-", ignore_cleanup_errors=True) as name:
        folder = Path(name).resolve()
        yield write_demo(folder)


def write_demo(folder: Path) -> Paths:
    """Write everything into `folder`, which exists."""
    for file, text in _FILES.items():
        path = folder / "bookshop" / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    _write_database(folder / "shop.db")
    paths = Paths(folder / "mcp.json", folder / "data")
    paths.config.write_text(json.dumps(_config(folder), indent=2), encoding="utf-8")
    paths.sessions.mkdir(parents=True)
    file = paths.sessions / f"{SESSION}.jsonl"
    file.write_text("".join(f"{json.dumps(line)}\n" for line in _session()), encoding="utf-8")
    return paths


def _config(folder: Path) -> JsonObject:
    servers: JsonObject = {
        "calculator": {"builtin": "calculator"},
        "time": {"builtin": "time"},
        "filesystem": {"builtin": "filesystem", "args": [str(folder / "bookshop")]},
        "shop": {"builtin": "sqlite", "args": [str(folder / "shop.db")]},
        "notes": {"builtin": "memory", "args": ["--file", str(folder / "notes.db")]},
        "tickets": {"url": "https://tickets.example/mcp", "enabled": False},
    }
    if not getattr(sys, "frozen", False):  # the frozen app runs no scripts
        script = [str(Path(demo_server.__file__))]
        servers["handbook"] = {"command": sys.executable, "args": ["-I", "-S", *script]}
    provider = {"kind": "openai", "baseUrl": "http://localhost:11434/v1", "model": _MODEL}
    return {"mcpServers": servers, "mcpDesktop": {"providers": {"ollama": provider}}}


def _write_database(file: Path) -> None:
    with closing(sqlite3.connect(file)) as database, database:
        database.execute("CREATE TABLE books (book INTEGER PRIMARY KEY, name TEXT, price REAL)")
        database.execute("CREATE TABLE orders (day TEXT, book INTEGER, pieces INTEGER)")
        for number, (name, price, pieces) in enumerate(_BOOKS, 1):
            database.execute("INSERT INTO books VALUES (?, ?, ?)", (number, name, price))
            database.execute("INSERT INTO orders VALUES ('2026-10-05', ?, ?)", (number, pieces))


async def make_calls(core: Core) -> None:
    """Call a few tools, as a person and as a model would: one call fails."""
    calls: tuple[tuple[str, JsonObject, bool], ...] = (
        ("filesystem:directory_tree", {"path": "."}, True),
        ("filesystem:search_content", {"path": ".", "pattern": "28th"}, True),
        ("shop:describe_table", {"table_name": "orders"}, True),
        ("shop:read_query", {"query": _QUERY}, True),
        (
            "time:convert_time",
            {
                "source_timezone": "Europe/Berlin",
                "time": "16:30",
                "target_timezone": "Asia/Shanghai",
            },
            False,
        ),
        ("notes:add_note", {"title": "Stocktaking", "text": "On November 28, at 9:00."}, False),
        ("calculator:calculate", {"operation": "divide", "a": 1, "b": 0}, False),
        ("calculator:evaluate", {"expression": "(777 + 744 + 608) * 1.07"}, False),
    )
    known = {tool.definition.key for tool in core.registry.all()}
    for key, arguments, is_by_model in calls:
        if key in known:
            origin, model = ("agent", _MODEL) if is_by_model else ("person", "")
            await core.executor.run(ToolCall(key, arguments, origin=origin, model=model))


def _session() -> Iterator[JsonObject]:
    now = datetime.now(UTC)
    about = SessionInfo(
        SESSION, now - timedelta(minutes=9), "ollama", _MODEL, title="Best-selling books of October"
    )
    yield {"type": "session", "version": 1, **about.to_json()}
    for message in _messages(now):
        requests = message.requests if isinstance(message, AssistantMessage) else ()
        arguments: dict[str, Any] = {each.call_id: each.arguments for each in requests}
        yield encode(message, arguments)


def _messages(now: datetime) -> Iterator[Message]:
    query, total = "mcp__shop__read_query", "mcp__calculator__evaluate"
    yield UserMessage("Which three books sold best in October, and what is that in total?")
    yield AssistantMessage(
        "I look that up in the database.",
        (ToolRequest("1", query, {"query": _QUERY}, "shop:read_query"),),
        stop="tools",
        usage=Usage(4890, 96),
        model=_MODEL,
    )
    rows = [
        {"name": name, "pieces": pieces, "revenue": round(price * pieces, 2)}
        for name, price, pieces in _BOOKS
    ]
    yield _answered("1", query, {"rows": rows}, now - timedelta(minutes=8))
    yield AssistantMessage(
        requests=(
            ToolRequest("2", total, {"expression": "777 + 744 + 608"}, "calculator:evaluate"),
        ),
        stop="tools",
        usage=Usage(5260, 41),
        model=_MODEL,
    )
    yield _answered("2", total, {"result": 2129}, now - timedelta(minutes=7))
    yield AssistantMessage(
        "By revenue, these three sold best:\n\n"
        "| Book | Pieces | Revenue |\n|---|---:|---:|\n"
        "| The Night Ferry | 42 | 777.00 |\n"
        "| A Garden of Salt | 31 | 744.00 |\n"
        "| Small Machines | 19 | 608.00 |\n\n"
        "Together that is **2,129.00**. *Letters to the Coast* sold more copies than two of "
        "them, but at a lower price.",
        usage=Usage(5370, 118),
        model=_MODEL,
    )


def _answered(call_id: str, wire_name: str, value: JsonObject, at: datetime) -> ToolMessage:
    result = ToolResult(
        True, json.dumps(value), structured=value, execution_time=0.012, timestamp=at
    )
    return ToolMessage((ToolAnswer(call_id, wire_name, result),))
