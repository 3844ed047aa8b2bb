"""`tools --format` and `--cost`: tools as a provider is sent them, what changed, what they cost.

Costs are estimates, and said to be. Must not reach a provider. A module of its own because it
imports the converters of `desktop.features.models.formats`, which the plain list does without.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec.structs import asdict

from desktop.cli.output import layout, plain
from desktop.features.models.context_budget import estimate_budget
from desktop.features.models.formats import ApiFormat, Verdict, make_wire_tools

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from desktop.cli.output import Colour, Console
    from desktop.features.models.context_budget import Advice, ContextBudget
    from desktop.features.models.formats import Declaration, WireTools
    from desktop.values.tool_types import ToolDefinition

_COLOURS: dict[str, Colour] = {
    Verdict.OK: "green",
    Verdict.REPAIRED: "yellow",
    Verdict.REJECTED: "red",
}


def print_wire_tools(
    definitions: Sequence[ToolDefinition],
    api_format: str,
    failures: Mapping[str, str],
    console: Console,
) -> None:
    """Print the tools as `api_format` writes them.

    `failures` says why a server has no tools, by its name; only the JSON document has it.
    """
    table = make_wire_tools(definitions, ApiFormat(api_format))
    if console.as_json:
        console.document(_document(table, failures))
    else:
        _print_table(table, console)


def _document(table: WireTools, failures: Mapping[str, str]) -> dict[str, Any]:
    return {
        "format": table.api_format,
        "tools": table.tools,
        "report": [_report(declaration) for declaration in _all(table)],
        "tokens": table.tokens,
        "warnings": table.warnings,
        "failed": dict(failures),
    }


def _report(declaration: Declaration) -> dict[str, Any]:
    return {
        "key": declaration.key,
        "name": declaration.wire_name,
        "verdict": declaration.verdict,
        "reason": declaration.reason,
        "tokens": declaration.tokens,
        "changes": [asdict(change) for change in declaration.changes],
    }


def _print_table(table: WireTools, console: Console) -> None:
    rows = [
        [declaration.wire_name, f"{declaration.tokens:>6,}", _verdict_label(declaration)]
        for declaration in _all(table)
    ]
    if rows:
        header, *lines = layout(
            ("NAME FOR THE MODEL", "TOKENS", "VERDICT"), rows, console.width, _tint(console)
        )
        console.write(console.paint(header, "bold"))
        console.write("\n".join(lines))
    count = len(table.declarations)
    tools = "1 tool" if count == 1 else f"{count} tools"
    console.write(f"{tools}, about {table.tokens:,} tokens in every request (an estimate).")
    in_rows = {declaration.reason for declaration in table.quarantined}
    for warning in table.warnings:
        if warning not in in_rows:
            console.note(plain(warning))


def _verdict_label(declaration: Declaration) -> str:
    """The last cell of a row: the verdict, and the tool's key where the wire name hides it."""
    verdict = declaration.verdict
    if verdict is Verdict.REJECTED:
        return f"{verdict}: {_single_line(declaration.reason)}"
    count = len(declaration.changes)
    changes = "1 change" if count == 1 else f"{count} changes"
    label = f"{verdict} ({changes})" if count else str(verdict)
    names_tool = declaration.wire_name.endswith(declaration.key.replace(":", "__", 1))
    return label if names_tool else f"{label} {_single_line(declaration.key)}"


def _single_line(text: str) -> str:
    return plain(text).replace("\n", " ").replace("\t", " ")


def _tint(console: Console) -> Callable[[str], str]:
    def tint(cell: str) -> str:
        word = cell.partition(" ")[0].rstrip(":…")
        return console.paint(cell, _COLOURS[word]) if word in _COLOURS else cell

    return tint


def _all(table: WireTools) -> tuple[Declaration, ...]:
    return table.declarations + table.quarantined


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
        console.document(_cost_document(budget, failures))
    else:
        _print_costs(budget, console)


def _cost_document(budget: ContextBudget, failures: Mapping[str, str]) -> dict[str, Any]:
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


def _print_costs(budget: ContextBudget, console: Console) -> None:
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
