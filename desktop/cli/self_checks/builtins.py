"""What each built-in server is started with and asked, all of it in a folder of the self-test's.

Only says so; `servers` does it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from desktop.cli.self_checks.loopback import PAGE
from desktop.cli.self_checks.servers import SUM, TrialCall

if TYPE_CHECKING:
    from pathlib import Path

_TEXT = "written by the self-test: ü"


@dataclass(frozen=True, slots=True)
class BuiltinTrial:
    """One call of a built-in server; `arguments` follow its name."""

    call: TrialCall
    arguments: tuple[str, ...] = ()


def trials(folder: Path, address: str) -> dict[str, BuiltinTrial]:
    """By built-in server. Makes `folder`; `address` is where `loopback` serves."""
    folder.mkdir()
    note = folder / "note.txt"
    note.write_text(_TEXT, encoding="utf-8")
    database = folder / "empty.db"
    database.touch()  # SQLite takes it for a database without tables
    thing = {"name": "self-test", "entityType": "run", "observations": ["it was here"]}
    return {
        "calculator": BuiltinTrial(SUM),
        "time": BuiltinTrial(TrialCall("get_current_time", {"timezone": "UTC"}, "UTC")),
        "filesystem": BuiltinTrial(
            TrialCall("read_text_file", {"path": str(note)}, _TEXT), ("--read-only", str(folder))
        ),
        "shell": BuiltinTrial(
            TrialCall("run_command", {"command": "echo self-test"}, "self-test"),
            ("--cwd", str(folder)),
        ),
        "fetch": BuiltinTrial(
            TrialCall("fetch", {"url": f"{address}/"}, PAGE),
            ("--allow-private", "--ignore-robots-txt"),
        ),
        "memory": BuiltinTrial(
            TrialCall("create_entities", {"entities": [thing]}, "it was here"),
            ("--file", str(folder / "memory.db")),
        ),
        "sqlite": BuiltinTrial(
            TrialCall("read_query", {"query": "SELECT 6 * 7 AS answer"}, "42"),
            (str(database),),
        ),
    }
