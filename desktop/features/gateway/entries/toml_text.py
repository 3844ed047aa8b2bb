"""Puts one table into the text of a TOML file, or takes it out; all else stays as it is written.

The standard library reads TOML and writes none. Only what is written as a table of its own, under a
header, can be taken out; whoever calls this reads the outcome again and compares it. `tomlkit` was
tried: 0.15 puts the table between the next one and its comment, writes LF into a file of CRLF, and
leaves an empty line where it takes a table out, so that a file does not come back as it was.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, Final, cast

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.config.document import JsonObject

_BARE: Final = re.compile(r"[A-Za-z0-9_-]+")
_HEADER: Final = re.compile(r"[ \t]*\[\[?([^\]\n]*)\]")
_PART: Final = re.compile(r'[ \t]*("(?:[^"\\]|\\.)*"|\'[^\']*\'|[A-Za-z0-9_-]+)[ \t]*(?:\.|$)')


def put_table(text: str, path: Sequence[str], values: JsonObject) -> str:
    """The text with the table `path` at its end, in place of an earlier one."""
    kept = drop_table(text, path)
    line_end = "\r\n" if "\r\n" in text else "\n"
    lines = [f"[{'.'.join(map(_key, path))}]"]
    lines += [f"{_key(key)} = {_value(value)}" for key, value in values.items()]
    if kept and not kept.endswith("\n"):
        kept += line_end
    gap = line_end if kept.strip() else ""
    return kept + gap + line_end.join(lines) + line_end


def drop_table(text: str, path: Sequence[str]) -> str:
    """The text without the table `path` and those below it, as far as they have headers."""
    kept: list[str] = []
    dropped: list[str] = []
    is_ours = False
    for line in text.splitlines(keepends=True):
        header = _HEADER.match(line)
        if header is not None:
            was_ours, is_ours = is_ours, _parts(header[1])[: len(path)] == list(path)
            if was_ours:
                kept += _of_the_next(dropped)
            if is_ours:
                dropped = []
                if kept and not was_ours and not kept[-1].strip():
                    kept.pop()  # the empty line that set it apart
        (dropped if is_ours else kept).append(line)
    return "".join(kept + (_of_the_next(dropped) if is_ours else []))


def _of_the_next(lines: list[str]) -> list[str]:
    """Empty lines and comments at the end of a table: they lead to what follows."""
    count = 0
    for line in reversed(lines):
        if line.strip() and not line.lstrip().startswith("#"):
            break
        count += 1
    return lines[len(lines) - count :]


def _parts(header: str) -> list[str]:
    """The names in a header; a text that is none gives none."""
    parts: list[str] = []
    position = 0
    while position < len(header):
        found = _PART.match(header, position)
        if found is None:
            return []
        word = found[1]
        quoted = word.startswith('"')
        parts.append(json.loads(word) if quoted else word.strip("'"))
        position = found.end()
    return parts


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else json.dumps(key)


def _value(value: object) -> str:
    """A text, a list of texts or an object of texts."""
    if isinstance(value, dict):
        members = cast("dict[str, Any]", value).items()
        return "{ " + ", ".join(f"{_key(key)} = {_value(each)}" for key, each in members) + " }"
    return json.dumps(value, ensure_ascii=False)
