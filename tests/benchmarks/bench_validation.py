"""What the executor's checks add to a call: against the same transport without them, in one run."""

from __future__ import annotations

import asyncio
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from desktop.tools.validation import validate
from desktop.values.tool_types import ToolCall
from tests.benchmarks.harness import Row, core_with, median, stdio

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from desktop.core import Core

CALLS = 3_000
CHECKS = 2_000
GOAL = "adds < 100 us"


async def _in_turn(*calls: Callable[[], Awaitable[object]]) -> list[float]:
    """The median of each, taken in turn so that a busy moment of the machine meets all."""
    taken: list[list[float]] = [[] for _ in calls]
    for _ in range(CALLS):
        for call, times in zip(calls, taken, strict=True):
            began = time.perf_counter()
            await call()
            times.append(time.perf_counter() - began)
    return [median(times) for times in taken]


async def _added(core: Core, tool: str, arguments: dict[str, Any]) -> tuple[float, float, float]:
    """A checked call, the same with one who listens to its steps, and the bare one."""
    connection = core.service.connection("plain")
    call = ToolCall(f"plain:{tool}", arguments)
    heard: list[object] = []

    async def followed() -> None:
        end = core.executor.stepped.connect(heard.append)
        await core.executor.run(call)
        end()
        heard.clear()

    checked, told, bare = await _in_turn(
        lambda: core.executor.run(call),
        followed,
        lambda: connection.call_tool(tool, arguments),
    )
    return checked, told, bare


async def _calls() -> list[Row]:
    with tempfile.TemporaryDirectory() as folder:
        async with core_with(Path(folder), stdio("plain", "plain")) as core:
            await core.service.connect_all()
            rows: list[Row] = []
            cases: list[tuple[str, str, dict[str, Any]]] = [
                ("arguments checked", "add", {"a": 1, "b": 2}),
                ("arguments and output checked", "structured", {}),
            ]
            for what, tool, arguments in cases:
                checked, told, bare = await _added(core, tool, arguments)
                added, more = (checked - bare) * 1e6, (told - checked) * 1e6
                rows += [
                    Row(f"call, {what} (+{added:.1f} us)", checked * 1e6, bare * 1e6, "us", GOAL),
                    Row(f"  its steps told to one (+{more:.1f} us)", told * 1e6, bare * 1e6, "us"),
                ]
            return rows


def _alone() -> Row:
    """The verdict alone, on the kind of schema that real tools have."""
    names = [f"field{n}" for n in range(8)]
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {name: {"type": "string", "maxLength": 100} for name in names},
        "required": names[:4],
    }
    value = dict.fromkeys(names, "text")
    taken: list[float] = []
    for _ in range(CHECKS):
        began = time.perf_counter()
        validate(schema, value)
        taken.append(time.perf_counter() - began)
    return Row("eight text fields checked", median(taken) * 1e6, None, "us", "< 100 us")


def measure() -> list[Row]:
    return [*asyncio.run(_calls()), _alone()]
