"""The executables of a bundle: one, but on Windows two, as Python itself has them there.

There an executable either has a console, and opens one where it has none to use, or writes nothing
that a terminal shows. `desktop.base.paths.console_program` knows both names.
"""

from __future__ import annotations

from dataclasses import dataclass

from desktop.base.paths import APP, WINDOWED


@dataclass(frozen=True)
class Program:
    """`console` as PyInstaller means it: on macOS, an app with one never gets a window."""

    name: str
    console: bool
    description: str


def programs(platform: str) -> list[Program]:
    """What is built for `platform`; the first serves terminals, built-in servers and the rest."""
    first = Program(APP, platform != "darwin", "mcp-desktop for terminals")
    if platform != "win32":
        return [first]
    return [first, Program(f"{APP}{WINDOWED}", False, "mcp-desktop")]
