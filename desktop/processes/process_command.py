"""How a process was called, as a person reads it: the package it runs, without secrets.

Reads and formats; must not look at anything but the one process.
"""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING, NamedTuple

from desktop.processes.package_runners import program_name, readable
from desktop.processes.process_table import format_command, read_words
from desktop.redaction.command_line import redact_words

if TYPE_CHECKING:
    import psutil


class ProcessCommand(NamedTuple):
    """What it runs, its command line, the same without the program's folder, and a short title.

    `title` is the package with the program that runs it, or `short` where there is no package.
    """

    name: str
    command: str
    short: str
    title: str


def read_command_line(process: psutil.Process) -> ProcessCommand | None:
    """How a process was called, truncated and with secrets masked; None if it cannot be read."""
    words = read_words(process)
    return describe_command(words) if words else None


def describe_command(words: list[str]) -> ProcessCommand:
    """The same of words that were read before, of which there is at least one."""
    shown = readable(words)
    program = PurePath(shown[0]).name
    name = redact_words([program_name(words) or program])[0]
    short = format_command([program, *shown[1:]])
    title = short if name == program else f"{format_command([name])}  ({program})"
    return ProcessCommand(format_command([name]), format_command(words), short, title)
