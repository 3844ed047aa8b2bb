"""Takes secrets out of a call before it is kept: in the arguments, and where they came back.

Says where it did so, so that nobody runs the call again with what stands in their place.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, cast

from desktop.redaction.detect import is_secret_name, is_secret_schema, is_secret_value

if TYPE_CHECKING:
    from desktop.history.records import Place
    from desktop.tool_types import JsonObject

REDACTED: Final = "••••••"
_SHORTEST = 6
"""Characters a secret has at least to be looked for elsewhere: `true` or `1` is everywhere."""
_MOST_SCHEMAS = 60
_PARTS = ("allOf", "anyOf", "oneOf")
_ONE = ("then", "else", "if")


@dataclass(slots=True)
class RedactedArguments:
    """Arguments without their secrets; `values` is for covering them elsewhere and is not kept."""

    arguments: Any = None
    places: list[Place] = field(default_factory=list["Place"])
    values: list[str] = field(default_factory=list[str])


def hide_secrets(arguments: JsonObject, schema: JsonObject) -> RedactedArguments:
    """A copy of `arguments` with `REDACTED` for each value that the schema, name or form tells.

    Raises:
        RecursionError: the arguments are nested too deeply.
    """
    hidden = RedactedArguments()
    hidden.arguments = _Walk(schema, hidden).copy(arguments, [schema], (), secret=False)
    return hidden


def without(arguments: JsonObject, places: Iterable[Place]) -> dict[str, Any]:
    """`arguments` without what is at these places: an item of a list becomes null."""
    copy = deepcopy(dict(arguments))
    for place in places:
        here: Any = copy
        for part in place[:-1]:
            here = here[part]
        if isinstance(place[-1], int):
            here[place[-1]] = None
        else:
            del here[place[-1]]
    return copy


def covered(value: Any, secrets: Sequence[str]) -> Any:
    """A copy of `value` with `REDACTED` wherever a text has one of these secrets in it.

    Raises:
        RecursionError: it is nested too deeply.
    """
    if not secrets:
        return value
    if isinstance(value, str):
        for secret in secrets:
            value = value.replace(secret, REDACTED)
        return value
    if isinstance(value, Mapping):
        members = cast("Mapping[str, Any]", value)
        return {name: covered(member, secrets) for name, member in members.items()}
    if isinstance(value, list | tuple):
        return [covered(item, secrets) for item in cast("list[Any]", value)]
    return value


class _Walk:
    """One pass over arguments, the schemas of each value at hand."""

    def __init__(self, root: JsonObject, hidden: RedactedArguments) -> None:
        self._root, self._hidden = root, hidden

    def copy(self, value: Any, schemas: list[Any], place: Place, *, secret: bool) -> Any:
        known = self._expanded(schemas)
        secret = secret or any(is_secret_schema(one) for one in known)
        if isinstance(value, Mapping):
            members = cast("Mapping[str, Any]", value)
            return {
                name: self.copy(
                    member,
                    _children(known, name),
                    (*place, name),
                    secret=secret or is_secret_name(name),
                )
                for name, member in members.items()
            }
        if isinstance(value, list | tuple):
            items = _items(known)
            return [
                self.copy(item, items, (*place, index), secret=secret)
                for index, item in enumerate(cast("list[Any]", value))
            ]
        return self._leaf(value, place, secret=secret)

    def _leaf(self, value: Any, place: Place, *, secret: bool) -> Any:
        is_text = isinstance(value, str)
        if value is None or isinstance(value, bool) or value == "":
            return value
        if not secret and not (is_text and is_secret_value(value)):
            return value
        self._hidden.places.append(place)
        if is_text and len(value) >= _SHORTEST:
            self._hidden.values.append(value)
        return REDACTED

    def _expanded(self, schemas: list[Any]) -> list[JsonObject]:
        """These schemas, what they refer to and what they combine."""
        found: list[JsonObject] = []
        todo, seen = list(schemas), set[int]()
        while todo and len(found) < _MOST_SCHEMAS:
            schema = todo.pop()
            if not isinstance(schema, Mapping) or id(cast("object", schema)) in seen:
                continue
            here = cast("JsonObject", schema)
            seen.add(id(here))
            found.append(here)
            for keyword in _PARTS:
                part: Any = here.get(keyword)
                todo.extend(cast("list[Any]", part) if isinstance(part, list) else ())
            todo.extend(here.get(keyword) for keyword in _ONE)
            todo.append(self._referred(here.get("$ref")))
        return found

    def _referred(self, reference: object) -> object:
        if not isinstance(reference, str) or not reference.startswith("#"):
            return None
        here: Any = self._root
        for part in reference[1:].strip("/").split("/"):
            name = part.replace("~1", "/").replace("~0", "~")
            if name and isinstance(here, Mapping):
                here = cast("Mapping[str, Any]", here).get(name)
        return here


def _children(schemas: list[JsonObject], name: str) -> list[Any]:
    found: list[Any] = []
    for schema in schemas:
        properties: Any = schema.get("properties")
        if isinstance(properties, Mapping):
            found.append(cast("Mapping[str, Any]", properties).get(name))
        found.append(schema.get("additionalProperties"))
    return found


def _items(schemas: list[JsonObject]) -> list[Any]:
    found: list[Any] = []
    for schema in schemas:
        found.append(schema.get("items"))
        several: Any = schema.get("prefixItems")
        found.extend(cast("list[Any]", several) if isinstance(several, list) else ())
    return found
