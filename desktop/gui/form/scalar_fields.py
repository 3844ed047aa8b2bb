"""Fields for text, secrets and numbers. What is typed is kept as typed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QToolButton, QWidget

from desktop.gui.form.field import Field, FormContext, mark_invalid
from desktop.gui.form.text_editor import GrowingTextEditor
from desktop.gui.form.wording import placeholder_of
from desktop.gui.icons import set_icon
from desktop.gui.theme import space

if TYPE_CHECKING:
    from desktop.gui.form.nodes import ScalarNode


class TextField(Field):
    """Text of one or more lines."""

    node: ScalarNode

    def __init__(self, node: ScalarNode, context: FormContext) -> None:
        super().__init__(node, context)
        is_long = node.spec.is_long or "\n" in node.text
        self._editor = GrowingTextEditor(3 if is_long else 1)
        self._editor.setPlaceholderText(placeholder_of(node.spec))
        self._editor.setPlainText(node.text)
        self._editor.textChanged.connect(self._type)
        _row(self).addWidget(self._editor)

    def load(self) -> None:
        self._editor.blockSignals(True)
        self._editor.setPlainText(self.node.text)
        self._editor.blockSignals(False)

    def target(self) -> QWidget:
        return self._editor

    def show_invalid(self, is_invalid: bool) -> None:
        mark_invalid(self._editor, is_invalid)

    def _type(self) -> None:
        self.node.type_text(self._editor.exact_text())
        self.edited.emit()


class LineField(Field):
    """A line of text, or a number of any size, or whatever was typed in its place."""

    node: ScalarNode

    def __init__(self, node: ScalarNode, context: FormContext) -> None:
        super().__init__(node, context)
        self.editor = QLineEdit(node.text)
        self.editor.setPlaceholderText(placeholder_of(node.spec))
        self.editor.textEdited.connect(self._type)
        self.row = _row(self)
        self.row.addWidget(self.editor)

    def load(self) -> None:
        self.editor.setText(self.node.text)

    def target(self) -> QWidget:
        return self.editor

    def show_invalid(self, is_invalid: bool) -> None:
        mark_invalid(self.editor, is_invalid)

    def insert(self, text: str) -> None:
        """Put a text that a person picked in the place of what is there."""
        self.editor.setText(text)
        self._type(text)
        self.editor.setFocus()

    def _type(self, text: str) -> None:
        self.node.type_text(text)
        self.edited.emit()


class NumberField(LineField):
    """A number; a line rather than a spin box, which ends at 32 bits."""

    def __init__(self, node: ScalarNode, context: FormContext) -> None:
        super().__init__(node, context)
        self.editor.setMaximumWidth(space(80))
        self.row.addStretch()


class SecretField(LineField):
    """Text that is not shown unless asked for."""

    def __init__(self, node: ScalarNode, context: FormContext) -> None:
        super().__init__(node, context)
        self.editor.setEchoMode(QLineEdit.EchoMode.Password)
        self._toggle = QToolButton()
        self._toggle.setCheckable(True)
        self._toggle.setToolTip(self.tr("Show the text"))
        self._toggle.setAccessibleName(self.tr("Show the text"))
        set_icon(context.theme, self._toggle, "eye", "muted", on="accent")
        self._toggle.toggled.connect(self._show_text)
        self.row.addWidget(self._toggle)

    def _show_text(self, is_shown: bool) -> None:
        mode = QLineEdit.EchoMode
        self.editor.setEchoMode(mode.Normal if is_shown else mode.Password)


def _row(field: QWidget) -> QHBoxLayout:
    row = QHBoxLayout(field)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(space(2))
    return row
