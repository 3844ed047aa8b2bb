"""A service with real servers, and sessions on it that are ended after the test."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from desktop.base.paths import Paths
from desktop.bootstrap import session_server
from desktop.config.store import ConfigStore
from desktop.features.chat.agent.session_context import SessionContext
from desktop.features.chat.agent.sessions import AgentSessions
from desktop.servers.service import McpService
from desktop.tools.approvals import Approvals
from desktop.tools.validation.rules import Rules
from tests.live_servers import stdio, surroundings

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from desktop.config.models import ServerConfig
    from desktop.features.chat.agent.session_info import Builtin


def config_of(one: Builtin) -> ServerConfig:
    """A server of the catalog, or a test server where its name is that of one."""
    if one.name in {"list_changes", "plain", "silent", "waiting"}:
        return stdio(one.name, *one.arguments)
    return session_server(ConfigStore(Path(os.devnull)), one.name, one.arguments)


@pytest.fixture
async def shared(tmp_path: Path) -> AsyncIterator[SessionContext]:
    around = surroundings()
    service = McpService(around)
    paths = Paths(tmp_path / "mcp.json", tmp_path / "data")
    approvals = Approvals(paths.approvals)
    yield SessionContext(service, around, Rules(), paths, approvals, config_of)
    await service.disconnect_all()
    await around.tracker.close_all()


@pytest.fixture
async def sessions(shared: SessionContext) -> AsyncIterator[AgentSessions]:
    made = AgentSessions(shared)
    yield made
    await made.close()
    owners = {one.owner for one in shared.surroundings.tracker.tracked}
    assert owners <= set(shared.service.connections)
