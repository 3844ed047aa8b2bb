"""`screenshots`: parses the command; the window makes the pictures."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from desktop.cli.commands import COMMANDS
from desktop.cli.options import Exit, Options, make_parser
from desktop.errors import UsageError

if TYPE_CHECKING:
    from desktop.cli.output import Console

_NOTES = """\
Works without a display.

example:
  mcp-desktop screenshots ./pictures"""


class ScreenshotsOptions(Options):
    """What `screenshots` is told."""

    directory: Path = Path()


def read(args: list[str]) -> ScreenshotsOptions:
    """What `args` ask for.

    Raises:
        UsageError: they do not fit, or DIR is a file.
    """
    parser = make_parser("screenshots", COMMANDS["screenshots"], _NOTES)
    parser.add_argument("directory", metavar="DIR", type=Path, help="created if missing")
    options = parser.parse(args, ScreenshotsOptions())
    if options.directory.exists() and not options.directory.is_dir():
        raise UsageError(f"{options.directory} is not a folder.")
    return options


def run(args: list[str], console: Console) -> int:
    """Check the command; what comes after it belongs to the caller."""
    read(args)
    return Exit.DONE
