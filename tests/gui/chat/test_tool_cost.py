from __future__ import annotations

from desktop.gui.chat.tool_cost import Cost, cost_of
from desktop.llm.formats import ApiFormat
from desktop.tool_types import ToolDefinition

pytest_plugins = ("tests.gui.theme_fixture",)


async def test_no_tools_cost_nothing() -> None:
    assert await cost_of([], ApiFormat.ANTHROPIC) == Cost()


async def test_more_tools_than_a_provider_takes_are_a_warning() -> None:
    tools = [ToolDefinition("s", f"t{n}", input_schema={"type": "object"}) for n in range(200)]
    cost = await cost_of(tools, ApiFormat.OPENAI)
    assert cost.tools == 200
    assert cost.tokens > 200
    assert "128" in cost.warnings[0]
