"""What the chosen tools cost in every request: an estimate, made off the loop. No widget here."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.llm.formats import ApiFormat
    from desktop.tool_types import ToolDefinition


@dataclass(frozen=True, slots=True)
class Cost:
    """Tools that are sent, tokens of all of them, and what the provider will object to."""

    tools: int = 0
    tokens: int = 0
    warnings: tuple[str, ...] = ()


async def cost_of(tools: Sequence[ToolDefinition], api_format: ApiFormat) -> Cost:
    """The cost of `tools` for a provider of this format."""
    if not tools:
        return Cost()
    from desktop.llm.formats import make_wire_tools  # the converters: when a model is chosen

    table = await asyncio.to_thread(make_wire_tools, tools, api_format)
    return Cost(len(table.declarations), table.tokens, table.warnings)
