"""Fields for what another client would ask a person for: the `inputs` of VS Code and of bundles.

What is left empty stays a variable. Must not write anything; secrets are typed unseen.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QFormLayout, QFrame, QLabel, QLineEdit

from desktop.base.visible_text import escape_hidden
from desktop.gui.theme import space, style

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.config.imports.inputs import ImportInput

_MAX_SHOWN = 12


class InputsView(QFrame):
    """A row a question; answers that were typed stay while other servers are chosen."""

    def __init__(self) -> None:
        super().__init__()
        self._shown: tuple[ImportInput, ...] = ()
        self.fields: dict[str, QLineEdit | QComboBox] = {}
        """By the id of the question."""
        self._rows = QFormLayout(self)
        self._rows.setContentsMargins(0, 0, 0, 0)
        self._rows.setHorizontalSpacing(space(3))
        self._rows.setVerticalSpacing(space(2))
        self.hide()

    def show_inputs(self, inputs: Sequence[ImportInput]) -> None:
        """Ask these questions from now on."""
        if (shown := tuple(inputs[:_MAX_SHOWN])) == self._shown:
            return
        typed, self._shown = self.answers(), shown
        while self._rows.rowCount():
            self._rows.removeRow(0)
        self.fields = {}
        for question in shown:
            field = _field(question, typed.get(question.id, question.default))
            label = QLabel(escape_hidden(question.description))
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setWordWrap(True)
            label.setBuddy(field)
            style(label, "muted")
            field.setAccessibleName(escape_hidden(question.description))
            self.fields[question.id] = field
            self._rows.addRow(label, field)
        self.setVisible(bool(shown))

    def answers(self) -> dict[str, str]:
        """What was typed or chosen, by the id of the question."""
        return {
            name: field.currentText() if isinstance(field, QComboBox) else field.text()
            for name, field in self.fields.items()
        }


def _field(question: ImportInput, value: str) -> QLineEdit | QComboBox:
    if question.choices:
        choice = QComboBox()
        choice.addItems(["", *question.choices])
        choice.setCurrentText(value)
        return choice
    line = QLineEdit(value)
    if question.is_secret:
        line.setEchoMode(QLineEdit.EchoMode.Password)
    else:
        line.setPlaceholderText(f"${{{question.variable}}}")
    return line
