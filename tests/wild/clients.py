"""Lists the tools of one server with one client, in a process of its own: `clients.py NAME CONFIG`.

NAME is `ours` (the app's own core, started as a terminal command starts it) or `sdk` (the bare
SDK). Prints a JSON object: `names` of the tools, `seconds` from the first line here to the list,
`error` if there is no list. The import of the SDK, which each needs, is in its seconds: ours starts
the server and its guardian meanwhile. What the process leaves behind is looked at by `trials.py`.
"""

from __future__ import annotations

import time

BEGAN = time.monotonic()

import asyncio  # noqa: E402 - the clock first
import json  # noqa: E402
import sys  # noqa: E402
import tempfile  # noqa: E402
from pathlib import Path  # noqa: E402
from typing import TYPE_CHECKING, Any, cast  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Coroutine

LIMIT = 45.0


async def list_with_ours(config: Path) -> dict[str, Any]:
    from desktop.base.paths import Paths
    from desktop.base.tasks import spawn
    from desktop.bootstrap import build_bootstrap

    with tempfile.TemporaryDirectory() as folder:
        ground = build_bootstrap(Paths(config, Path(folder)), own_path_first=True)
        starting = spawn(ground.start_early([ground.store.servers["one"]]), "early start")
        await asyncio.sleep(0)
        await asyncio.sleep(0)  # as in desktop.cli.runner: the second turn asks
        from desktop.core import build_core_on

        core = build_core_on(ground)
        try:
            await starting
            core.follow_store()
            await asyncio.wait_for(core.settle(), LIMIT)
            seconds = time.monotonic() - BEGAN
            connection = core.service.connection("one")
            error = "" if connection.is_connected else connection.state.words
            names = [tool.name for tool in connection.tools]
            return {"names": names, "seconds": seconds, "error": error}
        finally:
            await core.close()


def list_with_sdk(config: Path) -> Coroutine[Any, Any, dict[str, Any]]:
    return _list_with_sdk(json.loads(config.read_text("utf-8"))["mcpServers"]["one"])


async def _list_with_sdk(entry: dict[str, Any]) -> dict[str, Any]:
    import mcp

    async with mcp.Client(mcp.StdioServerParameters(**entry)) as client:
        names: list[str] = []
        page = await client.list_tools()
        names += [tool.name for tool in page.tools]
        while page.next_cursor:
            page = await client.list_tools(cursor=page.next_cursor)
            names += [tool.name for tool in page.tools]
        return {"names": names, "seconds": time.monotonic() - BEGAN, "error": ""}


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
