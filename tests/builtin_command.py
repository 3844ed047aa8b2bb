"""The command that serves a built-in server without the app: as bare as the app starts it."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = str(Path(__file__).parent.parent)


def builtin(name: str) -> tuple[str, list[str]]:
    return run_code(f"from builtin_servers.launch import run; sys.exit(run({name!r}))")


def ignore(progress: float, total: float | None, message: str) -> None:
    """Takes a call's progress where a test has no use for it."""


def run_code(code: str) -> tuple[str, list[str]]:
    """A Python process that finds the project and, of all else, the standard library only."""
    path = f"import sys; sys.path.insert(0, {ROOT!r}); "
    return sys.executable, ["-I", "-S", "-c", path + code]
