"""`tools --cost`: what each tool takes of a model's context window, the most expensive first.

An estimate, and says so. Must not reach a provider. A module of its own because it imports the
converters of `desktop.llm.formats`, which the plain list does without.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from desktop.cli.output import layout, plain
from desktop.llm.context_budget import estimate_budget
from desktop.llm.formats import ApiFormat

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from desktop.cli.output import Console
    from desktop.llm.context_budget import Advice, ContextBudget
    from desktop.values.tool_types import ToolDefinition


async def print_costs(
    definitions: Sequence[ToolDefinition],
    api_format: str,
    model: str,
    failures: Mapping[str, str],
    console: Console,
) -> None:
    """Print the costs in `api_format`; of a known `model`, the shares of its window, too.

    `failures` says why a server has no tools, by its name; only the JSON document has it.
    """
    budget = await estimate_budget(definitions, ApiFormat(api_format), model)
    if console.as_json:
        console.document(_document(budget, failures))
    else:
        _print_table(budget, console)


def _document(budget: ContextBudget, failures: Mapping[str, str]) -> dict[str, Any]:
    return {
        "format": budget.api_format,
        "model": budget.model,
        "window": budget.window or None,
        "estimate": True,
        "tokens": budget.tokens,
        "tools": [
            {
                "server": tool.server,
                "name": tool.name,
                "key": tool.key,
                "tokens": tool.tokens,
                "reason": tool.reason,
            }
            for tool in budget.tools()
        ],
        "servers": [
            {"server": each.server, "tools": each.sent, "tokens": each.tokens}
            for each in budget.servers
        ],
        "advice": [
            {
                "kind": each.kind,
                "text": each.sentence,
                "server": each.server,
                "tool": each.tool,
                "saves": each.saves,
            }
            for each in budget.advice()
        ],
        "warnings": budget.warnings,
        "failed": dict(failures),
    }


def _print_table(budget: ContextBudget, console: Console) -> None:
    listed = budget.heaviest(len(list(budget.tools())))
    names = ("SERVER", "TOOL", " TOKENS", *(["SHARE"] if budget.window else []))
    rows = [
        [plain(tool.server), plain(tool.name), f"{tool.tokens:>7,}", *_shares(budget, tool.tokens)]
        for tool in listed
    ]
    if rows:
        header, *lines = layout(names, rows, console.width)
        console.write(console.paint(header, "bold"))
        console.write("\n".join(lines))
    for server in sorted(budget.servers, key=lambda each: -each.tokens):
        tools = "1 tool" if server.sent == 1 else f"{server.sent:,} tools"
        console.write(plain(f"{server.server}: {tools}, ≈ {server.tokens:,} tokens"))
    tools = "1 tool" if budget.sent == 1 else f"{budget.sent:,} tools"
    window = "".join(
        f", {each.strip()} of {budget.window:,}" for each in _shares(budget, budget.tokens)
    )
    console.write(
        f"Total: {tools}, ≈ {budget.tokens:,} tokens in every request{window} (an estimate for "
        f"the format {budget.api_format})."
    )
    if budget.model and not budget.window:
        console.note(f"The context window of {plain(budget.model)} is not known.")
    for advice in budget.advice():
        if advice.kind != "heaviest":  # they stand on top of the table
            console.note(plain(_words(advice)))
    for tool in listed:
        if tool.reason:
            console.note(plain(tool.reason))


def _words(advice: Advice) -> str:
    what = f"{advice.server}:{advice.tool}" if advice.tool else advice.server
    return f"{advice.sentence} Switching {what} off saves ≈ {advice.saves:,} tokens."


def _shares(budget: ContextBudget, tokens: int) -> list[str]:
    """One share of the window, or none where that is not known."""
    return [f"{100 * tokens / budget.window:5.2f} %"] if budget.window else []
