"""`tools`: lists the tools of all enabled servers, or of one, which may be off.

With `--json` each definition is printed whole, as the protocol itself writes it. Source: MCP
specification, server/tools, type `Tool`. `--format` prints the tools as a provider is sent them and
what changed, `--cost` what they cost: estimates, and said to be. Must not reach a provider, and the
plain list does without the converters of `desktop.llm`.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from desktop.base.errors import UsageError
from desktop.base.visible_text import mark_hidden
from desktop.cli.commands import COMMANDS
from desktop.cli.listing import (
    asked_servers,
    failures,
    finish_listing,
    first_line,
    note_left_out,
    note_oddities,
)
from desktop.cli.options import (
    Options,
    ServerOptions,
    add_client,
    add_no_attach,
    add_server,
    make_parser,
)
from desktop.cli.output import layout, plain
from desktop.cli.runner import CommandPlan, connect, run_core

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from desktop.cli.output import Colour, Console
    from desktop.config.models import ServerConfig
    from desktop.config.store import ConfigStore
    from desktop.core import Core
    from desktop.llm.context_budget import Advice, ContextBudget
    from desktop.llm.formats import Declaration, WireTools
    from desktop.values.tool_types import Annotations, ToolDefinition

_NOTES = """\
--json prints each full definition as in the protocol, with its server, and its problems if it
violates the protocol; such a tool is still listed and can be called.
A --format other than mcp prints the exact "tools" of a request to that provider, and a report on
each tool: its name for the model, verdict, changes and tokens (an estimate).
--cost prints what each tool takes of a model's context window in the --format, by default that of
Anthropic, which has the schemas as they are; with --model, its share of the window, too.
Exit code 3 if no server could be reached, 2 if all of them await your approval.

