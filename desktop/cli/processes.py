"""`processes`: what other runs of the app have running, and what a dead run left behind.

Looks from outside, starts and ends nothing: the window ends processes, the next start cleans up.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import psutil
from msgspec import Struct

from desktop.cli.commands import COMMANDS, read_path_flags
from desktop.cli.exit_codes import Exit
from desktop.cli.options import Options, make_parser
from desktop.cli.output import layout, plain
from desktop.processes.instances import find_instances
from desktop.processes.process_command import read_command_line
from desktop.processes.process_table import read_entry

if TYPE_CHECKING:
    from desktop.base.paths import Paths
    from desktop.cli.output import Console
    from desktop.processes.instances import AppInstance, OwnedProcess

SAMPLE = 0.2
"""Seconds over which CPU is measured."""
APP = "mcp-desktop"
_HEADER: Final = ("OWNER", "PID", "AGE", "CPU", "MEMORY", "COMMAND")
_NOTES = """\
Shows every run of the app that uses this data folder. Memory is PSS on Linux and RSS elsewhere; CPU
is per cent of one core, measured over 0.2 s.

examples:
  mcp-desktop processes
  mcp-desktop processes --json"""


class _Row(Struct, frozen=True):
    """A process as it is shown. `memory` is in bytes."""

    owner: str
    pid: int
    age: float
    cpu: float
    memory: int
    command: str


def run(args: list[str], console: Console) -> int:
    options = make_parser("processes", COMMANDS["processes"], _NOTES).parse(args, Options())
    paths = options.paths
    runs = [
        instance
        for instance in find_instances(paths.data / "processes")
        if _is_ours(instance, paths)
    ]
    runs = [run for run in runs if run.processes]
    began = time.monotonic()
    if runs:
        time.sleep(SAMPLE)  # no loop runs here, and a share of CPU needs two looks
    rows = [_rows(run, time.monotonic() - began) for run in runs]
    if console.as_json:
        console.document(_document(runs, rows, paths))
    else:
        _print(runs, rows, console)
    return Exit.DONE


def _is_ours(run: AppInstance, paths: Paths) -> bool:
    """Whether it works on this data folder. Of one that is dead and kept no ledger: perhaps."""
    if run.is_listed or run.app is None:
        return True
    try:
        _, data = read_path_flags(run.app.cmdline())
        environ = run.app.environ()
        folder = Path(run.app.cwd())
    except (psutil.Error, OSError):
        return False
    data = data or environ.get("MCP_DESKTOP_DATA")
    theirs = folder / Path(data).expanduser() if data else _usual_data()
    return theirs == paths.data


def _usual_data() -> Path:
    from platformdirs import PlatformDirs

    return PlatformDirs(APP, appauthor=False).user_data_path.absolute()


def _rows(run: AppInstance, seconds: float) -> list[_Row]:
    rows = [_row(owned, seconds) for owned in run.processes]
    return [row for row in rows if row is not None]


def _row(owned: OwnedProcess, seconds: float) -> _Row | None:
    process, before = owned.process, owned.entry
    now = read_entry(process.pid)
    if now is None or now.start != before.start:
        return None
    words = read_command_line(process)
    return _Row(
        owner=owned.owner or APP,
        pid=process.pid,
        age=max(0.0, time.time() - process.create_time()),
        cpu=100 * max(0.0, now.seconds - before.seconds) / seconds if seconds > 0 else 0.0,
        memory=_memory(process, now.memory),
        command=words.short if words is not None else now.name,
    )


def _memory(process: psutil.Process, resident: int) -> int:
    try:
        return getattr(process.memory_full_info(), "pss", resident)
    except (psutil.Error, OSError):
        return resident


def _document(runs: list[AppInstance], rows: list[list[_Row]], paths: Paths) -> dict[str, Any]:
    described = [
        {
            "pid": run.pid,
            "running": run.app is not None,
            "processes": [_to_json(row) for row in of_run],
        }
        for run, of_run in zip(runs, rows, strict=True)
    ]
    return {"runs": described, "data": str(paths.data)}


def _to_json(row: _Row) -> dict[str, Any]:
    return {
        "owner": row.owner,
        "pid": row.pid,
        "seconds": round(row.age, 1),
        "cpu_percent": round(row.cpu, 1),
        "memory_bytes": row.memory,
        "command": row.command,
    }


def _print(runs: list[AppInstance], rows: list[list[_Row]], console: Console) -> None:
    shown = [row for of_run in rows for row in of_run]
    if not shown:
        console.write("Nothing is running.")
        return
    header, *lines = layout(_HEADER, [_cells(row) for row in shown], console.width)
    console.write(console.paint(header, "bold"))
    left = 0
    for run, of_run in zip(runs, rows, strict=True):
        for row, line in zip(of_run, lines[left:], strict=False):
            is_app = run.app is not None and row.owner == APP
            console.write(console.paint(line, "dim") if is_app else line)
        left += len(of_run)
    for run, of_run in zip(runs, rows, strict=True):
        if run.app is None and of_run:
            console.note("\n" + console.paint(_leftover_label(run, of_run), "yellow"))


def _leftover_label(run: AppInstance, rows: list[_Row]) -> str:
    pids = ", ".join(str(row.pid) for row in rows)
    if not run.is_listed:
        return f"Left over from a run that kept no records (PID {run.pid}): pid {pids}."
    return f"Left over from an earlier run (PID {run.pid}): pid {pids}; ends at the next start."


def _cells(row: _Row) -> list[str]:
    return [
        plain(row.owner).replace("\n", " ").replace("\t", " "),
        str(row.pid),
        _age_label(row.age),
        f"{row.cpu:.1f} %",
        f"{row.memory / 1_000_000:.1f} MB",
        plain(row.command),
    ]


def _age_label(seconds: float) -> str:
    minutes = int(seconds // 60)
    hours, days = minutes // 60, minutes // 1440
    if days:
        return f"{days} d {hours % 24} h"
    if hours:
        return f"{hours} h {minutes % 60} min"
    return f"{minutes} min" if minutes else f"{int(seconds)} s"
