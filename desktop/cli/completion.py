"""`completion`: prints what makes a shell complete the commands, their flags and their files.

The flags are those of the commands' own parsers, so that none is forgotten here. Must not run a
command.
"""

from __future__ import annotations

import argparse
from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from desktop.cli.commands import COMMANDS, command_module
from desktop.cli.exit_codes import Exit
from desktop.cli.options import DESCRIBE, PROGRAM, DescribedError, Options, Parser, make_parser

if TYPE_CHECKING:
    from collections.abc import Iterator

    from desktop.cli.output import Console

_SHELLS: Final = ("bash", "zsh", "fish", "tcsh")
_FILES: Final = {"FILE", "DIR", "FILE|DIR", "FILE|-", "RECORDING", "FILE|APP|LINK"}
"""What flags call a value that is a file or a folder."""
_NOTES = """\
Put the output where your shell looks for it:
  bash  mcp-desktop completion bash > ~/.local/share/bash-completion/completions/mcp-desktop
  zsh   mcp-desktop completion zsh > "${fpath[1]}/_mcp-desktop"
  fish  mcp-desktop completion fish > ~/.config/fish/completions/mcp-desktop.fish

examples:
  mcp-desktop completion bash"""


class CompletionOptions(Options):
    """What `completion` is told."""

    shell: str = ""


def run(args: list[str], console: Console) -> int:
    parser = make_parser("completion", COMMANDS["completion"], _NOTES)
    parser.add_argument("shell", choices=_SHELLS)
    options = parser.parse(args, CompletionOptions())
    text = script(options.shell, console)
    if console.as_json:
        console.document({"shell": options.shell, "script": text})
    else:
        console.write(text)
    return Exit.DONE


def script(shell: str, console: Console) -> str:
    """What makes a shell complete the commands."""
    import shtab  # brings nothing that another command needs

    return shtab.complete(whole_parser(console), shell)


def whole_parser(console: Console) -> argparse.ArgumentParser:
    """All commands with their flags, as one parser; it describes, and parses nothing."""
    whole = argparse.ArgumentParser(PROGRAM, description="a native desktop host for MCP servers")
    commands = whole.add_subparsers(dest="command", title="commands")
    for name, parser in _parsers(console):
        _complete_files(parser)
        commands.add_parser(name, parents=[parser], add_help=False, help=COMMANDS[name])
    return whole


def _parsers(console: Console) -> Iterator[tuple[str, Parser]]:
    for name in COMMANDS:
        module: Any = import_module(command_module(name))
        try:
            with suppress(SystemExit):
                module.run([DESCRIBE], console)
        except DescribedError as described:
            yield name, described.parser


def _complete_files(parser: Parser) -> None:
    import shtab

    for action in parser.arguments:
        if isinstance(action.metavar, str) and action.metavar in _FILES:
            setattr(action, "complete", shtab.FILE)  # noqa: B010 - shtab's own, unknown to argparse
