"""Removes secrets from a call before it is stored: from its arguments, and where they came back.

Reports the places, so that nobody runs the call again with placeholders. Hides at least what the
form draws as a secret. Must not store anything itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from copy import deepcopy
from typing import TYPE_CHECKING, Any, Final, cast

from msgspec import Struct, field

from desktop.redaction.policy import (
    PLACEHOLDER,
    find_secret_values,
    is_secret_name,
    is_secret_schema,
)
from desktop.values.json_schema import list_of, object_of, resolve_ref

if TYPE_CHECKING:
    from desktop.values.tool_types import JsonObject, JsonPath

_MIN_LENGTH: Final = 6
"""Characters a secret has at least to be looked for elsewhere: `true` or `1` is everywhere."""
_MAX_SCHEMAS: Final = 256
"""Schemas of one value that are looked at; a form gives up far earlier."""
_SCHEMA_LISTS: Final = ("allOf", "anyOf", "oneOf")
_SCHEMAS: Final = ("if", "then", "else")
_SCHEMA_MAPS: Final = ("dependentSchemas", "dependencies")


class RedactedArguments(Struct):
    """Arguments without their secrets.

    `places` are the paths of what was hidden; `values` are the secrets, for hiding them elsewhere,
    and never stored.
    """

    arguments: Any = None
    places: list[JsonPath] = field(default_factory=list["JsonPath"])
    values: list[str] = field(default_factory=list[str])


def redact_arguments(
    arguments: JsonObject, schema: JsonObject, known: Iterable[str] = ()
) -> RedactedArguments:
    """A copy of `arguments` in which each value that is secret by schema, name or form is hidden.

    Args:
        arguments: of the call.
        schema: the tool's `inputSchema`.
        known: secrets that are hidden wherever they occur.

    Raises:
        RecursionError: the arguments are nested too deeply.
    """
    redacted = RedactedArguments()
    walk = _Walk(schema, redacted, tuple(known))
    redacted.arguments = walk.copy(arguments, [schema], (), is_secret=False)
    return redacted


def remove_places(arguments: JsonObject, places: Iterable[JsonPath]) -> dict[str, Any]:
    """A copy of `arguments` without the values at these paths: an item of a list becomes null."""
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


def replace_values(value: Any, secrets: Sequence[str]) -> Any:
    """A copy of `value` with `PLACEHOLDER` wherever one of these secrets occurs in a text.

    Raises:
        RecursionError: it is nested too deeply.
    """
    if not secrets:
        return value
    if isinstance(value, str):
        for secret in sorted(secrets, key=len, reverse=True):  # one may be part of another
            value = value.replace(secret, PLACEHOLDER)
        return value
    if isinstance(value, Mapping):
        members = cast("Mapping[str, Any]", value)
        return {name: replace_values(member, secrets) for name, member in members.items()}
    if isinstance(value, list | tuple):
        return [replace_values(item, secrets) for item in cast("list[Any]", value)]
    return value


def redact_texts(value: Any, known: Sequence[str], kept: frozenset[str] = frozenset()) -> Any:
    """A copy of a JSON value in which these secrets, and credentials in its texts, are replaced.

    Args:
        value: what is to be written.
        known: secrets that are replaced wherever they occur.
        kept: names of members whose texts are taken over as they are, such as media in base64.

    Raises:
        RecursionError: it is nested too deeply.
    """
    if isinstance(value, str):
        return replace_values(value, [*known, *find_secret_values(value)])
    if isinstance(value, Mapping):
        members = cast("Mapping[str, Any]", value)
        return {
            name: member if name in kept else redact_texts(member, known, kept)
            for name, member in members.items()
        }
    if isinstance(value, list | tuple):
        return [redact_texts(item, known, kept) for item in cast("list[Any]", value)]
    return value


class _Walk:
    """One pass over arguments, with all schemas that apply to the value being looked at."""

    def __init__(
        self, root: JsonObject, redacted: RedactedArguments, known: tuple[str, ...]
    ) -> None:
        self._root, self._redacted, self._known = root, redacted, known

    def copy(self, value: Any, schemas: list[Any], place: JsonPath, *, is_secret: bool) -> Any:
        known = self._expand(schemas)
        is_secret = is_secret or any(map(is_secret_schema, known))
        if isinstance(value, Mapping):
            members = cast("Mapping[str, Any]", value)
            return {
                name: self.copy(
                    member,
                    _member_schemas(known, name),
                    (*place, name),
                    is_secret=is_secret or is_secret_name(name, "argument"),
                )
                for name, member in members.items()
            }
        if isinstance(value, list | tuple):
            items = _item_schemas(known)
            return [
                self.copy(item, items, (*place, index), is_secret=is_secret)
                for index, item in enumerate(cast("list[Any]", value))
            ]
        return self._leaf(value, place, is_secret=is_secret)

    def _leaf(self, value: Any, place: JsonPath, *, is_secret: bool) -> Any:
        if value is None or isinstance(value, bool) or value == "":
            return value
        if not isinstance(value, str):
            secrets: list[str] = []
        elif is_secret:
            secrets = [value]
        else:
            secrets = find_secret_values(value)
            secrets += [secret for secret in self._known if secret in value]
        if not is_secret and not secrets:
            return value
        self._redacted.places.append(place)
        self._redacted.values += [each for each in secrets if len(each) >= _MIN_LENGTH]
        return PLACEHOLDER if is_secret else replace_values(value, secrets)

    def _expand(self, schemas: list[Any]) -> list[JsonObject]:
        """These schemas, those they refer to and those they combine."""
        expanded: list[JsonObject] = []
        waiting, seen = list(schemas), set[int]()
        while waiting and len(expanded) < _MAX_SCHEMAS:
            schema = waiting.pop()
            if not isinstance(schema, Mapping) or id(cast("object", schema)) in seen:
                continue
            here = cast("JsonObject", schema)
            seen.add(id(here))
            expanded.append(here)
            for keyword in _SCHEMA_LISTS:
                waiting.extend(list_of(here.get(keyword)))
            for keyword in _SCHEMA_MAPS:
                waiting.extend(object_of(here.get(keyword)).values())
            waiting.extend(here.get(keyword) for keyword in _SCHEMAS)
            waiting.append(resolve_ref(self._root, here.get("$ref")))
        return expanded


def _member_schemas(schemas: list[JsonObject], name: str) -> list[Any]:
    found: list[Any] = []
    for schema in schemas:
        found.append(object_of(schema.get("properties")).get(name))
        # Every pattern counts as matching: a stranger's pattern could run for ever.
        found.extend(object_of(schema.get("patternProperties")).values())
        found += [schema.get("additionalProperties"), schema.get("unevaluatedProperties")]
    return found


def _item_schemas(schemas: list[JsonObject]) -> list[Any]:
    found: list[Any] = []
    for schema in schemas:
        items: Any = schema.get("items")
        found += list_of(items) or [items]
        found += list_of(schema.get("prefixItems"))
        found += [schema.get(name) for name in ("additionalItems", "unevaluatedItems", "contains")]
    return found
