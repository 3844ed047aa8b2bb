"""Chooses the widget for a node. The only place that knows all kinds of fields."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.gui.form.array_field import ArrayField
from desktop.gui.form.choice_fields import ChipsField, ListField, is_short
from desktop.gui.form.json_field import JsonField
from desktop.gui.form.nodes import ArrayNode, JsonNode, ObjectNode, ScalarNode
from desktop.gui.form.object_field import ObjectField
from desktop.gui.form.scalar_fields import NumberField, SecretField, TextField

if TYPE_CHECKING:
    from desktop.gui.form.field import Field, FormContext
    from desktop.gui.form.nodes import Node


def make_field(node: Node, context: FormContext) -> Field:
    if isinstance(node, ObjectNode):
        return ObjectField(node, context)
    if isinstance(node, ArrayNode):
        return ArrayField(node, context)
    if isinstance(node, ScalarNode):
        return _scalar(node, context)
    if isinstance(node, JsonNode):
        return JsonField(node, context)
    raise TypeError(type(node).__name__)


def _scalar(node: ScalarNode, context: FormContext) -> Field:
    kind = node.spec.kind
    if kind == "string":
        return (SecretField if node.spec.is_secret else TextField)(node, context)
    if kind in {"integer", "number"}:
        return NumberField(node, context)
    is_listed = node.is_absent or any(node.value() == each.value for each in node.spec.options)
    is_plain = is_listed or kind != "enum"
    return (ChipsField if is_short(node.spec) and is_plain else ListField)(node, context)
