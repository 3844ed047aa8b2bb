"""Saved calls made of calls that were made before, with what can be expected of them again.

What a result brought and a later call was given becomes a variable, so that a session that creates,
uses and deletes runs again on a server that gives out other ids. Pure; reads and writes no file.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias, cast

from msgspec import Struct, field

from desktop.features.saved_calls.expectations import result_value
from desktop.features.saved_calls.saved_call import SavedCall
from desktop.features.saved_calls.value_paths import MISSING
from desktop.features.saved_calls.variables import escape, written
from desktop.redaction.arguments import remove_places
from desktop.redaction.policy import PLACEHOLDER
from desktop.values.tool_types import json_path

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from desktop.values.tool_types import JsonObject, JsonPath, ToolResult

Expected: TypeAlias = Literal["shape", "result", "snapshot"]
"""Of a success: the types of what it has, all of it word for word, or a snapshot."""
MAX_EXPECTED: Final = 10_000
"""Characters of a result that are worth being expected word for word."""
_MAX_LEAVES: Final = 20_000
_MAX_DEPTH: Final = 12
_MAX_MEMBERS: Final = 200
_TELLING: Final = 8
"""Characters of a text that is not met twice by chance."""


class MadeCall(Struct, frozen=True):
    """A call of `server:tool` and its result; `hidden` are the places of secrets, if known."""

    tool: str
    arguments: JsonObject
    result: ToolResult
    hidden: tuple[JsonPath, ...] = ()
    is_validated: bool = True


class RecordedCalls(Struct):
    """The saved calls; `variables` counts the values that are taken from earlier results.

    `left_out` says which arguments are missing because they looked like secrets.
    """

    calls: list[SavedCall] = field(default_factory=list[SavedCall])
    variables: int = 0
    left_out: list[str] = field(default_factory=list[str])


def save_made_calls(made: Iterable[MadeCall], expected: Expected = "shape") -> RecordedCalls:
    """A saved call for each call, in their order."""
    recording = _Recording(expected)
    for call in made:
        recording.add(call)
    return recording.done


def expected_result(result: ToolResult) -> dict[str, Any]:
    """Expectations that this result meets; a short content is expected word for word."""
    if result.error is not None:
        return {"error": result.error.code.value}
    if result.structured is not None:
        whole: dict[str, Any] = {"equals": {"": result.structured}}
        text = json.dumps(whole, ensure_ascii=False)
    else:
        whole, text = {"contains": result.output}, result.output
    # Where the history left a secret out, the next result would never equal this one.
    is_whole = 0 < len(text) <= MAX_EXPECTED and PLACEHOLDER not in text
    return escape(whole) if is_whole else {}


def expected_shape(result: ToolResult) -> dict[str, Any]:
    """The same by the types of what it has: for a result that is another each time."""
    if result.error is not None:
        return {"error": result.error.code.value}
    value = result_value(result)
    return {} if value is MISSING else {"matches": _shape(value, _MAX_DEPTH)}


class _Recording:
    def __init__(self, expected: Expected) -> None:
        self.done = RecordedCalls()
        self._expected = expected
        self._names: Counter[str] = Counter()
        self._given: set[str] = set()
        """All that a person or model has put into a call so far: not from a result."""
        self._found: dict[str, tuple[str, JsonPath]] = {}
        """Where a value came up first, by its JSON."""
        self._secrets: dict[str, tuple[str, JsonPath]] = {}
        """Where a secret was taken out of a result, by its name: an argument of that name is it."""

    def add(self, call: MadeCall) -> None:
        name = self._name(call.tool)
        hidden = tuple(dict.fromkeys((*call.hidden, *_placeholders(call.arguments))))
        known = {place: self._secrets.get(_words(place)) for place in hidden}
        lost = [place for place, source in known.items() if source is None]
        arguments = remove_places(call.arguments, lost)
        self.done.left_out += [f"{name}: {json_path(place)}" for place in lost]
        expect = self._expect(call.result)
        document = {
            "name": name,
            "tool": call.tool,
            "arguments": self._with_variables(arguments, ()),
            "expect": expect,
        }
        document |= {} if call.is_validated else {"validate": False}
        self.done.calls.append(SavedCall.model_validate(document))
        self._given |= {_key(value) for value, _ in _leaves(arguments)}
        if call.result.error is None:
            self._learn(name, result_value(call.result))

    def _name(self, tool: str) -> str:
        base = tool.partition(":")[2][:150]
        self._names[base] += 1
        count = self._names[base]
        name = base if count == 1 else f"{base} {count}"
        return name if name not in {each.name for each in self.done.calls} else f"{name} ({count})"

    def _expect(self, result: ToolResult) -> dict[str, Any]:
        if self._expected == "result":
            return expected_result(result)
        if self._expected == "snapshot":
            return expected_shape(result) if result.error else {"snapshot": True}
        return expected_shape(result)

    def _learn(self, name: str, value: Any) -> None:
        for leaf, path in _leaves(value if value is not MISSING else None):
            key = _key(leaf)
            if leaf == PLACEHOLDER:
                self._secrets[_words(path)] = name, path
            elif path and key not in self._given:
                self._found.setdefault(key, (name, path))

    def _with_variables(self, value: Any, place: JsonPath) -> Any:
        if isinstance(value, Mapping):
            members = cast("Mapping[str, Any]", value)
            return {
                name: self._with_variables(member, (*place, name))
                for name, member in members.items()
            }
        if isinstance(value, list):
            items = enumerate(cast("list[Any]", value))
            return [self._with_variables(item, (*place, index)) for index, item in items]
        if value == PLACEHOLDER and (secret := self._secrets.get(_words(place))) is not None:
            self.done.variables += 1
            return written(*secret)
        found = self._found.get(_key(value)) if _is_leaf(value) else None
        if found is None or not _is_taken(value, place, found[1]):
            return escape(value)
        self.done.variables += 1
        return written(*found)


def _is_taken(value: Any, place: JsonPath, source: JsonPath) -> bool:
    """Whether an argument that equals a value of a result is likely that very value."""
    if isinstance(value, str) and len(value) >= _TELLING:
        return True
    ours, theirs = _words(place), _words(source)
    return bool(ours and theirs) and (ours.endswith(theirs) or theirs.endswith(ours))


def _words(place: JsonPath) -> str:
    """The last name in a path as letters: `noteId` and `note_id` are one."""
    names = [part for part in place if isinstance(part, str)]
    return re.sub(r"[\W_]+", "", names[-1]).lower() if names else ""


def _key(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _is_leaf(value: Any) -> bool:
    """What an id can be; true, false, null and an empty text are everywhere."""
    return (isinstance(value, str) and bool(value)) or type(value) in (int, float)


def _leaves(value: Any) -> Iterator[tuple[Any, JsonPath]]:
    waiting: list[tuple[Any, JsonPath]] = [(value, ())]
    count = 0
    while waiting and count < _MAX_LEAVES:
        here, path = waiting.pop()
        count += 1
        if isinstance(here, Mapping):
            members = cast("Mapping[str, Any]", here)
            waiting += [(members[name], (*path, name)) for name in reversed(list(members))]
        elif isinstance(here, list):
            items = list(enumerate(cast("list[Any]", here)))
            waiting += [(item, (*path, index)) for index, item in reversed(items)]
        elif _is_leaf(here):
            yield here, path


def _placeholders(arguments: JsonObject) -> list[JsonPath]:
    """Where a secret was taken out when the call was recorded."""
    return [
        path for leaf, path in _leaves(arguments) if isinstance(leaf, str) and PLACEHOLDER in leaf
    ]


def _shape(value: Any, depth: int) -> dict[str, Any]:
    """A JSON Schema of what is there; null and what is too deep may be anything."""
    if isinstance(value, bool):
        return {"type": "boolean"}
    if isinstance(value, str):
        return {"type": "string"}
    if isinstance(value, int | float):
        return {"type": "integer" if isinstance(value, int) else "number"}
    if isinstance(value, Mapping):
        members = dict(list(cast("Mapping[str, Any]", value).items())[:_MAX_MEMBERS])
        shape: dict[str, Any] = {"type": "object"}
        if members and depth:
            shape["required"] = list(members)
            shape["properties"] = {
                name: _shape(member, depth - 1) for name, member in members.items()
            }
        return shape
    if isinstance(value, list):
        shapes = (
            [_shape(item, depth - 1) for item in cast("list[Any]", value)[:50]] if depth else []
        )
        is_uniform = bool(shapes) and all(each == shapes[0] for each in shapes)
        return {"type": "array", "items": shapes[0]} if is_uniform else {"type": "array"}
    return {}
