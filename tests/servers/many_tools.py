"""Lists --count N tools of --bytes B each, whole or in pages of --page P (0: one page).

--prefix T: how their names begin.
"""

from __future__ import annotations

import json
import sys

sys.path.insert(0, __file__.rpartition("/tests/")[0])

from tests.servers.base import Server, Tool, echo, option

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tests.servers.base import Json

COUNT = int(option("count", "10000"))
BYTES = int(option("bytes", "5000"))
PAGE = int(option("page", "0")) or COUNT
PREFIX = option("prefix", "tool_")
FILLER = "Looks a thing up in the catalogue and tells what is known of it. "


def make_tool(number: int) -> Tool:
    """A tool whose declaration is `BYTES` long as compact JSON, most of it description."""
    tool = Tool(f"{PREFIX}{number:05}", echo, {"message": "string", "limit": "integer"})
    start = f"Number {number}. "
    tool.declaration["description"] = start
    missing = BYTES - len(json.dumps(tool.declaration, separators=(",", ":")))
    tool.declaration["description"] = start + (FILLER * (missing // len(FILLER) + 1))[:missing]
    return tool


def list_page(message: Json) -> Json:
    params: Json = message.get("params") or {}
    start = int(params.get("cursor") or 0)
    end = start + PAGE
    page: Json = {"tools": [tool.declaration for tool in server.tools[start:end]]}
    return page | ({"nextCursor": str(end)} if end < COUNT else {})


server = Server("many-tools", [make_tool(number) for number in range(COUNT)])
server.answers["tools/list"] = list_page
server.serve()
