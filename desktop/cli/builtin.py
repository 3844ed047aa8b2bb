"""`builtin`: lists the servers that come with the app; with a name, serves that one over stdio."""

from __future__ import annotations

from typing import TYPE_CHECKING

from builtin_servers.catalog import CATALOG
from desktop.cli.exits import Exit
from desktop.cli.names import COMMANDS
from desktop.cli.options import Options, make_parser
from desktop.cli.table import layout
from desktop.errors import UsageError

if TYPE_CHECKING:
    from desktop.cli.screen import Screen

_NOTES = """\
examples:
  mcp-desktop builtin
  mcp-desktop builtin calculator      (speaks MCP on stdin and stdout)"""


class BuiltinOptions(Options):
    """What `builtin` is told."""

    name: str | None = None


def run(args: list[str], screen: Screen) -> int:
    parser = make_parser("builtin", COMMANDS["builtin"], _NOTES)
    parser.add_argument("name", metavar="NAME", nargs="?", help="the server to serve")
    options = parser.parse(args, BuiltinOptions())
    if options.name is not None:
        return _serve(options.name)
    if screen.as_json:
        screen.document(
            {
                "servers": [
                    {"name": name, "title": entry.title, "description": entry.description}
                    for name, entry in CATALOG.items()
                ]
            }
        )
        return Exit.DONE
    rows = [[name, entry.title, entry.description] for name, entry in CATALOG.items()]
    screen.write("\n".join(layout(("NAME", "TITLE", "DESCRIPTION"), rows, screen.width)))
    return Exit.DONE


def _serve(name: str) -> int:
    """Most runs never get here: `desktop.__main__` serves `builtin NAME` without a parser."""
    if name not in CATALOG:
        raise UsageError(
            f"There is no built-in server {name!r}.", remedy=f"There are: {', '.join(CATALOG)}."
        )
    from builtin_servers.launch import run as serve

    return serve(name)
