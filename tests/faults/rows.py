"""The servers of the fault matrix, by what each does wrong. Only names: `tests/servers` does it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tests.server_commands import command

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class Fault:
    """A test server, and how many processes it has once it runs (0: it is soon gone)."""

    script: str
    processes: int = 1
    args: tuple[str, ...] = ()


ROWS = {
    "well_behaved": Fault("plain"),
    "ignores_eof": Fault("ignores_eof"),
    "ignores_sigterm": Fault("ignores_sigterm"),
    "ignores_both": Fault("stubborn"),
    "leaves_child": Fault("leaves_child", 2),
    "setsid_child": Fault("setsid_child", 2),
    "daemon_without_environment": Fault("daemon_child", 2),
    "shell_wrapper": Fault("shell_wrapper", 2),
    "crash_while_child_holds_stdout": Fault("crash_child_holds_stdout"),
    "floods_stderr": Fault("floods_stderr"),
    "never_answers": Fault("silent"),
    "exits_at_once": Fault("exits_at_start", 0),
    "hundred_children": Fault("many_children", 101, ("--count", "100")),
}
CRASHING = "crash_while_child_holds_stdout"
SILENT = "never_answers"


def entry(fault: Fault, marker: str, *, enabled: bool = True) -> dict[str, Any]:
    """The server as the config file has it; each of its processes carries `marker`."""
    program, args = command(fault.script, "--marker", marker, *fault.args)
    return {"command": program, "args": args, "enabled": enabled}


def document(
    rows: Mapping[str, Fault], run: str, *, enabled: bool = True, later: str = ""
) -> dict[str, Any]:
    """A config file with a server for each row; the one named `later` is off at first."""
    return {
        "mcpServers": {
            name: entry(fault, marker(run, name), enabled=enabled and name != later)
            for name, fault in rows.items()
        }
    }


def marker(run: str, name: str) -> str:
    """What the processes of one server of one run carry among their arguments."""
    return f"{run}-{name}"
