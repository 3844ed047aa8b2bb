r"""Command lines: split as a person types them, and written so that cmd.exe runs nothing in them.

On Windows a program reads its own line (CommandLineToArgvW: backslashes are plain, quotes group).
CreateProcess gives a `.cmd` or `.bat` to cmd.exe, which reads the whole line once more: `&` begins
another command, `%NAME%` is replaced, `^` vanishes. Its rules are not documented whole. Those used
here are Rust's for CVE-2024-24576 (https://blog.rust-lang.org/2024/04/09/cve-2024-24576), for a
line that `cmd.exe /c` reads once. Must not start anything.
"""

from __future__ import annotations

import re
import shlex
import sys
from typing import TYPE_CHECKING

from desktop.base.later_patterns import compile_later

if TYPE_CHECKING:
    from collections.abc import Sequence

_WORD = compile_later(r'(?:[^\s"]|"[^"]*"?)+')
_PLAIN = compile_later(r"[A-Za-z0-9#$*+\-./:?@\\_]+")
_REFUSED = compile_later(r"[\x00\r\n]")


def split_words(line: str, platform: str = sys.platform) -> list[str]:
    r"""The words of a line, by the rules of the system: `"C:\Program Files\x.exe" a` is two.

    Args:
        line: as a person types it.
        platform: as `sys.platform`.

    Raises:
        ValueError: a quote has no end (not on Windows, which takes the rest).
    """
    if platform != "win32":
        return shlex.split(line)
    return [_unquoted(word) for word in _WORD.findall(line)]


def quoted(word: str, platform: str = sys.platform) -> str:
    """The word as a person would type it in a line on that system; in quotes if it needs them."""
    if platform != "win32":
        return shlex.quote(word)
    from subprocess import list2cmdline

    return list2cmdline([word])


def _unquoted(word: str) -> str:
    return re.sub(r'(\\*)"', lambda found: found[1][: len(found[1]) // 2 * 2], word)


def cmd_line(command: str, args: Sequence[str]) -> str:
    """What `cmd.exe /c` has to read, so that the batch file gets exactly these arguments.

    Raises:
        ValueError: one cannot be written so that it arrives as it is.
    """
    for text in (command, *args):
        if _REFUSED.search(text):
            raise ValueError(
                "a batch file cannot be given a line break or NUL; start the program that it wraps"
            )
    if '"' in command or command.endswith("\\"):
        raise ValueError(f"{command!r} is no name of a batch file")
    return " ".join([f'"{command}"', *map(_written, args)])


def _written(arg: str) -> str:
    """One argument: in quotes that neither cmd.exe nor the program takes for its end.

    `%` is followed by an expansion that is always empty, so that no name between two is replaced.
    A quote is doubled: cmd.exe stays inside, and the program reads one.
    """
    if _PLAIN.fullmatch(arg) and not arg.endswith("\\"):
        return arg
    text = re.sub(r'(\\*)"', r'\1\1""', arg)
    text = re.sub(r"(\\+)$", r"\1\1", text)
    return '"' + text.replace("%", "%%cd:~,%") + '"'
