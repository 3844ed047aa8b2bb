"""A table of names and values: environment variables or HTTP headers.

Masks a value whose name looks like a secret until the person reveals it. Stores and sends nothing.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QFrame,
    QLineEdit,
    QPushButton,
    QToolButton,
    QVBoxLayout,
)

from desktop.gui.layouts import LEFT, in_column, in_row
from desktop.gui.theme import space, style
from desktop.gui.widgets.focus_guard import guard_focus
from desktop.gui.widgets.icons import set_icon
from desktop.redaction.policy import is_secret_name

if TYPE_CHECKING:
    from collections.abc import Mapping

    from desktop.gui.theme import Theme


class KeyValueRow(QFrame):
    """One name and its value."""

    changed = Signal()
    remove_requested = Signal()
    pasted = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.name, self.value = QLineEdit(), QLineEdit()
        self.show_value, self.remove = QToolButton(), QToolButton()
        self.show_value.setCheckable(True)
        for field in (self.name, self.value):
            style(field, "mono")
        for button, icon in ((self.show_value, "eye"), (self.remove, "close")):
            style(button, "flat")
            set_icon(theme, button, icon, "muted")
        guard_focus(self.remove)  # of several rows, the next one would get the focus
        policy = self.show_value.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self.show_value.setSizePolicy(policy)
        in_row(self, (self.name, 2), (self.value, 3), self.show_value, self.remove, spacing=1)
        self.name.installEventFilter(self)
        self.name.textChanged.connect(self._changed)
        self.value.textChanged.connect(self._changed)
        self.show_value.toggled.connect(self._cover)
        self.remove.clicked.connect(self.remove_requested)
        self.name.setPlaceholderText(self.tr("Name"))
        self.value.setPlaceholderText(self.tr("Value"))
        for widget, text in (
            (self.name, self.tr("Name")),
            (self.value, self.tr("Value")),
            (self.show_value, self.tr("Show the value")),
            (self.remove, self.tr("Remove this line")),
        ):
            widget.setAccessibleName(text)
        self.show_value.setToolTip(self.tr("Show the value"))
        self.remove.setToolTip(self.tr("Remove this line"))
        self._cover()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Text with `=` or several lines pasted as a name is taken apart by the form."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            text = QGuiApplication.clipboard().text()
            if event.matches(QKeySequence.StandardKey.Paste) and ("=" in text or "\n" in text):
                self.pasted.emit(text)
                return True
        return super().eventFilter(watched, event)

    def _changed(self) -> None:
        self._cover()
        self.changed.emit()

    def _cover(self) -> None:
        is_covered = is_secret_name(self.name.text()) and not self.show_value.isChecked()
        modes = QLineEdit.EchoMode
        mode = modes.Password if is_covered else modes.Normal
        if self.value.echoMode() != mode:
            self.value.setEchoMode(mode)
        self.show_value.setVisible(is_secret_name(self.name.text()))
        set_icon(self._theme, self.show_value, "eye" if is_covered else "eye-off", "muted")


class KeyValueEditor(QFrame):
    """Rows and a button for one more; a row without name and value does not count."""

    changed = Signal()

    def __init__(self, theme: Theme, separator: str) -> None:
        """Args: separator: between name and value in pasted lines, `=` or `:`."""
        super().__init__()
        self._theme, self._separator = theme, separator
        self.rows: list[KeyValueRow] = []
        self._column = QVBoxLayout()
        self._column.setSpacing(space(1))
        self.add = QPushButton()
        style(self.add, "link")
        set_icon(theme, self.add, "plus", "accent")
        self.add.clicked.connect(self._add_by_hand)
        in_column(self, self._column, (self.add, LEFT), spacing=1)

    def pairs(self) -> dict[str, str]:
        """What is in the rows; of two with one name the last one counts (see `doubled`)."""
        filled = [row for row in self.rows if row.name.text().strip() or row.value.text()]
        return {row.name.text().strip(): row.value.text() for row in filled}

    def doubled(self) -> str:
        """The first name that is there twice, or nothing."""
        names = [row.name.text().strip() for row in self.rows if row.name.text().strip()]
        return next((name for at, name in enumerate(names) if name in names[:at]), "")

    def show_pairs(self, pairs: Mapping[str, str]) -> None:
        """Replace all rows."""
        for row in tuple(self.rows):
            self._drop(row)
        for name, value in pairs.items():
            self.add_row(name, value)

    def add_row(self, name: str = "", value: str = "") -> KeyValueRow:
        row = KeyValueRow(self._theme)
        row.name.setText(name)
        row.value.setText(value)
        row.changed.connect(self.changed)
        row.remove_requested.connect(lambda: self._drop(row))
        row.pasted.connect(partial(self._paste, row))
        self.rows.append(row)
        self._column.addWidget(row)
        self.changed.emit()
        return row

    def _add_by_hand(self) -> None:
        self.add_row().name.setFocus(Qt.FocusReason.OtherFocusReason)

    def _paste(self, row: KeyValueRow, text: str) -> None:
        if not row.name.text() and not row.value.text():
            self._drop(row)
        for line in text.splitlines():
            line = line.strip().removeprefix("export ").rstrip(",")
            name, found, value = line.partition(self._separator)
            if not found:
                name, _, value = line.partition("=" if self._separator == ":" else ":")
            if name.strip():
                self.add_row(name.strip().strip('"'), value.strip().strip("\"'"))

    def _drop(self, row: KeyValueRow) -> None:
        self.rows.remove(row)
        self._column.removeWidget(row)
        row.hide()
        row.deleteLater()
        self.changed.emit()
