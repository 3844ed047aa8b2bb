"""What cmd.exe and a C program make of a line, as far as batch files need it.

The order is that of cmd.exe: variables are put in first, whatever is quoted; then quotes and carets
are read, and `& | < >` outside of quotes end the command. A batch file puts in `%*` as it was
written, and that line is read for quotes once more. A program reads its own arguments (the C
library's rules since 2008: a doubled quote inside quotes is one).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True)
class Run:
    """What is run: the commands of a line, one if nothing broke out of its quotes."""

    commands: tuple[str, ...]


def run_line(line: str, environ: Mapping[str, str], batch: str = '"node" "script.js" %*') -> Run:
    """What `cmd.exe /c "LINE"` ends up running, where the program of the line is `batch`."""
    first = _commands(_expand(line, environ))
    inner: list[str] = []
    for command in first:
        program, rest = _program(command)
        if program.lower().endswith((".cmd", ".bat")):
            # `%*` is put in while the variables of the batch file are: nothing in it is again.
            inner += _commands(batch.replace("%*", rest))
        else:
            inner.append(command)
    return Run(tuple(inner))


def arguments(command: str) -> list[str]:
    """The arguments after the program, as `main` gets them."""
    words, at = list[str](), 0
    while at < len(command):
        if command[at] in " \t":
            at += 1
            continue
        word, at = _argument(command, at)
        words.append(word)
    return words


def _argument(text: str, at: int) -> tuple[str, int]:
    word, quoted = "", False
    while at < len(text) and (quoted or text[at] not in " \t"):
        slashes = len(text) - at - len(text[at:].lstrip("\\"))
        if text[at + slashes : at + slashes + 1] == '"':
            word += "\\" * (slashes // 2)
            at += slashes
            if slashes % 2:
                word += '"'
            elif quoted and text[at + 1 : at + 2] == '"':
                word += '"'
                at += 1
            else:
                quoted = not quoted
            at += 1
        elif slashes:
            word += "\\" * slashes
            at += slashes
        else:
            word += text[at]
            at += 1
    return word, at


def _expand(line: str, environ: Mapping[str, str]) -> str:
    """As on the command line: an unknown name stays with its signs."""
    known = {name.upper(): value for name, value in {"CD": r"C:\here", **environ}.items()}
    out, at = "", 0
    while at < len(line):
        found = re.compile(r"%([^%:]+)(?::~(\d*),(\d*))?%").match(line, at)
        if line[at] == "%" and found and found[1].upper() in known:
            value = known[found[1].upper()]
            if found[2] is not None:  # NAME:~START,LENGTH; no length is none at all
                start = int(found[2] or 0)
                value = value[start : start + int(found[3] or 0)]
            out, at = out + value, found.end()
        else:
            out, at = out + line[at], at + 1
    return out


def _commands(line: str) -> list[str]:
    commands, quoted, at = [""], False, 0
    while at < len(line):
        char = line[at]
        if char in "\r\n":
            commands.append("")
            quoted = False
        elif char == '"':
            quoted = not quoted
            commands[-1] += char
        elif quoted:
            commands[-1] += char
        elif char == "^":
            at += 1
            commands[-1] += line[at : at + 1]
        elif char in "&|<>":
            commands.append("")
        else:
            commands[-1] += char
        at += 1
    return [command.strip() for command in commands if command.strip()]


def _program(command: str) -> tuple[str, str]:
    if command.startswith('"'):
        program, _, rest = command[1:].partition('"')
        return program, rest.strip(" ")
    program, _, rest = command.partition(" ")
    return program, rest
