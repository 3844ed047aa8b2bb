"""What each built-in server is started with and asked, all of it in a folder of the self-test's.

Only says so; `servers` does it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from desktop.cli.self_checks.loopback import PAGE
from desktop.cli.self_checks.servers import SUM, SafeCall

if TYPE_CHECKING:
    from pathlib import Path

_TEXT = "written by the self-test: ü"


@dataclass(frozen=True, slots=True)
class Trial:
    """One call of a built-in server; `arguments` follow its name."""

    call: SafeCall
    arguments: tuple[str, ...] = ()


def trials(folder: Path, address: str) -> dict[str, Trial]:
    """By built-in server. Makes `folder`; `address` is where `loopback` serves."""
    folder.mkdir()
    note = folder / "note.txt"
    note.write_text(_TEXT, encoding="utf-8")
    database = folder / "empty.db"
    database.touch()  # SQLite takes it for a database without tables
    thing = {"name": "self-test", "entityType": "run", "observations": ["it was here"]}
    return {
        "calculator": Trial(SUM),
        "time": Trial(SafeCall("get_current_time", {"timezone": "UTC"}, "UTC")),
        "filesystem": Trial(
            SafeCall("read_text_file", {"path": str(note)}, _TEXT), ("--read-only", str(folder))
        ),
        "shell": Trial(
            SafeCall("run_command", {"command": "echo self-test"}, "self-test"),
            ("--cwd", str(folder)),
        ),
        "fetch": Trial(
            SafeCall("fetch", {"url": f"{address}/"}, PAGE),
            ("--allow-private", "--ignore-robots-txt"),
        ),
        "memory": Trial(
            SafeCall("create_entities", {"entities": [thing]}, "it was here"),
            ("--file", str(folder / "memory.db")),
        ),
        "sqlite": Trial(
            SafeCall("read_query", {"query": "SELECT 6 * 7 AS answer"}, "42"),
            (str(database),),
        ),
    }
