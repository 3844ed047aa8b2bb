"""Puts one member into the text of a JSON file, or takes it out; all else stays as it is written.

For files of others, whose comments, order, spaces and numbers are not ours to change. Knows JSON
with comments and trailing commas, which has to be valid already (`document.parse`); whoever calls
this reads the outcome again and compares it. One pass over the text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import jsonyx

from desktop.base.json_places import walk

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.config.document import JsonObject

_INDENT: Final = re.compile(r"^([ \t]+)\S", re.MULTILINE)


@dataclass(slots=True)
class _Member:
    """A key and its value: where the key begins, and where the value ends."""

    key: str
    start: int
    end: int = 0
    comma: int | None = None
    """Where the comma behind it is."""


@dataclass(slots=True)
class _Object:
    """An object on the way to the member: just behind its `{`, and where its `}` is."""

    start: int
    end: int = 0
    members: list[_Member] = field(default_factory=list["_Member"])

    def find(self, key: str) -> _Member | None:
        return next((member for member in self.members if member.key == key), None)


def put_member(text: str, path: Sequence[str], value: JsonObject) -> str:
    """The text with `value` at `path`: in the place of what is there, else as the last member.

    Objects on the way that are missing are made; what is in the way must be an object.
    """
    way = _find_way(text, path)
    if not way:  # an empty file
        return _render(_nested(path, value), "  ", "\n") + "\n"
    table, depth = way[-1], len(way) - 1
    key, given = path[depth], _nested(path[depth + 1 :], value)
    unit, line_end = _indent_of(text), "\r\n" if "\r\n" in text else "\n"
    if (present := table.find(key)) is not None:
        rendered = _render(given, unit, line_end, _line_indent(text, present.start))
        return f"{text[: present.start]}{_key(key)}: {rendered}{text[present.end :]}"
    inner = _member_indent(text, table, unit)
    if not _has_lines(text, table) and table.members:
        added = f" {_key(key)}: {jsonyx.dumps(given, end='')}"
        outer = ""
    else:
        added = f"{line_end}{inner}{_key(key)}: {_render(given, unit, line_end, inner)}"
        outer = "" if _has_lines(text, table) else line_end + _line_indent(text, table.start - 1)
    before = text[: table.end].rstrip()
    place = max(len(before), table.start)
    if table.members and (last := table.members[-1]).comma is None:
        return f"{text[: last.end]},{text[last.end : place]}{added}{outer}{text[place:]}"
    comma = "," if table.members else ""  # where the others end with one
    return f"{text[:place]}{added}{comma}{outer}{text[place:]}"


def drop_member(text: str, path: Sequence[str]) -> str:
    """The text without the member at `path`; as it is where there is none."""
    way = _find_way(text, path)
    if len(way) < len(path) or (member := way[-1].find(path[-1])) is None:
        return text
    table = way[-1]
    position = table.members.index(member)
    start, end = member.start, member.end if member.comma is None else member.comma + 1
    before = text[table.start : start].rstrip()
    start = table.start + len(before)  # with the line that it began
    if position + 1 == len(table.members) and position and member.comma is None:
        # It was the last: the comma in front of it would lead to nothing.
        comma = table.members[position - 1].comma
        if comma is not None:
            return f"{text[:comma]}{text[comma + 1 : start]}{text[end:]}"
    rest = text[end : table.end]
    if len(table.members) == 1 and not before and not rest.strip():
        return f"{text[: table.start]}{text[table.end :]}"
    return f"{text[:start]}{text[end:]}"


def _find_way(text: str, path: Sequence[str]) -> list[_Object]:
    """The objects that lead to the member at `path`, from the outermost on, as far as they go."""
    way: list[_Object] = []
    open_: list[_Object | None] = []
    last_end = 0
    for kind, token, at in walk(text):
        match kind:
            case "open":
                is_next = token[0] == "{" and len(at) == len(way) < len(path)
                if is_next and at == list(path[: len(way)]):
                    way.append(_Object(token.end()))
                    open_.append(way[-1])
                else:
                    open_.append(None)
            case "close":
                _close(open_.pop(), last_end, token.start())
            case "key":
                if (inside := open_[-1]) is not None:
                    inside.members.append(_Member(str(at[-1]), token.start()))
            case "comma":
                if (inside := open_[-1]) is not None and inside.members:
                    inside.members[-1].end, inside.members[-1].comma = last_end, token.start()
            case "value":
                pass
        last_end = token.end()
    return way


def _close(closed: _Object | None, last_end: int, end: int) -> None:
    if closed is None:
        return
    closed.end = end
    if closed.members and closed.members[-1].comma is None:
        closed.members[-1].end = last_end


def _nested(path: Sequence[str], value: JsonObject) -> JsonObject:
    for key in reversed(path):
        value = {key: value}
    return value


def _key(key: str) -> str:
    return jsonyx.dumps(key, end="")


def _render(value: JsonObject, unit: str, line_end: str, indent: str = "") -> str:
    lines = jsonyx.dumps(value, indent=unit, end="").split("\n")
    return f"{line_end}{indent}".join(lines)


def _indent_of(text: str) -> str:
    return found[1] if (found := _INDENT.search(text)) else "  "


def _line_indent(text: str, position: int) -> str:
    """What the line of this place begins with."""
    start = text.rfind("\n", 0, position) + 1
    return text[start : start + len(text[start:]) - len(text[start:].lstrip(" \t"))]


def _has_lines(text: str, table: _Object) -> bool:
    return "\n" in text[table.start : table.end]


def _member_indent(text: str, table: _Object, unit: str) -> str:
    if table.members and _has_lines(text, table):
        return _line_indent(text, table.members[-1].start)
    return _line_indent(text, table.start - 1) + unit
