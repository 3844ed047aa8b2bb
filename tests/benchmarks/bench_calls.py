"""A tool call over an open connection, against the SDK's own client on the same loop.

Both connections are open at once, and a few calls of one are followed by as many of the other.
"""

from __future__ import annotations

import asyncio
import tempfile
import time
from contextlib import asynccontextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from mcp import Client, StdioServerParameters

from desktop.values.tool_types import ToolCall
from tests.benchmarks.harness import (
    Compared,
    LoopLag,
    Row,
    awake,
    core_with,
    median,
    set_imports_aside,
    stdio,
)
from tests.server_commands import command

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Callable

CALLS = 100
"""Calls of one turn, of which the median counts."""
ROUNDS = 20
WARM = 200
BIG = 5_000_000
SMALL_ARGUMENTS = {"message": "hi"}


async def _median(call: Callable[[], Awaitable[object]], times: int) -> float:
    taken: list[float] = []
    for _ in range(times):
        began = time.perf_counter()
        await call()
        taken.append(time.perf_counter() - began)
    return median(taken)


@asynccontextmanager
async def _ours(
    tool: str, arguments: dict[str, Any]
) -> AsyncGenerator[Callable[[], Awaitable[object]]]:
    with tempfile.TemporaryDirectory() as folder:
        async with core_with(Path(folder), stdio("plain", "plain")) as core:
            await core.service.connect_all()
            run = ToolCall(f"plain:{tool}", arguments)
            result = await core.executor.run(run)
            if not result.success:
                raise RuntimeError(str(result.error))
            yield lambda: core.executor.run(run)


@asynccontextmanager
async def _bare(
    tool: str, arguments: dict[str, Any]
) -> AsyncGenerator[Callable[[], Awaitable[object]]]:
    program, args = command("plain")
    async with Client(StdioServerParameters(command=program, args=args), mode="legacy") as client:
        await client.list_tools()
        await client.call_tool(tool, arguments)
        yield lambda: client.call_tool(tool, arguments)


async def compare_calls(
    tool: str,
    arguments: dict[str, Any],
    calls: int = CALLS,
    rounds: int = ROUNDS,
    warm: int = WARM,
    *,
    may_sleep: bool = False,
) -> Compared:
    """The median call of each turn, ours and the SDK's.

    Args:
        may_sleep: whether cores may sleep between two messages, as those of an idle machine do.
    """
    set_imports_aside()
    async with _ours(tool, arguments) as ours, _bare(tool, arguments) as bare:
        await _median(ours, warm)
        await _median(bare, warm)
        with nullcontext() if may_sleep else awake():
            return Compared(
                tuple(
                    [
                        (await _median(ours, calls), await _median(bare, calls))
                        for _ in range(rounds)
                    ]
                )
            )


def measure_open_calls(calls: int) -> float:
    """The median of as many small calls of ours, after as many that do not count; seconds."""

    async def run() -> float:
        async with _ours("echo", SMALL_ARGUMENTS) as call:
            await _median(call, calls)
            return await _median(call, calls)

    return asyncio.run(run())


async def compare_big_results(rounds: int = 15) -> Compared:
    return await compare_calls("big", {"bytes": BIG}, 1, rounds, 2)


async def _lag_of_a_big_result() -> float:
    with tempfile.TemporaryDirectory() as folder:
        async with core_with(Path(folder), stdio("plain", "plain")) as core:
            await core.service.connect_all()
            async with LoopLag().watched() as lag:
                await core.executor.run(ToolCall("plain:big", {"bytes": BIG}))
                await asyncio.sleep(0.01)  # so that the last block is seen, too
            return lag.worst


def on_qt(coroutine: Any) -> Any:
    """Run it on the loop of a window."""
    from PySide6.QtWidgets import QApplication
    from qasync import QEventLoop

    app = QApplication.instance() or QApplication([])
    loop = cast("asyncio.AbstractEventLoop", QEventLoop(app))
    try:
        return loop.run_until_complete(coroutine)
    finally:
        loop.close()


def measure() -> list[Row]:
    small = asyncio.run(compare_calls("echo", SMALL_ARGUMENTS))
    sleepy = asyncio.run(compare_calls("echo", SMALL_ARGUMENTS, may_sleep=True))
    on_a_window = on_qt(compare_calls("echo", SMALL_ARGUMENTS))
    big = asyncio.run(compare_big_results())
    lag = on_qt(_lag_of_a_big_result())
    return [
        small.row("tool call, p50, asyncio", "<= 1.1 x", "us"),
        sleepy.row("tool call, p50, asyncio, cores may sleep", "", "us"),
        on_a_window.row("tool call, p50, qasync", "<= 1.1 x", "us"),
        big.row("5 MB result", "<= 0.3 x"),
        Row("5 MB result, loop blocked at most, qasync", lag * 1e3, None, "ms", "<= 50 ms"),
    ]