examples:
  mcp-desktop tools
  mcp-desktop tools --server everything --json
  mcp-desktop tools --format gemini
  mcp-desktop tools --cost --model gpt-5"""
_ANNOTATION_KEYS = {
    "read_only": "readOnlyHint",
    "destructive": "destructiveHint",
    "idempotent": "idempotentHint",
    "open_world": "openWorldHint",
}
_FORMATS = ("mcp", "openai", "openai-responses", "anthropic", "gemini")


class ToolsOptions(ServerOptions):
    """The options of `tools`."""

    format: str
    cost: bool
    model: str | None = None


def run(args: list[str], console: Console) -> int:
    return run_core(*plan(args, console))


def plan(args: list[str], console: Console) -> tuple[Options, CommandPlan]:
    """What is to be done, read but not begun."""
    parser = make_parser("tools", COMMANDS["tools"], _NOTES)
    add_server(parser)
    add_client(parser)
    parser.add_argument(
        "--format", metavar="FORMAT", default="mcp", help=f"one of {', '.join(_FORMATS)}"
    )
    parser.add_argument("--cost", action="store_true", help="tokens of each tool (an estimate)")
    parser.add_argument("--model", metavar="MODEL", help="with --cost: whose context window")
    add_no_attach(parser)
    options = parser.parse(args, ToolsOptions())
    if options.format not in _FORMATS:
        raise UsageError(
            f"No format is named {plain(options.format)!r}.",
            remedy=f"Available: {', '.join(_FORMATS)}.",
        )
    if options.model is not None and not options.cost:
        raise UsageError("--model is used with --cost alone.")

    def choose(store: ConfigStore) -> list[ServerConfig]:
        return asked_servers(store, options.server_names)

    async def show(core: Core, chosen: list[ServerConfig]) -> int:
        await connect(core, chosen, console)
        if options.cost:
            priced = "anthropic" if options.format == "mcp" else options.format
            failed, model = failures(core), options.model or ""
            await print_costs(_tools(core), priced, model, failed, console)
        elif options.format == "mcp":
            (_print_json if console.as_json else _print_table)(core, console)
        else:
            print_wire_tools(_tools(core), options.format, failures(core), console)
        _note_problems(core, console)
        note_oddities(core, console, "tools/list")
        note_left_out(core, [tool.definition for tool in core.registry.all()], console)
        return finish_listing(core, chosen, console)

    return options, CommandPlan(choose, show)


def _print_json(core: Core, console: Console) -> None:
    tools = [
        {"server": tool.server, "key": tool.key, **to_mcp(tool), **_problems(tool)}
        | ({"nameForModel": _name(core, tool)} if core.surroundings.client else {})
        for tool in _tools(core)
    ]
    console.document({"tools": tools, "failed": failures(core)})


def _problems(tool: ToolDefinition) -> dict[str, Any]:
    """What of the definition breaks the protocol, where something does."""
    return {"problems": list(tool.problems)} if tool.problems else {}


def _note_problems(core: Core, console: Console) -> None:
    """Say on stderr what is wrong with tools; all the rest of them is there."""
    for tool in _tools(core):
        if tool.problems:
            problems = "; ".join(tool.problems)
            console.note(plain(f"{tool.key} violates the protocol: {problems}"))


def _print_table(core: Core, console: Console) -> None:
    rows = [
        [mark_hidden(_name(core, tool)), first_line(tool.title), first_line(tool.description)]
        for tool in _tools(core)
    ]
    if not rows:
        console.note("No tools." if core.service.connections else "No server is switched on.")
        return
    header, *lines = layout(("TOOL", "TITLE", "DESCRIPTION"), rows, console.width)
    console.write(console.paint(header, "bold"))
    console.write("\n".join(lines))


def _tools(core: Core) -> list[ToolDefinition]:
    found = [tool for connection in core.service.connections.values() for tool in connection.tools]
    client = core.surroundings.client
    return found if client is None else client.offered(found)


def _name(core: Core, tool: ToolDefinition) -> str:
    """The key; for the model of another client, the name that it gets."""
    client = core.surroundings.client
    return tool.key if client is None else client.wire_name(tool.server, tool.name)


def to_mcp(tool: ToolDefinition) -> dict[str, Any]:
    """The definition as the protocol writes it; keys that the server left out are left out."""
    optional: dict[str, Any] = {
        "title": tool.title,
        "description": tool.description,
        "outputSchema": tool.output_schema,
        "annotations": _annotations(tool.annotations),
        "icons": list(tool.icons),
        "execution": dict(tool.execution),
        "_meta": dict(tool.metadata.raw),
    }
    present = {key: value for key, value in optional.items() if value}
    return {"name": tool.name, "inputSchema": tool.input_schema, **present}


def _annotations(hints: Annotations) -> dict[str, bool]:
    values: dict[str, bool | None] = asdict(hints)
    return {_ANNOTATION_KEYS[name]: value for name, value in values.items() if value is not None}


_COLOURS: dict[str, Colour] = {
    "ok": "green",
    "repaired": "yellow",
    "rejected": "red",
}


def print_wire_tools(
    definitions: Sequence[ToolDefinition],
    api_format: str,
    failed: Mapping[str, str],
    console: Console,
) -> None:
    """Print the tools as `api_format` writes them.

    `failed` says why a server has no tools, by its name; only the JSON document has it.
    """
    from desktop.llm.formats import ApiFormat, make_wire_tools

    table = make_wire_tools(definitions, ApiFormat(api_format))
    if console.as_json:
        console.document(_document(table, failed))
    else:
        _print_wire_table(table, console)


def _document(table: WireTools, failed: Mapping[str, str]) -> dict[str, Any]:
    return {
        "format": table.api_format,
        "tools": table.tools,
        "report": [_report(declaration) for declaration in _all(table)],
        "tokens": table.tokens,
        "warnings": table.warnings,
        "failed": dict(failed),
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


def _print_wire_table(table: WireTools, console: Console) -> None:
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
    if verdict == "rejected":
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
    failed: Mapping[str, str],
    console: Console,
) -> None:
    """Print the costs in `api_format`; of a known `model`, the shares of its window, too.

    `failed` says why a server has no tools, by its name; only the JSON document has it.
    """
    from desktop.llm.context_budget import estimate_budget
    from desktop.llm.formats import ApiFormat

    budget = await estimate_budget(definitions, ApiFormat(api_format), model)
    if console.as_json:
        console.document(_cost_document(budget, failed))
    else:
        _print_budget(budget, console)


def _cost_document(budget: ContextBudget, failed: Mapping[str, str]) -> dict[str, Any]:
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
        "failed": dict(failed),
    }


def _print_budget(budget: ContextBudget, console: Console) -> None:
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
