"""`tools`: lists the tools of all enabled servers, or of one, which may be off.

A tool's definition as the protocol itself writes it: what `tools --json` prints.

Source: MCP specification, server/tools, type `Tool`. Copies nothing, changes nothing.

`tools --format`: the tools as a provider is sent them, with what was changed and what it costs.

Imports the converters, which the plain list does without. Must not reach a provider.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from desktop.cli.commands import COMMANDS
from desktop.cli.options import Exit, Options, make_parser
from desktop.cli.output import layout, plain
from desktop.cli.runner import CommandPlan, connect, enabled_servers, failed, named_server, run_core
from desktop.errors import UsageError
from desktop.llm.formats import ApiFormat, Verdict, make_wire_tools

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from desktop.cli.output import Colour, Console
    from desktop.config.models import ServerConfig
    from desktop.config.store import ConfigStore
    from desktop.core import Core
    from desktop.llm.formats import Declaration, WireTools
    from desktop.tool_types import Annotations, ToolDefinition

_HINTS = {
    "read_only": "readOnlyHint",
    "destructive": "destructiveHint",
    "idempotent": "idempotentHint",
    "open_world": "openWorldHint",
}


def to_mcp(tool: ToolDefinition) -> dict[str, Any]:
    """The definition; keys that the server left out are left out."""
    optional: dict[str, Any] = {
        "title": tool.title,
        "description": tool.description,
        "outputSchema": tool.output_schema,
        "annotations": _annotations(tool.annotations),
        "icons": list(tool.icons),
        "execution": dict(tool.execution),
        "_meta": dict(tool.metadata.raw),
    }
    shown = {key: value for key, value in optional.items() if value}
    return {"name": tool.name, "inputSchema": tool.input_schema, **shown}


def _annotations(hints: Annotations) -> dict[str, bool]:
    said: dict[str, bool | None] = asdict(hints)
    return {_HINTS[name]: value for name, value in said.items() if value is not None}


_COLOURS: dict[str, Colour] = {
    Verdict.OK: "green",
    Verdict.REPAIRED: "yellow",
    Verdict.REJECTED: "red",
}


def show_declared(
    definitions: Sequence[ToolDefinition], name: str, failed: Mapping[str, str], screen: Console
) -> None:
    """Print them in the format `name`; `failed` says why a server has none, for the document."""
    made = make_wire_tools(definitions, ApiFormat(name))
    if screen.as_json:
        screen.document(_document(made, failed))
    else:
        _print_format_table(made, screen)


def _document(made: WireTools, failed: Mapping[str, str]) -> dict[str, Any]:
    return {
        "format": made.api_format,
        "tools": made.tools,
        "report": [_report(each) for each in _all(made)],
        "tokens": made.tokens,
        "warnings": made.warnings,
        "failed": dict(failed),
    }


def _report(made: Declaration) -> dict[str, Any]:
    return {
        "key": made.key,
        "name": made.wire_name,
        "verdict": made.verdict,
        "reason": made.reason,
        "tokens": made.tokens,
        "changes": [asdict(change) for change in made.changes],
    }


def _print_format_table(made: WireTools, screen: Console) -> None:
    rows = [[each.wire_name, f"{each.tokens:>6,}", _verdict(each)] for each in _all(made)]
    if rows:
        header, *lines = layout(
            ("NAME FOR THE MODEL", "TOKENS", "VERDICT"), rows, screen.width, _tint(screen)
        )
        screen.write(screen.paint(header, "bold"))
        screen.write("\n".join(lines))
    count = len(made.declarations)
    tools = "1 tool" if count == 1 else f"{count} tools"
    screen.write(f"{tools}, about {made.tokens:,} tokens in every request (an estimate).")
    told = {each.reason for each in made.quarantined}
    for warning in made.warnings:
        if warning not in told:
            screen.note(plain(warning))


def _verdict(made: Declaration) -> str:
    """The last cell of a row: the verdict, and of a name that says too little, whose it is."""
    if made.verdict is Verdict.REJECTED:
        return f"{made.verdict}: {_format_line(made.reason)}"
    changes = "1 change" if len(made.changes) == 1 else f"{len(made.changes)} changes"
    words = f"{made.verdict} ({changes})" if made.changes else str(made.verdict)
    is_plain = made.wire_name.endswith(made.key.replace(":", "__", 1))
    return words if is_plain else f"{words} {_format_line(made.key)}"


def _format_line(text: str) -> str:
    return plain(text).replace("\n", " ").replace("\t", " ")


def _tint(screen: Console) -> Callable[[str], str]:
    def tint(cell: str) -> str:
        word = cell.partition(" ")[0].rstrip(":…")
        return screen.paint(cell, _COLOURS[word]) if word in _COLOURS else cell

    return tint


def _all(made: WireTools) -> tuple[Declaration, ...]:
    return made.declarations + made.quarantined


_NOTES = """\
--json prints each definition whole, as the protocol writes it, with its server beside it.
With another --format than mcp it prints the exact "tools" of a request to that provider, and a
report on each tool: its name for the model, verdict, changes and tokens (an estimate).
Exit 3 when none of the servers could be reached.

