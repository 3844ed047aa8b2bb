"""`tools`: lists the tools of all enabled servers, or of one, which may be off."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.cli.exits import Exit
from desktop.cli.mcp_shape import to_mcp
from desktop.cli.names import COMMANDS
from desktop.cli.options import Options, make_parser
from desktop.cli.reaching import connect, enabled_servers, failed, named_server
from desktop.cli.run import CommandPlan, run_core
from desktop.cli.screen import plain
from desktop.cli.table import layout
from desktop.errors import UsageError

if TYPE_CHECKING:
    from desktop.cli.screen import Console
    from desktop.config.models import ServerConfig
    from desktop.config.store import ConfigStore
    from desktop.core import Core
    from desktop.tool_types import ToolDefinition

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
    from desktop.cli.declared import show_declared  # not at import: a plain list does without

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
