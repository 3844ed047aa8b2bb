"""Lists the tools of one server with one client, in a process of its own: `clients.py NAME CONFIG`.

NAME is `ours` (the app's own core) or `sdk` (the bare SDK). Prints a JSON object: `names` of the
tools, `seconds` from the start of the server to its list, `error` if there is no list. Both import
the SDK before the clock starts. What the process leaves behind is looked at by `trials.py`.
"""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import mcp

from desktop.base.paths import Paths
from desktop.core import build_core

if TYPE_CHECKING:
    from collections.abc import Coroutine

LIMIT = 45.0


async def list_with_ours(config: Path) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        core = build_core(Paths(config, Path(folder)))
        try:
            began = time.monotonic()
            core.follow_store()
            await asyncio.wait_for(core.settle(), LIMIT)
            seconds = time.monotonic() - began
            connection = core.service.connection("one")
            error = "" if connection.is_connected else connection.state.words
            names = [tool.name for tool in connection.tools]
            return {"names": names, "seconds": seconds, "error": error}
        finally:
            await core.close()


def list_with_sdk(config: Path) -> Coroutine[Any, Any, dict[str, Any]]:
    entry = json.loads(config.read_text("utf-8"))["mcpServers"]["one"]
    return _list_with_sdk(mcp.StdioServerParameters(**entry))


async def _list_with_sdk(server: mcp.StdioServerParameters) -> dict[str, Any]:
    began = time.monotonic()
    async with mcp.Client(server) as client:
        names: list[str] = []
        page = await client.list_tools()
        names += [tool.name for tool in page.tools]
        while page.next_cursor:
            page = await client.list_tools(cursor=page.next_cursor)
            names += [tool.name for tool in page.tools]
        return {"names": names, "seconds": time.monotonic() - began, "error": ""}


def innermost(error: BaseException) -> BaseException:
    """The first error inside groups of errors."""
    while isinstance(error, BaseExceptionGroup):
        error = cast("BaseExceptionGroup[BaseException]", error).exceptions[0]
    return error


def main(client: str, config: Path) -> None:
    listing = {"ours": list_with_ours, "sdk": list_with_sdk}[client]
    found: dict[str, Any]
    try:
        found = asyncio.run(listing(config))
    # Whatever a client raises is its answer, and shown in the table.
    except Exception as error:  # noqa: BLE001
        cause = innermost(error)
        found = {"names": [], "seconds": 0.0, "error": f"{type(cause).__name__}: {cause}"}
    print("\n" + json.dumps(found), flush=True)


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
