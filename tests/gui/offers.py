"""A core with one server that offers resources and prompts, for the pages that show them."""

from __future__ import annotations

import json
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from desktop.base.paths import Paths
from desktop.core import build_core
from tests.live_servers import stdio

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator
    from pathlib import Path

    from desktop.core import Core


@asynccontextmanager
async def offering_core(folder: Path, server: str = "offers") -> AsyncGenerator[Core]:
    made = build_core(Paths(folder / "mcp.json", folder / "data"), {"SHELL": "/bin/sh"})
    made.follow_store()
    made.store.add_server(stdio(server))
    await made.settle()
    yield made
    await made.close()


async def told(core: Core, tool: str, **arguments: object) -> str:
    return (await core.service.connection("offers").call_tool(tool, arguments)).output


async def seen(core: Core) -> list[str]:
    """The methods that the server was asked for."""
    return json.loads(await told(core, "seen"))
