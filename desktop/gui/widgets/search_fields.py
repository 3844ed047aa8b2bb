"""The line in which a list is filtered: Esc empties it, Down goes on to the list.

The search field of the tool list: typing searches, arrow keys move in the list beside it.

The line that searches in a long form. Keeps only its text; who owns it does the searching.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QLineEdit, QWidget

from desktop.gui.widgets.retranslation import Retranslated

_TO_THE_LIST = {
    Qt.Key.Key_Down, Qt.Key.Key_Up, Qt.Key.Key_PageDown, Qt.Key.Key_PageUp,
}  # fmt: skip
_MAX_LENGTH = 200


class ToolSearchField(Retranslated, QLineEdit):
    """A line that keeps the focus while the selection moves."""

    moved = Signal(Qt.Key)
    """An arrow or page key that is meant for the list."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setClearButtonEnabled(True)
        self.setMaxLength(_MAX_LENGTH)
        self.retranslate()

    def event(self, event: QEvent) -> bool:
        if (
            isinstance(event, QKeyEvent)
            and event.type() == QEvent.Type.ShortcutOverride
            and event.key() == Qt.Key.Key_Escape
            and self.text()
        ):
            event.accept()  # clears the search before it cancels a call
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in _TO_THE_LIST:
            self.moved.emit(Qt.Key(event.key()))
        elif event.key() == Qt.Key.Key_Escape and self.text():
            self.clear()
        else:
            super().keyPressEvent(event)

    def retranslate(self) -> None:
        self.setPlaceholderText(self.tr("Search tools"))
        self.setAccessibleName(self.tr("Search tools"))
        self.setToolTip(self.tr("Ctrl+F or /"))


KEYS = "Ctrl+Shift+F"
_INTO_THE_FORM = (Qt.Key.Key_Down, Qt.Key.Key_Return, Qt.Key.Key_Enter)


class FormSearchField(Retranslated, QLineEdit):
    """Esc clears it, then leaves it; Down and Enter lead into the form."""

    left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setClearButtonEnabled(True)
        self.setMaxLength(_MAX_LENGTH)
        self.retranslate()

    def event(self, event: QEvent, /) -> bool:
        if (
            isinstance(event, QKeyEvent)
            and event.type() == QEvent.Type.ShortcutOverride
            and event.key() == Qt.Key.Key_Escape
        ):
            event.accept()  # clears the search before it cancels a call
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent, /) -> None:
        is_escape = event.key() == Qt.Key.Key_Escape
        if is_escape and self.text():
            self.clear()
        elif is_escape or (event.key() in _INTO_THE_FORM and not event.modifiers()):
            self.left.emit()
        else:
            super().keyPressEvent(event)

    def retranslate(self) -> None:
        self.setPlaceholderText(self.tr("Find a field"))
        self.setAccessibleName(self.tr("Find a field"))
        self.setToolTip(QKeySequence(KEYS).toString(QKeySequence.SequenceFormat.NativeText))


class ActivitySearchField(QLineEdit):
    """A bounded line with a button that empties it."""

    moved_down = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setClearButtonEnabled(True)
        self.setMaxLength(_MAX_LENGTH)
        self.setToolTip("Ctrl+F")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Down:
            self.moved_down.emit()
        elif event.key() == Qt.Key.Key_Escape and self.text():
            self.clear()
        else:
            super().keyPressEvent(event)
