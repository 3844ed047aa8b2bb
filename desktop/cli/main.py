"""Finds the terminal command, runs it, and turns errors into a message and an exit code.

Imports only the command that runs. Must not do a command's work.
"""

from __future__ import annotations

import gc
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, cast

from desktop import __version__
from desktop.base.did_you_mean import nearest_names
from desktop.base.errors import ConfigError, DesktopError, UsageError
from desktop.cli.commands import COMMANDS, command_module, find_command, find_open_request
from desktop.cli.exit_codes import Exit
from desktop.cli.options import PROGRAM, Options, make_parser
from desktop.cli.output import Console, plain

if TYPE_CHECKING:
    from collections.abc import Callable

_SUMMARY = "a native desktop host for MCP servers; without a command it opens the window"
_NOTES = """\
TOOL is server:tool, or just the tool's name if only one server has it.

exit codes:
  0 done   1 the tool reported an error   2 wrong usage, arguments or config (nothing sent)
  3 the server could not be reached   4 time limit   130 interrupted

examples:
  mcp-desktop servers
  mcp-desktop tools --server everything
  mcp-desktop call everything:get-sum a=1 b=2
  mcp-desktop call calculator:evaluate expression='2*(3+4)' --json
  mcp-desktop doctor everything
  mcp-desktop import cursor
Each command has its own --help. NO_COLOR turns colours off."""


InWindow: TypeAlias = "Callable[[str, list[str]], int]"
"""Runs a module for a command, with its arguments, in the window; returns the exit code."""


class _Command(Protocol):
    """What each module of a command has.

    One that works in the window only checks its arguments, and names the rest in `WINDOW`.
    """

    def run(self, args: list[str], console: Console) -> int: ...


def run_command(args: list[str], in_window: InWindow | None = None) -> int:
    """Run one command line (without the program's name); returns the exit code.

    Args:
        args: flags may stand before or after the command.
        in_window: carries out a command in the window, which belongs to a layer above this one.
    """
    console = Console(as_json="--json" in args)
    try:
        return answer_interruption(_dispatch(args, console, in_window), console)
    except DesktopError as error:
        explain(error, console)
        return Exit.USAGE
    except SystemExit as stop:  # argparse, after --help
        return stop.code if isinstance(stop.code, int) else Exit.DONE
    except KeyboardInterrupt:
        return answer_interruption(Exit.INTERRUPTED, console)


def answer_interruption(code: int, console: Console) -> int:
    """An interrupted run answers too, where a document is waited for."""
    if code == Exit.INTERRUPTED and console.as_json and not console.has_answered:
        console.document(_failure("CancelledError", "Interrupted.", "cancelled"))
    return code


def _dispatch(args: list[str], console: Console, in_window: InWindow | None) -> int:
    name, rest = find_command(args)
    if name is None:
        return _without_command(rest, console)
    if find_open_request(args) is not None:  # what the window would show, where there is none
        name, rest = "import", args
    if name not in COMMANDS:
        near = nearest_names(name, COMMANDS, 1)
        hint = f"Did you mean {near[0]}?" if near else f"Available: {', '.join(COMMANDS)}."
        raise UsageError(f"No command is named {plain(name)!r}.", remedy=hint)
    command = _load(name)
    code = command.run(rest, console)
    window = getattr(command, "WINDOW", "")
    return in_window(window, rest) if window and in_window is not None and not code else code


def _load(name: str) -> _Command:
    command = cast("_Command", import_module(command_module(name)))
    gc.freeze()  # it was off since the start of the program: nothing up to here is garbage
    gc.enable()
    return command


def _without_command(args: list[str], console: Console) -> int:
    """Help, the version, or the server table where there is no screen for the window."""
    commands = "\n".join(f"  {name:<12} {summary}" for name, summary in COMMANDS.items())
    parser = make_parser("[COMMAND]", _SUMMARY, f"commands:\n{commands}\n\n{_NOTES}")
    parser.add_argument("--version", action="version", version=f"{PROGRAM} {__version__}")
    parser.parse(args, Options())
    code = _load("servers").run(args, console)
    if console.as_json:
        return code
    console.note(
        "\nThere is no display, so the window cannot be shown. To get it, set DISPLAY (or "
        "WAYLAND_DISPLAY),\nconnect with ssh -X, or run: xvfb-run mcp-desktop\n"
        "On this terminal: mcp-desktop --help"
    )
    return code


def explain(error: DesktopError, console: Console) -> None:
    """Say why a command was not carried out."""
    place = ""
    if isinstance(error, ConfigError) and error.line is not None and "line " not in str(error):
        place = f" (line {error.line}, column {error.column})"
    console.note(f"{PROGRAM}: {plain(str(error))}{place}")
    if console.as_json:
        code = "invalid_config" if isinstance(error, ConfigError) else "usage"
        answer = _failure(type(error).__name__, str(error), code)
        if isinstance(error, ConfigError):
            answer["error"] |= {"line": error.line, "column": error.column}
        console.document(answer)


def _failure(kind: str, message: str, code: str) -> dict[str, Any]:
    """The shape of a failed call, for what fails before or beside one."""
    error = {"type": kind, "message": message, "code": code}
    return {"success": False, "data": None, "error": error}
