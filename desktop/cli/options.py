"""The flags that every command takes, and the parser that says what is wrong with the others.

Must not run anything.
"""

from __future__ import annotations

import argparse
from typing import NoReturn, TypeVar

from desktop.errors import UsageError

PROGRAM = "mcp-desktop"


class Options(argparse.Namespace):
    """What every command is told."""

    json: bool = False
    verbose: bool = False
    config: str | None = None
    data_dir: str | None = None


OptionsT = TypeVar("OptionsT", bound=Options)


class Parser(argparse.ArgumentParser):
    """Raises instead of leaving the process, so that `--json` can answer a wrong command too."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message[:1].upper()}{message[1:]}.", remedy=self.format_usage().strip())

    def parse(self, args: list[str], options: OptionsT) -> OptionsT:
        """Fill `options` from `args`, flags and words in any order.

        Raises:
            UsageError: they do not fit.
        """
        # Not into `options` at once: argparse takes attributes off the namespace while it works.
        vars(options).update(vars(self.parse_intermixed_args(args)))
        return options


def make_parser(command: str, summary: str, notes: str) -> Parser:
    """A parser that knows the shared flags; `notes` is printed under them as it is."""
    parser = Parser(
        prog=f"{PROGRAM} {command}".strip(),
        description=f"{summary[:1].upper()}{summary[1:]}.",
        epilog=notes,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
        add_help=False,
    )
    shared = parser.add_argument_group("flags of every command")
    shared.add_argument("--json", action="store_true", help="one JSON document on stdout")
    shared.add_argument("--config", metavar="FILE", help="the mcpServers file to use")
    shared.add_argument("--data-dir", metavar="DIR", help="where logs and state are kept")
    shared.add_argument("--verbose", action="store_true", help="tell on stderr what happens")
    shared.add_argument("-h", "--help", action="help", help="show this and leave")
    return parser
