"""1,000 tools made ready for each provider's request: for the first time, and again.

Bare is a deep copy of the same schemas through JSON, which any converter has to make.
"""

from __future__ import annotations

import gc
import json
import time
from functools import partial
from typing import TYPE_CHECKING

from msgspec.structs import replace

from desktop.features.models.formats import ApiFormat, make_wire_tools
from desktop.values.tool_types import ToolDefinition
from tests.benchmarks.harness import Row
from tests.corpus import corpus

if TYPE_CHECKING:
    from collections.abc import Callable

TOOLS = 1_000


def _tools(generation: int) -> list[ToolDefinition]:
    """Real ones where they are, repeated under other names; else of their usual size."""
    parameters = {f"p{i}": {"type": "string", "description": "d" * 60} for i in range(5)}
    made_up = ToolDefinition("s", "t", input_schema={"type": "object", "properties": parameters})
    real = corpus() or (made_up,)
    return [
        replace(real[i % len(real)], server=f"server{generation}", name=f"tool_{i}")
        for i in range(TOOLS)
    ]


def _seconds(work: Callable[[], object]) -> float:
    gc.collect()
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def _copied(tools: list[ToolDefinition]) -> list[object]:
    return [json.loads(json.dumps(tool.input_schema)) for tool in tools]


def measure() -> list[Row]:
    rows: list[Row] = []
    for place, api_format in enumerate(ApiFormat):
        first, again, bare = list[float](), list[float](), list[float]()
        for run in range(3):
            tools = _tools(place * 10 + run)
            first.append(_seconds(partial(make_wire_tools, tools, api_format)))
            again.append(_seconds(partial(make_wire_tools, tools, api_format)))
            bare.append(_seconds(partial(_copied, tools)))
        name = f"1,000 tools for {api_format}"
        rows.append(Row(name, min(first) * 1e3, min(bare) * 1e3, goal="< 1000 ms"))
        rows.append(Row(f"{name}, again", min(again) * 1e3, min(bare) * 1e3))
    return rows
