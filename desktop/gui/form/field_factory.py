"""Chooses the widget for a node: the only place that knows every kind of field."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.gui.form.array_field import ArrayField
from desktop.gui.form.choice_fields import (
    CheckListField,
    ChipsField,
    ListField,
    checkbox_options,
    is_short,
)
from desktop.gui.form.file_field import FileField
from desktop.gui.form.json_view import JsonField
from desktop.gui.form.model.nodes import ArrayNode, JsonNode, ScalarNode
from desktop.gui.form.model.object_node import ObjectNode
from desktop.gui.form.model.union_node import UnionNode
from desktop.gui.form.object_field import ObjectField
from desktop.gui.form.scalar_fields import (
    DateTimeField,
    NumberField,
    PathField,
    SecretField,
    TextField,
)
from desktop.gui.form.union_field import UnionField
from desktop.values.json_schema import same_json

if TYPE_CHECKING:
    from desktop.gui.form.field import Field, FormContext
    from desktop.gui.form.model.nodes import Node


def make_field(node: Node, context: FormContext, *, is_root: bool = False) -> Field:
    """The widget for a node; `is_root` for the arguments as a whole."""
    if isinstance(node, ObjectNode):
        return ObjectField(node, context, is_root=is_root)
    if isinstance(node, UnionNode):
        return UnionField(node, context, is_root=is_root)
    if isinstance(node, ArrayNode):
        return (CheckListField if checkbox_options(node) else ArrayField)(node, context)
    if isinstance(node, ScalarNode):
        return _scalar(node, context)
    if isinstance(node, JsonNode):
        return JsonField(node, context)
    raise TypeError(type(node).__name__)


def _scalar(node: ScalarNode, context: FormContext) -> Field:
    kind = node.spec.kind
    if kind == "string":
        return _text(node, context)
    if kind in {"integer", "number"}:
        return NumberField(node, context)
    is_listed = node.is_absent or any(
        same_json(node.value(), each.value) for each in node.spec.options
    )
    is_plain = is_listed or kind != "enum"
    return (ChipsField if is_short(node.spec) and is_plain else ListField)(node, context)


def _text(node: ScalarNode, context: FormContext) -> Field:
    spec = node.spec
    if spec.is_file:
        return FileField(node, context)
    if spec.is_secret:
        return SecretField(node, context)
    if "\n" in node.text or spec.is_long:
        return TextField(node, context)
    if spec.is_moment:
        return DateTimeField(node, context)
    return (PathField if spec.path_of else TextField)(node, context)
