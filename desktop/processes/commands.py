"""How a process is called: its command line, bounded and with secrets covered.

Asks the system once; keeps nothing.
"""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING, NamedTuple

import psutil

from desktop.redaction.command_line import redact_command

if TYPE_CHECKING:
    from collections.abc import Sequence

MAX_COMMAND = 400
"""Characters of a command line that are kept."""


class CommandWords(NamedTuple):
    """Name of the program, its command line, and that without the program's folder."""

    name: str
    command: str
    short: str


def command_words(process: psutil.Process) -> CommandWords | None:
    """How to call it, bounded and with secrets covered; None while it has no command line.

    A zombie has none any more, a process that was just started may have none yet.
    """
    try:
        words = process.cmdline()
    except psutil.Error:
        return None
    while words and not words[-1]:  # a program that gave itself a title, as npx does, leaves these
        words.pop()
    if not words:
        return None
    program = PurePath(words[0]).name
    return CommandWords(bounded([program]), bounded(words), bounded([program, *words[1:]]))


def bounded(words: Sequence[str]) -> str:
    """A command line on one line of at most `MAX_COMMAND` characters."""
    short: list[str] = []
    room = MAX_COMMAND
    for word in words:
        # Cut after covering only: a cut before could part a secret from its name.
        short.append(word[: MAX_COMMAND * 4])
        room -= len(word)
        if room < -MAX_COMMAND * 4:
            break
    line = " ".join(redact_command(short).split())
    return line if len(line) <= MAX_COMMAND else f"{line[: MAX_COMMAND - 1]}…"
