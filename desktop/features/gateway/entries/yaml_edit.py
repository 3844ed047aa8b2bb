"""Puts one member into the text of a YAML file, or takes it out; all else stays as it is written.

The places are those that the reader itself names; what is written is lines of its own, in the style
of those around. Knows YAML without aliases, which has to be valid already (`yaml_text.read_yaml`);
whoever calls this reads the outcome again and compares it.
"""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any, TypeAlias, cast

import yaml

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.config.document import JsonObject

_Member: TypeAlias = tuple[yaml.Node, yaml.Node]
_STEP = 2
"""Spaces of a level where nothing in the file says how many."""


def put_member(text: str, path: Sequence[str], value: JsonObject) -> str:
    """The text with `value` at `path`: in the place of what is there, else as the last member.

    Mappings on the way that are missing are made; what is in the way must be one, or nothing.
    """
    way = _find_way(text, path)
    if not way:  # no value at all: an empty file, or comments
        return _with_line_end(text) + _lines(text, _nested(path, value), 0)
    table, depth = way[-1], len(way) - 1
    given = {path[depth]: _nested(path[depth + 1 :], value)}
    present = _find(table, path[depth])
    is_inside = depth > 0 and way[-2].flow_style
    if table.flow_style and not table.value and not is_inside:  # `{}`
        above = _find(way[-2], path[depth - 1]) if depth else None
        column = _column(table, way, depth)
        return _fill(text, above[0] if above else None, table, _lines(text, given, column))
    if table.flow_style:
        return _put_into_flow(text, table, present, given)
    column = _column(table, way, depth)
    if present is None:
        place = _line_end(text, _end(text, table.value[-1][1])) if table.value else len(text)
        if not depth:  # behind what the file ends with, comments too
            place = len(text)
        before = _with_line_end(text[:place])
        return before + _lines(text, given, column) + text[place:]
    key, old = present
    if depth + 1 < len(path):  # nothing stands where a mapping is to be
        return _fill(text, key, old, _lines(text, given[path[depth]], column + _STEP))
    start, end = _line_start(text, key.start_mark.index), _line_end(text, _end(text, old))
    return text[:start] + _lines(text, given, column) + text[end:]


def drop_member(text: str, path: Sequence[str]) -> str:
    """The text without the member at `path`; as it is where there is none."""
    way = _find_way(text, path)
    if len(way) < len(path) or (member := _find(way[-1], path[-1])) is None:
        return text
    table = way[-1]
    if table.flow_style:
        return _drop_from_flow(text, table, member)
    start = _line_start(text, member[0].start_mark.index)
    end = _line_end(text, _end(text, member[1]))
    if len(table.value) > 1 or len(path) == 1:
        return text[:start] + text[end:]
    above = _find(way[-2], path[-2])  # a name with nothing behind it would be no mapping any more
    if above is None:
        return text
    colon = text.index(":", above[0].end_mark.index) + 1
    return f"{text[:colon]} {{}}{text[colon:start]}{text[end:]}"


def _find_way(text: str, path: Sequence[str]) -> list[yaml.MappingNode]:
    """The mappings that lead to the member at `path`, from the outermost on, as far as they go."""
    node: yaml.Node | None = cast("Any", yaml).compose(text, yaml.SafeLoader)
    way: list[yaml.MappingNode] = []
    for key in path:
        if not isinstance(node, yaml.MappingNode):
            break
        way.append(node)
        member = _find(node, key)
        node = member[1] if member is not None else None
    return way


def _find(table: yaml.MappingNode, name: str) -> _Member | None:
    """The last one of this name: the one that counts."""
    members = cast("list[_Member]", table.value)
    return next((each for each in reversed(members) if each[0].value == name), None)


def _end(text: str, node: yaml.Node) -> int:
    """Behind the last character of a value; the reader's own mark is where the next one begins."""
    if isinstance(node, yaml.CollectionNode) and not node.flow_style and node.value:
        last = node.value[-1]
        return _end(text, last[1] if isinstance(node, yaml.MappingNode) else last)
    start, end = node.start_mark.index, node.end_mark.index
    return start + len(text[start:end].rstrip())


def _column(table: yaml.MappingNode, way: Sequence[yaml.MappingNode], depth: int) -> int:
    if table.value:
        return table.value[0][0].start_mark.column
    return _column(way[depth - 1], way, depth - 1) + _STEP if depth else 0


def _line_start(text: str, position: int) -> int:
    return text.rfind("\n", 0, position) + 1


def _line_end(text: str, position: int) -> int:
    """Behind the line of this place, with the comment at its end."""
    found = text.find("\n", position)
    return len(text) if found < 0 else found + 1


def _nested(path: Sequence[str], value: JsonObject) -> JsonObject:
    for key in reversed(path):
        value = {key: value}
    return value


def _lines(text: str, value: JsonObject, column: int) -> str:
    """The lines of some members, each this far to the right."""
    rendered = yaml.safe_dump(
        dict(value), sort_keys=False, allow_unicode=True, width=math.inf, default_flow_style=False
    )
    line_end = "\r\n" if "\r\n" in text else "\n"
    return "".join(f"{' ' * column}{line}{line_end}" for line in rendered.splitlines())


def _with_line_end(text: str) -> str:
    if not text or text.endswith("\n"):
        return text
    return text + ("\r\n" if "\r\n" in text else "\n")


def _fill(text: str, key: yaml.Node | None, old: yaml.Node, lines: str) -> str:
    """Put lines below a name, in place of the `{}` or nothing behind it; None: it is the file."""
    if key is None:
        return text[: old.start_mark.index] + lines + text[old.end_mark.index :].lstrip()
    colon = text.index(":", key.end_mark.index) + 1
    start, end = max(colon, old.start_mark.index), max(colon, old.end_mark.index)
    if not text[start:end].strip():
        start = end = colon
    kept = text[:start].rstrip(" ") + text[end:]
    place = _line_end(kept, colon)
    return _with_line_end(kept[:place]) + lines + kept[place:]


def _put_into_flow(
    text: str, table: yaml.MappingNode, present: _Member | None, given: JsonObject
) -> str:
    """As JSON, which is YAML, too."""
    (name, value), *_ = given.items()
    written = f"{json.dumps(name)}: {json.dumps(value, ensure_ascii=False)}"
    if present is not None:
        return text[: present[0].start_mark.index] + written + text[_end(text, present[1]) :]
    if not table.value:
        place = table.start_mark.index + 1
        return text[:place] + written + text[place:]
    place = _end(text, table.value[-1][1])
    return f"{text[:place]}, {written}{text[place:]}"


def _drop_from_flow(text: str, table: yaml.MappingNode, member: _Member) -> str:
    position = table.value.index(member)
    start, end = member[0].start_mark.index, _end(text, member[1])
    if position:
        start = _end(text, table.value[position - 1][1])
    elif len(table.value) > 1:
        end = table.value[1][0].start_mark.index
    return text[:start] + text[end:]
