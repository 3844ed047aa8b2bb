"""Values of other calls' results in a saved call: `${{ create.id }}`, `${{ "a name".items[0] }}`.

The name is that of a saved call, in quotes where it has a dot, bracket or quote in it; behind it is
a path of `value_paths`. A text that is nothing but one keeps the type of the value; inside a text
the value is put in as text. `$${{` stands for `${{` itself. `${VAR}`, as the config file has it, is
nothing here. Names of members are taken as they are. Must not know how a call is made.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, cast

from msgspec import Struct

from desktop.base.later_patterns import compile_later
from desktop.base.translatable import translatable
from desktop.features.saved_calls.value_paths import parse_path
from desktop.values.json_schema import dump_json
from desktop.values.tool_types import join_json_path

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from desktop.values.tool_types import JsonPath

_OPEN: Final = "${{"
_ESCAPED: Final = "$${{"
# Possessive: a text of a megabyte takes linear time, whatever is in it.
_PLACE: Final = compile_later(
    r"(?P<escaped>\$\$\{\{)"
    r'|\$\{\{(?P<inside>(?:[^"}]|"(?:[^"\\]|\\.)*+"|\}(?!\}))*+)\}\}'
    r"|(?P<open>\$\{\{)"
)
_QUOTED: Final = compile_later(r'"(?:[^"\\]|\\.)*+"')
_BARE: Final = compile_later(r'[^.\["]++')
_MAX_SHOWN: Final = 60


class VariableError(ValueError):
    """A placeholder cannot be read, or has no value."""


class Reference(Struct, frozen=True):
    """One placeholder: `text` as it is written, `name` of the call, `path` in its result.

    `place` is where it stands: the names and indices from the root of what was searched.
    """

    text: str
    name: str
    path: JsonPath
    place: JsonPath = ()


def find_references(value: Any) -> list[Reference]:
    """All placeholders in the texts of a JSON value.

    Raises:
        VariableError: one cannot be read, or the value is nested too deeply.
    """
    return list(_walk(value))


def fill(value: Any, read: Callable[[Reference], Any]) -> Any:
    """A copy of `value` with what `read` returns in place of each placeholder.

    Raises:
        VariableError: as `find_references`, and what `read` raises.
    """
    try:
        return _filled(value, read, ())
    except RecursionError:
        raise VariableError(translatable("it is nested too deeply")) from None


def escape(value: Any) -> Any:
    """A copy of `value` that `fill` makes `value` of again, whatever is in its texts."""
    if isinstance(value, str):
        return value.replace(_OPEN, _ESCAPED)
    if isinstance(value, Mapping):
        members = cast("Mapping[str, Any]", value)
        return {name: escape(member) for name, member in members.items()}
    if isinstance(value, list):
        return [escape(item) for item in cast("list[Any]", value)]
    return value


def written(name: str, path: JsonPath) -> str:
    """The placeholder for this value of the result of the call `name`."""
    is_bare = _BARE.fullmatch(name) and name == name.strip() and "}" not in name
    text = name if is_bare else json.dumps(name, ensure_ascii=False)
    for part in path:
        step = join_json_path("", part)
        text += step if step.startswith("[") else f".{step}"
    return f"${{{{ {text} }}}}"


def _walk(value: Any) -> Iterator[Reference]:
    waiting: list[tuple[Any, JsonPath]] = [(value, ())]
    while waiting:
        here, place = waiting.pop()
        if isinstance(here, str):
            yield from (part for part in _parts(here, place) if isinstance(part, Reference))
        elif isinstance(here, Mapping):
            members = cast("Mapping[str, Any]", here)
            waiting += [(members[name], (*place, name)) for name in reversed(list(members))]
        elif isinstance(here, list):
            items = list(enumerate(cast("list[Any]", here)))
            waiting += [(item, (*place, index)) for index, item in reversed(items)]


def _filled(value: Any, read: Callable[[Reference], Any], place: JsonPath) -> Any:
    if isinstance(value, str):
        return _filled_text(value, read, place)
    if isinstance(value, Mapping):
        members = cast("Mapping[str, Any]", value)
        return {name: _filled(member, read, (*place, name)) for name, member in members.items()}
    if isinstance(value, list):
        items = cast("list[Any]", value)
        return [_filled(item, read, (*place, index)) for index, item in enumerate(items)]
    return value


def _filled_text(text: str, read: Callable[[Reference], Any], place: JsonPath) -> Any:
    parts = _parts(text, place)
    if len(parts) == 1 and isinstance(parts[0], Reference):
        return read(parts[0])
    return "".join(part if isinstance(part, str) else _as_text(read(part)) for part in parts)


def _as_text(value: Any) -> str:
    return value if isinstance(value, str) else dump_json(value)


def _parts(text: str, place: JsonPath) -> list[str | Reference]:
    """The text cut into what is taken as it is, and placeholders."""
    if _OPEN not in text:
        return [text]
    parts: list[str | Reference] = []
    end = 0
    for found in _PLACE.finditer(text):
        if found.start() > end:
            parts.append(text[end : found.start()])
        end = found.end()
        if found["escaped"]:
            parts.append(_OPEN)
        elif found["open"]:
            raise VariableError(
                translatable(
                    "{text} has no }}}} (write $${{{{ for it)", text=_shown(text[found.start() :])
                )
            )
        else:
            parts.append(_reference(found[0], found["inside"].strip(), place))
    if end < len(text):
        parts.append(text[end:])
    return parts


def _reference(text: str, inside: str, place: JsonPath) -> Reference:
    quoted = _QUOTED.match(inside)
    name = quoted or _BARE.match(inside)
    if name is None or not name[0].strip():
        raise VariableError(
            translatable("{text} names no call: write ${{{{ NAME.path }}}}", text=_shown(text))
        )
    try:
        rest = inside[name.end() :].strip()
        spoken = str(json.loads(name[0])) if quoted else name[0].strip()
        return Reference(text, spoken, parse_path(f"${rest}"), place)
    except ValueError as error:
        raise VariableError(
            translatable(
                "{text} cannot be read: {why}; write ${{{{ NAME.path }}}}, "
                "a NAME with a dot in quotes, or $${{{{ for the characters themselves",
                text=_shown(text),
                why=error,
            )
        ) from None


def _shown(text: str) -> str:
    return text if len(text) <= _MAX_SHOWN else f"{text[:_MAX_SHOWN]}…"
