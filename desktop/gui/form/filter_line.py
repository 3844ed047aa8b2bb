"""The line that searches in a long form. Keeps only its text; who owns it does the searching."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QLineEdit, QWidget

KEYS = "Ctrl+Shift+F"
_LONGEST = 200
_INTO_THE_FORM = (Qt.Key.Key_Down, Qt.Key.Key_Return, Qt.Key.Key_Enter)


class FormSearchField(QLineEdit):
    """Esc clears it, then leaves it; Down and Enter lead into the form."""

    left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setClearButtonEnabled(True)
        self.setMaxLength(_LONGEST)
        self._translate()

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

    def changeEvent(self, event: QEvent, /) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._translate()

    def _translate(self) -> None:
        self.setPlaceholderText(self.tr("Find a field"))
        self.setAccessibleName(self.tr("Find a field"))
        self.setToolTip(QKeySequence(KEYS).toString(QKeySequence.SequenceFormat.NativeText))
