"""Fields for what is to be filled in before a server starts: `<YOUR_TOKEN>`, VS Code's `inputs`.

What is left empty stays a variable. Must not write anything; secrets are typed unseen.
"""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QFileDialog,
    QFrame,
    QLineEdit,
    QToolButton,
)

from desktop.base.visible_text import escape_hidden
from desktop.gui.layouts import in_row
from desktop.gui.widgets.field_rows import FieldRows
from desktop.gui.widgets.icons import set_icon
from desktop.gui.widgets.labels import plain_label

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.config.imports.inputs import ImportInput
    from desktop.gui.theme import Theme

_MAX_SHOWN = 12


class PathLine(QFrame):
    """A line for the path of a folder, or of a file, and a button that lets one be chosen."""

    def __init__(self, theme: Theme, *, is_file: bool) -> None:
        super().__init__()
        self._is_file = is_file
        self.edit, self.pick = QLineEdit(), QToolButton()
        words = self.tr("Choose a file") if is_file else self.tr("Choose a folder")
        set_icon(theme, self.pick, "folder", "muted")
        self.pick.setToolTip(words)
        self.pick.setAccessibleName(words)
        self.setFocusProxy(self.edit)
        self.pick.clicked.connect(self._pick)
        in_row(self, (self.edit, 1), self.pick, spacing=1)

    @property
    def text(self) -> str:
        return self.edit.text()

    def set_text(self, text: str) -> None:
        self.edit.setText(text)

    def _pick(self) -> None:
        picker = QFileDialog(self, self.pick.toolTip(), self.text)
        if self._is_file:
            picker.setFileMode(QFileDialog.FileMode.ExistingFile)
        else:
            picker.setFileMode(QFileDialog.FileMode.Directory)
            picker.setOption(QFileDialog.Option.ShowDirsOnly)
        picker.fileSelected.connect(self.set_text)
        picker.finished.connect(picker.deleteLater)
        picker.open()


class InputsView(QFrame):
    """A row a question; answers that were typed stay while other servers are chosen."""

    changed = Signal()
    """An answer was typed or chosen."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._shown: tuple[ImportInput, ...] = ()
        self.fields: dict[str, QLineEdit | QComboBox | PathLine] = {}
        """By the id of the question."""
        self._rows = FieldRows(self)
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
            field = self._field(question, typed.get(question.id, question.default))
            label = plain_label(escape_hidden(question.description), "muted")
            edit = field.edit if isinstance(field, PathLine) else field
            edit.setAccessibleName(escape_hidden(question.description))
            self.fields[question.id] = field
            self._rows.add(label, field)
        self.setVisible(bool(shown))

    def answers(self) -> dict[str, str]:
        """What was typed or chosen, by the id of the question."""
        return {name: _text(field) for name, field in self.fields.items()}

    def focus_first_empty(self) -> bool:
        """Put the keyboard where nothing is typed yet; False where all is."""
        for question in self._shown:
            field = self.fields[question.id]
            if not _text(field) and not question.default:
                field.setFocus(Qt.FocusReason.OtherFocusReason)
                return True
        return False

    def _tell_change(self, _: str) -> None:
        self.changed.emit()

    def _field(self, question: ImportInput, value: str) -> QLineEdit | QComboBox | PathLine:
        if question.choices:
            choice = QComboBox()
            choice.addItems(["", *question.choices])
            choice.setCurrentText(value)
            choice.currentTextChanged.connect(self._tell_change)
            return choice
        if question.is_path:
            path = PathLine(self._theme, is_file=bool(PurePath(question.id).suffix))
            path.set_text(value)
            path.edit.textChanged.connect(self._tell_change)
            return path
        line = QLineEdit(value)
        if question.is_secret:
            line.setEchoMode(QLineEdit.EchoMode.Password)
        else:
            line.setPlaceholderText(f"${{{question.variable}}}")
        line.textChanged.connect(self._tell_change)
        return line


def _text(field: QLineEdit | QComboBox | PathLine) -> str:
    if isinstance(field, QComboBox):
        return field.currentText()
    return field.text if isinstance(field, PathLine) else field.text()
