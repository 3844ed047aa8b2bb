"""`tools`: lists the tools of all enabled servers, or of one, which may be off.

With `--json` each definition is printed whole, as the protocol itself writes it. Source: MCP
specification, server/tools, type `Tool`. What `--format` and `--cost` print is a feature's
(`FORMATS`).
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from msgspec.structs import asdict

from desktop.base.errors import UsageError
from desktop.base.visible_text import mark_hidden
from desktop.cli.commands import COMMANDS, FORMATS
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
    from desktop.cli.output import Console
    from desktop.config.models import ServerConfig
    from desktop.config.store import ConfigStore
    from desktop.core import Core
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
_FORMATS = ("mcp", "openai", "openai-responses", "anthropic", "gemini") if FORMATS else ("mcp",)


class ToolsOptions(ServerOptions):
    """The options of `tools`."""

    format: str
    cost: bool = False
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
    if FORMATS:
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
            await _print_costs(core, options, console)
        elif options.format == "mcp":
            (_print_json if console.as_json else _print_table)(core, console)
        else:
            _print_wire_tools(core, options.format, console)
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


def _print_wire_tools(core: Core, api_format: str, console: Console) -> None:
    import_module(FORMATS[0]).print_wire_tools(_tools(core), api_format, failures(core), console)


async def _print_costs(core: Core, options: ToolsOptions, console: Console) -> None:
    api_format = "anthropic" if options.format == "mcp" else options.format
    printer = import_module(FORMATS[0])
    await printer.print_costs(
        _tools(core), api_format, options.model or "", failures(core), console
    )


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
