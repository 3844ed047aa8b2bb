"""Takes apart a command line as READMEs print it. Pure; must not know widgets."""

from __future__ import annotations

import re
import shlex
import sys
from dataclasses import dataclass

_PROMPT = re.compile(r"^\s*[$>%]\s+")
_ASSIGNMENT = re.compile(r"[A-Za-z_][A-Za-z0-9_]*=")


@dataclass(frozen=True, slots=True)
class CommandLine:
    """A program, its arguments, and the variables that were set in front of it."""

    command: str
    args: tuple[str, ...]
    env: dict[str, str]


def split_command_line(text: str) -> CommandLine | None:
    """The parts of `text`; None where there is only one, or its quotes do not match."""
    try:
        parts = _split(_PROMPT.sub("", text))
    except ValueError:
        return None
    env: dict[str, str] = {}
    while parts and _ASSIGNMENT.match(parts[0]):
        name, _, value = parts.pop(0).partition("=")
        env[name] = value
    if not parts or (len(parts) == 1 and not env):
        return None
    return CommandLine(parts[0], tuple(parts[1:]), env)


def _split(text: str) -> list[str]:
    if sys.platform != "win32":
        return shlex.split(text)
    return [part.strip('"') for part in shlex.split(text, posix=False)]
