"""The line in which a person types what to look for; searching is the work of its owner.

Esc empties it before it does anything else, so that a search is cleared before a call is cancelled.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit

if TYPE_CHECKING:
    from collections.abc import Collection

    from PySide6.QtWidgets import QWidget

_MAX_LENGTH: Final = 200
_ANY_KEYBOARD: Final = Qt.KeyboardModifier.KeypadModifier


class SearchField(QLineEdit):
    """A line that keeps its own keys and passes on those that lead out of it."""

    exited = Signal(Qt.Key)
    """A key of `exit_keys` was pressed: it is meant for what is searched."""

    def __init__(
        self,
        parent: QWidget | None = None,
        *,
        exit_keys: Collection[Qt.Key] = (Qt.Key.Key_Down,),
    ) -> None:
        """Args: exit_keys: among them Esc leads out only once the line is empty."""
        super().__init__(parent)
        self._exit_keys = frozenset(exit_keys)
        self.setClearButtonEnabled(True)
        self.setMaxLength(_MAX_LENGTH)

    def set_purpose(self, words: str) -> None:
        """Say what is searched, to those who see the line and to those who hear it."""
        self.setPlaceholderText(words)
        self.setAccessibleName(words)

    def event(self, event: QEvent, /) -> bool:
        if (
            isinstance(event, QKeyEvent)
            and event.type() == QEvent.Type.ShortcutOverride
            and event.key() == Qt.Key.Key_Escape
            and (self.text() or Qt.Key.Key_Escape in self._exit_keys)
        ):
            event.accept()  # else a shortcut of the page gets the key, e.g. to cancel a call
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent, /) -> None:
        key = Qt.Key(event.key())
        # Ctrl+Enter runs the call; macOS counts the arrow keys among those of the keypad.
        is_plain = not event.modifiers() & ~_ANY_KEYBOARD
        if key == Qt.Key.Key_Escape and self.text():
            self.clear()
        elif key in self._exit_keys and is_plain:
            self.exited.emit(key)
        else:
            super().keyPressEvent(event)
