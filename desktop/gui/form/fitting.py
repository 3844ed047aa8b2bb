"""Whether a field of one kind can show a value exactly. Imports no Qt; judges nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from desktop.gui.form.fields import ABSENT
from desktop.gui.form.json_shape import same
from desktop.gui.form.json_text import is_holdable, read_number

if TYPE_CHECKING:
    from desktop.gui.form.fields import FieldSpec


def fits(spec: FieldSpec, value: Any) -> bool:
    """Whether the field of this kind gives the value back as it is."""
    if value is ABSENT or (value is None and spec.nullable):
        return True
    if spec.kind == "string":
        return isinstance(value, str) and is_holdable(value)
    if spec.kind in {"integer", "number"}:
        if isinstance(value, str):
            return is_holdable(value) and read_number(value) is None and bool(value.strip())
        return isinstance(value, int | float) and not isinstance(value, bool)
    if spec.kind == "const":
        return same(value, spec.schema["const"])
    shapes = {"boolean": bool, "array": list, "object": dict}
    return isinstance(value, shapes.get(spec.kind, object))
