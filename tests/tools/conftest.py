"""An executor over one real server."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from desktop.servers.service import McpService
from tests.live_servers import ending, stdio, surroundings
from tests.tools.executor_bench import Bench

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator


@pytest.fixture
async def bench() -> AsyncGenerator[Bench]:
    async with ending(McpService(surroundings())) as service:
        service.add_server(stdio("plain"))
        await service.connect_all()
        yield Bench(service)
