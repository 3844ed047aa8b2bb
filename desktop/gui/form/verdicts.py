"""Says whether a value fits a part of a schema, whose references start at the whole of it.

Imports no Qt, and the validation only when it is first asked.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, Any, Final, cast

from desktop.gui.form.json_shape import list_of, object_of
from desktop.tool_types import ValidationIssue
from desktop.translatable import translatable

if TYPE_CHECKING:
    from desktop.tool_types import JsonObject

_REMEMBERED: Final = 64
_PLACE: Final = "mcp-desktop-root"


class SubschemaValidator:
    """The verdicts on parts of one schema."""

    def __init__(self, root: Any) -> None:
        self._root = object_of(root)
        self._moved: JsonObject | None = None
        self._known: OrderedDict[int, tuple[Any, JsonObject]] = OrderedDict()

    def problem(self, schema: Any, value: Any) -> ValidationIssue | None:
        """The first error, None when the value fits."""
        from desktop.tools.validation import validate  # jsonschema: not before the first paint

        if schema is False:
            return ValidationIssue((), "rule", translatable("is never allowed"))
        issues = validate(self._whole(schema), value)
        return next((issue for issue in issues if issue.severity == "error"), None)

    def _whole(self, schema: Any) -> JsonObject:
        """The part as a schema of its own that carries the whole along."""
        known = self._known.get(id(schema))
        if known is not None and known[0] is schema:
            return known[1]
        if self._moved is None:
            self._moved = _moved(self._root)
        whole = {**object_of(_moved(object_of(schema))), _PLACE: self._moved}
        if isinstance(dialect := self._root.get("$schema"), str):
            whole["$schema"] = dialect
        # The part is kept alive, so that its id stays its own.
        self._known[id(schema)] = (schema, whole)
        if len(self._known) > _REMEMBERED:
            self._known.popitem(last=False)
        return whole


def _moved(schema: JsonObject) -> JsonObject:
    """A copy whose references start one place further down."""
    copy: dict[str, Any] = {}
    todo: list[tuple[Any, dict[str, Any] | list[Any]]] = [(schema, copy)]
    while todo:
        source, target = todo.pop()
        pairs = enumerate(list_of(source)) if isinstance(target, list) else source.items()
        for key, value in pairs:
            made = _made(key, value)
            if isinstance(made, dict | list):
                todo.append((value, cast("dict[str, Any] | list[Any]", made)))
            cast("Any", target)[key] = made
    return copy


def _made(key: Any, value: Any) -> Any:
    if key == "$ref" and isinstance(value, str) and (value == "#" or value.startswith("#/")):
        return f"#/{_PLACE}{value[1:]}"
    if isinstance(value, list):
        return [None] * len(cast("list[Any]", value))
    return {} if object_of(value) else value