examples:
  mcp-desktop tools
  mcp-desktop tools --server everything --json
  mcp-desktop tools --format gemini"""
_FORMATS = ("mcp", "openai", "openai-responses", "anthropic", "gemini")


class ToolsOptions(Options):
    """What `tools` is told."""

    server: str | None = None
    format: str


def run(args: list[str], screen: Console) -> int:
    parser = make_parser("tools", COMMANDS["tools"], _NOTES)
    parser.add_argument("--server", metavar="NAME", help="this server alone, also if it is off")
    parser.add_argument(
        "--format", metavar="FORMAT", default="mcp", help=f"one of {', '.join(_FORMATS)}"
    )
    options = parser.parse(args, ToolsOptions())
    if options.format not in _FORMATS:
        raise UsageError(
            f"There is no format {plain(options.format)!r}.",
            remedy=f"There are: {', '.join(_FORMATS)}.",
        )

    def choose(store: ConfigStore) -> list[ServerConfig]:
        one = options.server
        return enabled_servers(store) if one is None else [named_server(store, one)]

    async def show(core: Core, chosen: list[ServerConfig]) -> int:
        await connect(core, chosen, screen)
        if options.format == "mcp":
            (_print_json if screen.as_json else _print_table)(core, screen)
        else:
            _print_declared(core, options.format, screen)
        unreachable = failed(core)
        for connection in unreachable:
            screen.note(plain(connection.state.error or connection.state.words))
        all_failed = chosen and len(unreachable) == len(chosen)
        return Exit.UNREACHABLE if all_failed else Exit.DONE

    return run_core(options, CommandPlan(choose, show))


def _print_json(core: Core, screen: Console) -> None:
    tools = [{"server": one.server, "key": one.key, **to_mcp(one)} for one in _listed(core)]
    screen.document({"tools": tools, "failed": _missing(core)})


def _print_declared(core: Core, name: str, screen: Console) -> None:

    show_declared(_listed(core), name, _missing(core), screen)


def _print_table(core: Core, screen: Console) -> None:
    rows = [[plain(one.key), _line(one.title), _line(one.description)] for one in _listed(core)]
    if not rows:
        screen.note("No tools." if core.service.connections else "No server is switched on.")
        return
    header, *lines = layout(("TOOL", "TITLE", "DESCRIPTION"), rows, screen.width)
    screen.write(screen.paint(header, "bold"))
    screen.write("\n".join(lines))


def _missing(core: Core) -> dict[str, str]:
    return {one.name: one.state.error or one.state.words for one in failed(core)}


def _listed(core: Core) -> list[ToolDefinition]:
    return [tool for one in core.service.connections.values() for tool in one.tools]


def _line(text: str) -> str:
    return plain(text).strip().partition("\n")[0].replace("\t", " ")
