"""Lists the tools of one server with the bare SDK, as few lines of a person would do it.

`bare_sdk.py CONFIG` prints a JSON object: `names` of the tools, or `error`.
"""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import Any, cast

import mcp


async def list_tools(entry: dict[str, Any]) -> list[str]:
    async with mcp.Client(mcp.StdioServerParameters(**entry)) as client:
        page = await client.list_tools()
        names = [tool.name for tool in page.tools]
        while page.next_cursor:
            page = await client.list_tools(cursor=page.next_cursor)
            names += [tool.name for tool in page.tools]
        return names


def innermost(error: BaseException) -> BaseException:
    """The first error inside groups of errors."""
    while isinstance(error, BaseExceptionGroup):
        error = cast("BaseExceptionGroup[BaseException]", error).exceptions[0]
    return error


def main(config: Path) -> None:
    entry = json.loads(config.read_text("utf-8"))["mcpServers"]["one"]
    found: dict[str, Any]
    try:
        found = {"names": asyncio.run(list_tools(entry))}
    # Whatever the SDK raises is its answer, and shown in the table.
    except Exception as error:  # noqa: BLE001
        cause = innermost(error)
        found = {"error": f"{type(cause).__name__}: {cause}"}
    print("\n" + json.dumps(found), flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
