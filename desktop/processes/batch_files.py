r"""How a batch file is started on Windows, so that nothing in an argument is run.

CreateProcess gives a `.cmd` or `.bat` to cmd.exe, which reads the whole line once more: `&` begins
another command, `%NAME%` is replaced, `^` vanishes. A file that npm made (`npx.cmd`, `.bin\*.cmd`)
only starts `node` with a script, so `node` is started with it. Any other one goes to cmd.exe with
each argument written so that it arrives as it was; what cannot be written so is refused.

The rules of cmd.exe are not documented whole. Those used here are Rust's for CVE-2024-24576
(https://blog.rust-lang.org/2024/04/09/cve-2024-24576), for a line that `cmd.exe /c` reads once.
Must not start anything.
"""

from __future__ import annotations

import ntpath
import re
import shutil
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

MAX_BYTES = 64 * 1024
"""Of a batch file that is read: those of npm have one thousand."""
_SETS = re.compile(r'^\s*(?:IF .*?\(\s*)?@?SET\s+"?([A-Z_]+)=([^"\r\n]*?)"?\s*\)?\s*$', re.I | re.M)
_CALL = re.compile(r'"([^"\r\n]+)"\s+"([^"\r\n]+)"\s+%\*\s*$', re.I | re.M)
_PLAIN = re.compile(r"[A-Za-z0-9#$*+\-./:?@\\_]+")
_REFUSED = re.compile(r"[\x00\r\n]")


def is_batch_file(command: str) -> bool:
    """Whether cmd.exe would run it. Windows drops dots and blanks at the end of a name."""
    return command.rstrip(". ").lower().endswith((".bat", ".cmd"))


def unwrapped(command: str, path: str) -> tuple[str, str] | None:
    """The `node` and the script that a batch file of npm starts; None for any other one.

    Args:
        command: the full path of the batch file.
        path: the PATH of the server, in which `node` is looked up.
    """
    try:
        with open(command, "rb") as file:
            text = file.read(MAX_BYTES).decode("utf-8", "replace")
    except OSError:
        return None
    call = _CALL.search(text)
    if call is None:
        return None
    folder = ntpath.dirname(command)
    values: dict[str, str] = {}
    for name, value in _SETS.findall(text):
        values.setdefault(name.upper(), value)  # later ones are for where the first is not there
    node, script = (_expanded(part, values, folder) for part in call.groups())
    if node is None or ntpath.basename(node).lower() not in ("node", "node.exe"):
        return None
    if script is None or not script.lower().endswith((".js", ".cjs", ".mjs")):
        return None
    found = _beside(folder) or shutil.which("node", path=path)
    return (found, script) if found else None


def _expanded(text: str, values: dict[str, str], folder: str) -> str | None:
    """A path of the file, with its folder and variables put in; None if one is not known."""
    for _ in range(4):
        text = re.sub(r"%~?dp0%?\\?", lambda _: folder + "\\", text, flags=re.I)
        text = re.sub(r"%([A-Za-z_]+)%", lambda name: values.get(name[1].upper(), name[0]), text)
    return None if "%" in text else ntpath.normpath(text)


def _beside(folder: str) -> str | None:
    return shutil.which("node.exe", path=folder)


def command_line(command: str, args: Sequence[str]) -> str:
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
