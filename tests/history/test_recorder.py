"""What an executor ran is in the history, with what the schema says about its secrets."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from desktop.history.record import Query
from desktop.history.recorder import HistoryRecorder
from desktop.redaction.arguments import REDACTED
from desktop.servers.service import McpService
from desktop.tasks import spawn
from desktop.tool_types import ToolCall
from desktop.tools.executor import ToolExecutor
from desktop.tools.loader import ToolsLoader
from desktop.tools.registry import ToolRegistry
from tests.history.calls import store_at
from tests.live_servers import ending, stdio, surroundings, until

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator
    from pathlib import Path

    from desktop.history.record import Record
    from desktop.history.store import HistoryStore


class Bench:
    """An executor over one real server, recorded."""

    def __init__(self, service: McpService, store: HistoryStore) -> None:
        self.service, self.store = service, store
        registry = ToolRegistry()
        self.executor = ToolExecutor(registry)
        self.loader = ToolsLoader(service, registry)
        self.recorder = HistoryRecorder(self.executor, registry, store)

    async def latest(self) -> Record:
        await until(self.store.changed, lambda: not self.store.is_writing)
        page = await self.store.page(Query(), count=1)
        record = await self.store.get(page.calls[0].id)
        assert record is not None
        return record


@pytest.fixture
async def bench(tmp_path: Path) -> AsyncGenerator[Bench]:
    async with ending(McpService(surroundings())) as service, store_at(tmp_path / "h") as store:
        service.add_server(stdio("plain"))
        await service.connect_all()
        yield Bench(service, store)


async def test_a_call_is_recorded_as_it_was_made_with_what_came_back(bench: Bench) -> None:
    call = ToolCall("plain:structured", {}, origin="agent")
    result = await bench.executor.run(call)
    record = await bench.latest()
    assert record.result == result
    assert (record.call_id, record.summary.origin) == (call.call_id, "agent")


async def test_media_and_errors_are_recorded(bench: Bench) -> None:
    image = await bench.executor.run(ToolCall("plain:image"))
    assert (await bench.latest()).result.content == image.content
    await bench.executor.run(ToolCall("plain:fail", {"message": "on purpose"}))
    assert (await bench.latest()).summary.message == "on purpose"
    await bench.executor.run(ToolCall("plain:add", {"a": 1}))
    assert (await bench.latest()).summary.outcome == "invalid_arguments"


async def test_a_secret_argument_is_not_recorded_nor_is_its_echo(bench: Bench) -> None:
    await bench.executor.run(ToolCall("plain:echo", {"message": "x", "password": "hunter22"}))
    record = await bench.latest()
    assert record.arguments == {"message": "x", "password": REDACTED}


async def test_a_cancelled_call_is_recorded_too(bench: Bench) -> None:
    started = bench.executor.started
    task = spawn(bench.executor.run(ToolCall("plain:slow", {"seconds": 30})), "call")
    running: list[ToolCall] = []
    started.connect(running.append)
    await until(started, lambda: running)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert (await bench.latest()).summary.outcome == "cancelled"


async def test_after_its_end_nothing_is_recorded(bench: Bench) -> None:
    await bench.executor.run(ToolCall("plain:pid"))
    await bench.latest()
    bench.recorder.close()
    await bench.executor.run(ToolCall("plain:pid"))
    assert (await bench.store.page()).total == 1
