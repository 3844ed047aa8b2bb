"""Fields written as JSON: what the form cannot draw, and an object's properties without a field."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QVBoxLayout, QWidget

from desktop.gui.form.field import Field, FormContext
from desktop.gui.form.json_editor import JsonEditor
from desktop.gui.form.wording import placeholder_of

if TYPE_CHECKING:
    from desktop.gui.form.nodes import JsonNode, ObjectNode


class JsonField(Field):
    """One value as JSON."""

    node: JsonNode

    def __init__(self, node: JsonNode, context: FormContext) -> None:
        super().__init__(node, context)
        self.json = JsonEditor(context.theme)
        self.json.editor.setPlaceholderText(placeholder_of(node.spec))
        _fill(self, self.json)
        self.json.set_text(node.text)
        self.json.edited.connect(self._type)

    def load(self) -> None:
        self.json.set_text(self.node.text)

    def target(self) -> QWidget:
        return self.json.editor

    def _type(self) -> None:
        self.node.type_text(self.json.text)
        self.edited.emit()


class OtherField(Field):
    """The properties of an object that its schema does not name."""

    node: JsonNode

    def __init__(self, owner: ObjectNode, context: FormContext) -> None:
        super().__init__(owner.other, context)
        self._owner = owner
        self.json = JsonEditor(context.theme)
        self.json.editor.setPlaceholderText("{ }")
        self.json.set_text(owner.other.text)
        _fill(self, self.json)
        self.json.edited.connect(self._type)

    def load(self) -> None:
        self.json.set_text(self._owner.other.text)

    def target(self) -> QWidget:
        return self.json.editor

    def _type(self) -> None:
        self._owner.type_other(self.json.text)
        self.edited.emit()


def _fill(field: QWidget, inner: QWidget) -> None:
    column = QVBoxLayout(field)
    column.setContentsMargins(0, 0, 0, 0)
    column.addWidget(inner)
