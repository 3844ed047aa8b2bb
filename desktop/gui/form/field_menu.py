"""What can be done to a field beside typing: send null, empty text, the default, or nothing.

Reads and sets a node; makes no widgets.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QCoreApplication

from desktop.gui.form.array_node import ArrayNode
from desktop.gui.form.fields import ABSENT
from desktop.gui.form.json_shape import same
from desktop.gui.form.object_node import ObjectNode
from desktop.gui.form.wording import shown

if TYPE_CHECKING:
    from desktop.gui.form.nodes import Node

translate = QCoreApplication.translate

CHOICES = frozenset({"boolean", "enum", "const"})
"""Fields where null is among the choices themselves."""


@dataclass(frozen=True, slots=True)
class FieldAction:
    """An entry of a field's menu, and the value it gives the field."""

    label: str
    value: Any


def actions_of(node: Node) -> list[FieldAction]:
    """What makes sense for the node as it is now."""
    spec, value = node.spec, node.value()
    found: list[FieldAction] = []
    if spec.kind == "string" and not spec.in_list and value != "":
        found.append(FieldAction(translate("FieldMenu", 'Send empty text ""'), ""))
    if (empty := _empty_of(node)) is not ABSENT and value != empty:
        found.append(FieldAction(_empty_words(empty), empty))
    if spec.nullable and value is not None and spec.kind not in CHOICES:
        found.append(FieldAction(translate("FieldMenu", "Send null"), None))
    if (default := default_of(node)) and value is not ABSENT:
        found.append(default)
    if value is not ABSENT and not spec.in_list and not _is_frame(node):
        found.append(FieldAction(translate("FieldMenu", "Do not send"), ABSENT))
    return found


def default_of(node: Node) -> FieldAction | None:
    """The offer to fill in the schema's default, where it has one worth sending."""
    default = node.spec.default
    if default is ABSENT or (default is None and not node.spec.nullable):
        return None
    if same(node.value(), default):
        return None
    words = translate("FieldMenu", "Use default: {value}")
    return FieldAction(words.format(value=shown(default)), default)


def state_of(node: Node) -> str:
    """What would be sent, in words, where the field itself does not show it."""
    value = node.value()
    if node.problem:
        return ""
    if value is ABSENT:
        return "" if node.spec.required else translate("FieldMenu", "not sent")
    if value is None and node.spec.kind not in {"json", *CHOICES}:
        return "null"
    return translate("FieldMenu", 'empty text ""') if value == "" and not node.spec.in_list else ""


def _empty_of(node: Node) -> Any:
    """The value with nothing in it, for fields that start without one."""
    if isinstance(node, ArrayNode) and not node.fixed:
        return []
    return {} if isinstance(node, ObjectNode) and node.is_map else ABSENT


def _empty_words(empty: Any) -> str:
    is_list = isinstance(empty, list)
    empty_list = translate("FieldMenu", "Send an empty list")
    return empty_list if is_list else translate("FieldMenu", "Send an empty object")


def _is_frame(node: Node) -> bool:
    """Whether the value is there whatever a person does, as the frame of its fields."""
    return isinstance(node, ObjectNode) and node.spec.required and not node.is_map
