"""`builtin`: lists the servers that come with the app; with a name, serves that one over stdio.

What follows the name is the server's own: see `CatalogEntry.usage`.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from builtin_servers.catalog import CATALOG, is_left_out
from desktop.base.errors import UsageError
from desktop.cli.commands import COMMANDS
from desktop.cli.exit_codes import Exit
from desktop.cli.options import Options, make_parser
from desktop.cli.output import layout

if TYPE_CHECKING:
    from desktop.cli.output import Console

_NOTES = """\
examples:
  mcp-desktop builtin
  mcp-desktop builtin calculator                (speaks MCP on stdin and stdout)
  mcp-desktop builtin sqlite books.db           (reads that database only)"""


class BuiltinOptions(Options):
    """What `builtin` is told."""

    name: str | None = None
    arguments: tuple[str, ...] = ()


def run(args: list[str], console: Console) -> int:
    parser = make_parser("builtin", COMMANDS["builtin"], _NOTES)
    parser.add_argument("name", metavar="NAME", nargs="?", help="the server to run")
    parser.add_argument("arguments", metavar="ARGUMENT", nargs="*", help="arguments of the server")
    options = parser.parse(args, BuiltinOptions())
    if options.name is not None:
        return _serve(options)
    if console.as_json:
        console.document(
            {
                "servers": [
                    {
                        "name": name,
                        "title": entry.title,
                        "description": entry.description,
                        "arguments": entry.usage,
                    }
                    for name, entry in CATALOG.items()
                ]
            }
        )
        return Exit.DONE
    rows = [[name, entry.usage, entry.description] for name, entry in CATALOG.items()]
    console.write("\n".join(layout(("NAME", "ARGUMENTS", "DESCRIPTION"), rows, console.width)))
    return Exit.DONE


def _serve(options: BuiltinOptions) -> int:
    """Most runs never get here: `desktop.__main__` serves `builtin NAME` without a parser."""
    name = options.name or ""
    if is_left_out(name):
        from desktop.config.models import not_on_windows

        raise UsageError(not_on_windows(name))
    if name not in CATALOG:
        raise UsageError(
            f"No built-in server is named {name!r}.", remedy=f"Available: {', '.join(CATALOG)}."
        )
    from builtin_servers.launch import run as serve

    if options.data_dir is not None:
        os.environ["MCP_DESKTOP_DATA"] = os.path.abspath(os.path.expanduser(options.data_dir))
    return serve(name, options.arguments)
