"""Follows the local references of one schema. Never fetches; a circle or a dead end stays as it is.

Imports no Qt.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, cast
from urllib.parse import unquote

from desktop.gui.form.json_shape import object_of

if TYPE_CHECKING:
    from desktop.tool_types import JsonObject

MOST_STEPS: Final = 32
_LONGEST_NAME: Final = 60


class References:
    """The places of one schema by their JSON pointers (RFC 6901); `root` is the whole schema."""

    def __init__(self, root: JsonObject) -> None:
        self.root = root
        self._anchors: dict[str, JsonObject] | None = None

    def resolved(self, schema: JsonObject) -> JsonObject:
        """The schema with what it points to; what stands beside `$ref` goes before it.

        Where the reference leads nowhere or in a circle, `$ref` is still there.
        """
        for _ in range(MOST_STEPS):
            target = self._target(schema.get("$ref")) if "$ref" in schema else None
            if target is None:
                return schema
            schema = {**target, **{key: each for key, each in schema.items() if key != "$ref"}}
        return schema

    def _target(self, reference: Any) -> JsonObject | None:
        if not isinstance(reference, str) or not reference.startswith("#"):
            return None
        if len(reference) > 1 and reference[1] != "/":
            return self._anchored(reference[1:])
        here: Any = self.root
        for part in unquote(reference[1:]).split("/")[1:]:
            here = _step(here, part.replace("~1", "/").replace("~0", "~"))
        return cast("JsonObject", here) if isinstance(here, Mapping) else None

    def _anchored(self, name: str) -> JsonObject | None:
        """The definition that gives itself this `$anchor`."""
        if self._anchors is None:
            definitions = [
                object_of(each)
                for key in ("$defs", "definitions")
                for each in object_of(self.root.get(key)).values()
            ]
            self._anchors = {
                str(each["$anchor"]): each for each in definitions if "$anchor" in each
            }
        return self._anchors.get(name)


def name_of_reference(schema: JsonObject) -> str:
    """The last word of a reference, which authors choose with care: `Circle`."""
    reference = schema.get("$ref")
    if not isinstance(reference, str) or "/" not in reference:
        return ""
    return unquote(reference.rsplit("/", 1)[-1])[:_LONGEST_NAME]


def _step(here: Any, key: str) -> Any:
    if isinstance(here, Mapping):
        return cast("JsonObject", here).get(key)
    if isinstance(here, list) and key.isdecimal() and len(key) < 6:
        items = cast("list[Any]", here)
        return items[int(key)] if int(key) < len(items) else None
    return None
