"""What clients of the gateway are offered of what a server has."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.base.paths import Paths
from desktop.core import build_core
from desktop.features.gateway.client_tools import ClientTools
from tests.live_servers import stdio

if TYPE_CHECKING:
    from pathlib import Path


async def test_a_tool_for_apps_is_offered_to_no_client(tmp_path: Path) -> None:
    core = build_core(Paths(tmp_path / "mcp.json", tmp_path / "data"), {"SHELL": "/bin/sh"})
    core.service.add_server(stdio("hostile_app", "--what", "still"))
    await core.service.connect_all()
    clients = ClientTools(core.registry, core.executor)
    offered = {tool.name for tool in clients.offered(None).values()}
    clients.close()
    await core.close()
    assert offered == {"echo", "show", "secret", "declared"}
