"""The parameters of a tool as a flat list, for whoever shows or compares them.

Reads the top level alone: the form and the validation use the whole schema.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from desktop.tool_types import EMPTY

if TYPE_CHECKING:
    from collections.abc import Mapping

    from desktop.tool_types import JsonObject


@dataclass(frozen=True, slots=True)
class Parameter:
    """One top-level parameter of a tool, as a list of parameters shows it.

    `has_default` tells a default of None from no default.
    """

    name: str
    type: str
    description: str = ""
    required: bool = False
    enum: tuple[Any, ...] = ()
    default: Any = None
    has_default: bool = False


def parameters(schema: JsonObject) -> tuple[Parameter, ...]:
    """The top-level parameters of an input schema, in its order; odd parts are passed over."""
    properties: object = schema.get("properties")
    required: object = schema.get("required")
    if not isinstance(properties, dict):
        return ()
    needed = _items(required)
    return tuple(
        _parameter(name, spec, needed=name in needed)
        for name, spec in cast("Mapping[str, object]", properties).items()
    )


def _parameter(name: str, spec: object, *, needed: bool) -> Parameter:
    fields = cast("Mapping[str, object]", spec) if isinstance(spec, dict) else EMPTY
    description = fields.get("description")
    return Parameter(
        name=name,
        type=" | ".join(str(kind) for kind in _items(fields.get("type", "any"))),
        description=description if isinstance(description, str) else "",
        required=needed,
        enum=tuple(_items(fields["enum"])) if "enum" in fields else (),
        default=fields.get("default"),
        has_default="default" in fields,
    )


def _items(value: object) -> list[object]:
    return cast("list[object]", value) if isinstance(value, list) else [value]
