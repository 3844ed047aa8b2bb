"""Puts our entry into the text of a JSON, TOML or YAML file, or takes it out; the rest stays.

For files of others, whose comments, order, spaces and numbers are not ours to change. The text has
to be valid already; whoever calls this reads the outcome again and compares it. Touches no disk.

JSON may have comments and trailing commas: one pass over the text. The standard library reads TOML
and writes none: only what is written as a table of its own, under a header, can be taken out.
`tomlkit` was tried: 0.15 puts the table between the next one and its comment, writes LF into a file
of CRLF, and leaves an empty line where it takes a table out. YAML must have no aliases; its places
are those that the reader itself names, and what is written is lines in the style of those around.
"""

from __future__ import annotations

import json
import math
import re
from typing import TYPE_CHECKING, Any, Final, TypeAlias, cast

import jsonyx
from msgspec import Struct, field

from desktop.base.json_places import walk
from desktop.base.later_patterns import compile_later

if TYPE_CHECKING:
    from collections.abc import Sequence

    import yaml

    from desktop.config.document import JsonObject

    _Pair: TypeAlias = tuple[yaml.Node, yaml.Node]

_INDENT: Final = compile_later(r"^([ \t]+)\S", re.MULTILINE)
_BARE: Final = compile_later(r"[A-Za-z0-9_-]+")
_HEADER: Final = compile_later(r"[ \t]*\[\[?([^\]\n]*)\]")
_PART: Final = compile_later(r'[ \t]*("(?:[^"\\]|\\.)*"|\'[^\']*\'|[A-Za-z0-9_-]+)[ \t]*(?:\.|$)')
_STEP = 2
"""Spaces of a level where nothing in the file says how many."""


# --- JSON -----------------------------------------------------------------------------------------


class _Member(Struct):
    """A key and its value: where the key begins, and where the value ends."""

    key: str
    start: int
    end: int = 0
    comma: int | None = None
    """Where the comma behind it is."""


class _Object(Struct):
    """An object on the way to the member: just behind its `{`, and where its `}` is."""

    start: int
    end: int = 0
    members: list[_Member] = field(default_factory=list["_Member"])

    def find(self, key: str) -> _Member | None:
        return next((member for member in self.members if member.key == key), None)


def put_in_json(text: str, path: Sequence[str], value: JsonObject) -> str:
    """The text with `value` at `path`: in the place of what is there, else as the last member.

    Objects on the way that are missing are made; what is in the way must be an object.
    """
    way = _find_objects(text, path)
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


def drop_from_json(text: str, path: Sequence[str]) -> str:
    """The text without the member at `path`; as it is where there is none."""
    way = _find_objects(text, path)
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


def _find_objects(text: str, path: Sequence[str]) -> list[_Object]:
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


# --- TOML -----------------------------------------------------------------------------------------


def put_in_toml(text: str, path: Sequence[str], values: JsonObject) -> str:
    """The text with the table `path` at its end, in place of an earlier one."""
    kept = drop_from_toml(text, path)
    line_end = "\r\n" if "\r\n" in text else "\n"
    lines = [f"[{'.'.join(map(_toml_key, path))}]"]
    lines += [f"{_toml_key(key)} = {_toml_value(value)}" for key, value in values.items()]
    if kept and not kept.endswith("\n"):
        kept += line_end
    gap = line_end if kept.strip() else ""
    return kept + gap + line_end.join(lines) + line_end


def drop_from_toml(text: str, path: Sequence[str]) -> str:
    """The text without the table `path` and those below it, as far as they have headers."""
    kept: list[str] = []
    dropped: list[str] = []
    is_ours = False
    for line in text.splitlines(keepends=True):
        header = _HEADER.match(line)
        if header is not None:
            was_ours, is_ours = is_ours, _names(header[1])[: len(path)] == list(path)
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


def _names(header: str) -> list[str]:
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


def _toml_key(key: str) -> str:
    return key if _BARE.fullmatch(key) else json.dumps(key)


def _toml_value(value: object) -> str:
    """A text, a list of texts or an object of texts."""
    if isinstance(value, dict):
        members = cast("dict[str, Any]", value).items()
        return (
            "{ "
            + ", ".join(f"{_toml_key(key)} = {_toml_value(each)}" for key, each in members)
            + " }"
        )
    return json.dumps(value, ensure_ascii=False)


# --- YAML -----------------------------------------------------------------------------------------


def put_in_yaml(text: str, path: Sequence[str], value: JsonObject) -> str:
    """The text with `value` at `path`: in the place of what is there, else as the last member.

    Mappings on the way that are missing are made; what is in the way must be one, or nothing.
    """
    way = _find_mappings(text, path)
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


def drop_from_yaml(text: str, path: Sequence[str]) -> str:
    """The text without the member at `path`; as it is where there is none."""
    way = _find_mappings(text, path)
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


def _find_mappings(text: str, path: Sequence[str]) -> list[yaml.MappingNode]:
    """The mappings that lead to the member at `path`, from the outermost on, as far as they go."""
    import yaml  # few have such a file

    node: yaml.Node | None = cast("Any", yaml).compose(text, yaml.SafeLoader)
    way: list[yaml.MappingNode] = []
    for key in path:
        if not isinstance(node, yaml.MappingNode):
            break
        way.append(node)
        member = _find(node, key)
        node = member[1] if member is not None else None
    return way


def _find(table: yaml.MappingNode, name: str) -> _Pair | None:
    """The last one of this name: the one that counts."""
    members = cast("list[_Pair]", table.value)
    return next((each for each in reversed(members) if each[0].value == name), None)


def _end(text: str, node: yaml.Node) -> int:
    """Behind the last character of a value; the reader's own mark is where the next one begins."""
    import yaml

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


def _lines(text: str, value: JsonObject, column: int) -> str:
    """The lines of some members, each this far to the right."""
    import yaml

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
    text: str, table: yaml.MappingNode, present: _Pair | None, given: JsonObject
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


def _drop_from_flow(text: str, table: yaml.MappingNode, member: _Pair) -> str:
    position = table.value.index(member)
    start, end = member[0].start_mark.index, _end(text, member[1])
    if position:
        start = _end(text, table.value[position - 1][1])
    elif len(table.value) > 1:
        end = table.value[1][0].start_mark.index
    return text[:start] + text[end:]
