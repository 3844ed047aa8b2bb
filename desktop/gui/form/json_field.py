"""A field written as JSON: what the form cannot draw."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QVBoxLayout, QWidget

from desktop.gui.form.field import Field, FormContext
from desktop.gui.form.json_editor import JsonEditor
from desktop.gui.form.wording import placeholder_of

if TYPE_CHECKING:
    from desktop.gui.form.nodes import JsonNode


class JsonField(Field):
    """One value as JSON."""

    node: JsonNode

    def __init__(self, node: JsonNode, context: FormContext) -> None:
        super().__init__(node, context)
        self.json = JsonEditor(context.theme)
        self.json.editor.setPlaceholderText(placeholder_of(node.spec))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.json)
        self.json.set_text(node.text)
        self.json.edited.connect(self._type)

    def load(self) -> None:
        self.json.set_text(self.node.text)

    def target(self) -> QWidget:
        return self.json.editor

    def _type(self) -> None:
        self.node.type_text(self.json.text)
        self.edited.emit()
