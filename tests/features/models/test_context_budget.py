"""What tools take of a window, what a switch saves, and what is advised."""

from __future__ import annotations

import asyncio
import threading
from typing import TYPE_CHECKING, Any

import pytest

from desktop.base.tasks import spawn
from desktop.features.models import context_budget
from desktop.features.models.context_budget import Advice, ContextBudget, estimate_budget
from desktop.features.models.formats import ApiFormat, make_wire_tools
from desktop.values.tool_types import ToolDefinition

if TYPE_CHECKING:
    from collections.abc import Sequence

MODEL = "claude-sonnet-4-5"


def tool(server: str, name: str, length: int = 40) -> ToolDefinition:
    return ToolDefinition(server, name, description="x" * length, input_schema={"type": "object"})


TOOLS = [tool("files", "read"), tool("files", "write", 400), tool("github", "search", 8_000)]


def kinds(advice: Sequence[Advice]) -> list[str]:
    return [each.kind for each in advice]


@pytest.mark.parametrize("api_format", ApiFormat)
async def test_the_total_is_that_of_the_request(api_format: ApiFormat) -> None:
    budget = await estimate_budget(TOOLS, api_format, MODEL)
    table = make_wire_tools(TOOLS, api_format)
    assert budget.tokens == table.tokens
    assert [each.tokens for each in budget.tools()] == [each.tokens for each in table.declarations]
    assert {each.server: each.sent for each in budget.servers} == {"files": 2, "github": 1}


async def test_nothing_costs_nothing_and_is_advised_nothing() -> None:
    budget = await estimate_budget([], ApiFormat.ANTHROPIC, MODEL)
    assert (budget.tokens, budget.sent, budget.percent) == (0, 0, 0.0)
    assert budget.advice() == []


async def test_a_switch_saves_what_it_takes_out_of_the_total() -> None:
    budget = await estimate_budget(TOOLS, ApiFormat.ANTHROPIC, MODEL)
    without = await estimate_budget(TOOLS[:2], ApiFormat.ANTHROPIC, MODEL)
    assert budget.tokens - budget.saved_by("github") == without.tokens
    assert budget.only(lambda each: each.server != "github") == without
    assert budget.saved_by("files", "write") == budget.server("files").tools[1].tokens > 100
    assert budget.saved_by("nobody") == budget.saved_by("files", "nothing") == 0


async def test_the_share_is_that_of_the_window_of_the_model_or_unknown() -> None:
    known = await estimate_budget(TOOLS, ApiFormat.ANTHROPIC, MODEL)
    assert (known.window, known.percent) == (200_000, 100 * known.tokens / 200_000)
    unknown = await estimate_budget(TOOLS, ApiFormat.OPENAI, "my-own-model")
    assert (unknown.window, unknown.percent) == (0, None)
    assert kinds(unknown.advice()) == ["heaviest"]


async def test_a_tool_that_is_not_sent_costs_nothing_and_says_why() -> None:
    budget = await estimate_budget([tool("s", "huge", 400_000)], ApiFormat.ANTHROPIC, MODEL)
    (huge,) = budget.tools()
    assert (huge.tokens, budget.sent) == (0, 0)
    assert "characters" in huge.reason
    assert budget.warnings == (huge.reason,)


async def test_beyond_the_limit_the_smallest_server_that_is_enough_is_named() -> None:
    sizes = {"small": 5, "right": 40, "large": 100}
    tools = [tool(server, f"t{n}") for server, count in sizes.items() for n in range(count)]
    budget = await estimate_budget(tools, ApiFormat.OPENAI, "gpt-4o")
    first = budget.advice()[0]
    assert (first.kind, first.server, first.tool) == ("limit", "right", "")
    assert first.saves == budget.saved_by("right")
    assert "145 tools are offered, 17 more than the OpenAI API takes" in first.sentence
    assert budget.warnings
    rest = budget.only(lambda each: each.server != first.server)
    assert "limit" not in kinds(rest.advice())
    at_anthropic = await estimate_budget(tools, ApiFormat.ANTHROPIC, MODEL)
    assert "limit" not in kinds(at_anthropic.advice())


async def test_tools_that_fill_a_window_and_one_that_is_large_alone_are_told_of() -> None:
    tools = [tool("big", f"t{n}", 40_000) for n in range(5)] + [tool("small", "t")]
    budget = await estimate_budget(tools, ApiFormat.ANTHROPIC, MODEL)
    window, *large, heaviest = budget.advice()
    assert (window.kind, window.server, window.saves) == ("window", "big", budget.saved_by("big"))
    assert "25 %" in window.sentence
    assert [(each.kind, each.server, each.tool) for each in large] == [
        ("large_tool", "big", f"t{n}") for n in range(3)
    ]
    assert heaviest.saves == sum(each.tokens for each in budget.heaviest(3))


async def test_a_definition_that_changed_is_estimated_anew() -> None:
    one = await estimate_budget([tool("s", "t", 400)], ApiFormat.ANTHROPIC)
    two = await estimate_budget([tool("s", "t", 800)], ApiFormat.ANTHROPIC)
    assert two.tokens - one.tokens == 100


async def test_what_is_known_is_not_converted_again_and_there_is_a_bound(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(context_budget, "_MAX_KEPT", 100)
    asked: list[str] = []
    convert = context_budget.convert

    def note(definition: ToolDefinition, *more: Any, **kept: bool) -> object:
        asked.append(definition.name)
        return convert(definition, *more, **kept)

    monkeypatch.setattr(context_budget, "convert", note)
    tools = [tool("bound", f"t{n}") for n in range(90)]
    first = await estimate_budget(tools, ApiFormat.GEMINI)
    assert await estimate_budget(tools, ApiFormat.GEMINI) == first
    assert len(asked) == 90
    await estimate_budget([tool("bound", f"u{n}") for n in range(100)], ApiFormat.GEMINI)
    await estimate_budget(tools, ApiFormat.GEMINI)
    assert len(asked) == 90 + 100 + 90


async def test_ten_thousand_tools_are_estimated_in_slices_off_the_loop(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sizes: list[int] = []
    threads: set[int] = set()
    estimate_all = context_budget._estimate_all  # pyright: ignore[reportPrivateUsage]

    def note(tools: Sequence[ToolDefinition], api_format: ApiFormat) -> object:
        sizes.append(len(tools))
        threads.add(threading.get_ident())
        return estimate_all(tools, api_format)

    monkeypatch.setattr(context_budget, "_estimate_all", note)
    tools = [tool("many", f"t{n}", 100) for n in range(10_000)]
    assert (await estimate_budget(tools, ApiFormat.OPENAI)).sent == 10_000
    assert (max(sizes), sum(sizes)) == (50, 10_000)
    assert threading.get_ident() not in threads


async def test_an_estimate_that_is_given_up_ends_with_its_slice(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen: list[str] = []
    reached = asyncio.Event()
    loop = asyncio.get_running_loop()
    convert = context_budget.convert

    def note(definition: ToolDefinition, *more: Any, **kept: bool) -> object:
        seen.append(definition.name)
        loop.call_soon_threadsafe(reached.set)
        return convert(definition, *more, **kept)

    monkeypatch.setattr(context_budget, "convert", note)
    tools = [tool("given-up", f"t{n}") for n in range(1_000)]
    task = spawn(estimate_budget(tools, ApiFormat.OPENAI), "estimate")
    await reached.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert len(seen) < 1_000


def test_without_a_provider_there_is_neither_limit_nor_warning() -> None:
    assert (ContextBudget().most, ContextBudget().warnings, ContextBudget().percent) == (
        0,
        (),
        None,
    )
