"""A tool call over an open connection, against the SDK's own client on the same loop."""

from __future__ import annotations

import asyncio
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from mcp import Client, StdioServerParameters

from desktop.tool_types import ToolCall
from tests.benchmarks.harness import LoopLag, Row, core_with, median, stdio
from tests.server_commands import command

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

CALLS = 1_000
ROUNDS = 3
BIG = 5_000_000


async def _timed(call: Callable[[], Awaitable[object]], times: int) -> float:
    taken: list[float] = []
    for _ in range(times):
        began = time.perf_counter()
        await call()
        taken.append(time.perf_counter() - began)
    return median(taken)


async def _ours(tool: str, arguments: dict[str, Any], times: int) -> float:
    with tempfile.TemporaryDirectory() as folder:
        async with core_with(Path(folder), stdio("plain", "plain")) as core:
            await core.service.connect_all()
            run = ToolCall(f"plain:{tool}", arguments)
            result = await core.executor.run(run)
            if not result.success:
                raise RuntimeError(str(result.error))
            return await _timed(lambda: core.executor.run(run), times)


async def _bare(tool: str, arguments: dict[str, Any], times: int) -> float:
    program, args = command("plain")
    async with Client(StdioServerParameters(command=program, args=args), mode="legacy") as client:
        await client.list_tools()
        await client.call_tool(tool, arguments)
        return await _timed(lambda: client.call_tool(tool, arguments), times)


async def _pair(tool: str, arguments: dict[str, Any], times: int) -> tuple[float, float]:
    pairs = [
        (await _ours(tool, arguments, times), await _bare(tool, arguments, times))
        for _ in range(ROUNDS)
    ]
    return median(one for one, _ in pairs), median(other for _, other in pairs)


async def _lag_of_a_big_result() -> float:
    with tempfile.TemporaryDirectory() as folder:
        async with core_with(Path(folder), stdio("plain", "plain")) as core:
            await core.service.connect_all()
            async with LoopLag().watched() as lag:
                await core.executor.run(ToolCall("plain:big", {"bytes": BIG}))
                await asyncio.sleep(0.01)  # so that the last block is seen, too
            return lag.worst


def _on_qt(coroutine: Any) -> Any:
    from PySide6.QtWidgets import QApplication
    from qasync import QEventLoop

    app = QApplication.instance() or QApplication([])
    loop = cast("asyncio.AbstractEventLoop", QEventLoop(app))
    try:
        return loop.run_until_complete(coroutine)
    finally:
        loop.close()


def measure() -> list[Row]:
    small: dict[str, Any] = {"message": "hi"}
    ours, bare = asyncio.run(_pair("echo", small, CALLS))
    qt_ours, qt_bare = _on_qt(_pair("echo", small, CALLS))
    big_ours, big_bare = asyncio.run(_pair("big", {"bytes": BIG}, 5))
    lag = _on_qt(_lag_of_a_big_result())
    return [
        Row("tool call, p50, asyncio", ours * 1e6, bare * 1e6, "us", "<= 1.1 x"),
        Row("tool call, p50, qasync", qt_ours * 1e6, qt_bare * 1e6, "us", "<= 1.1 x"),
        Row("5 MB result", big_ours * 1e3, big_bare * 1e3, "ms", "<= 1.0 x"),
        Row("5 MB result, loop blocked at most, qasync", lag * 1e3, None, "ms", "<= 50 ms"),
    ]
