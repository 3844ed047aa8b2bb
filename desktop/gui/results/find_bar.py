"""Asks for words and steps through where they are. Must not know what is searched."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QToolButton, QWidget

from desktop.gui.results.matches import MOST, Matches
from desktop.gui.theme import Theme, space, style
from desktop.gui.widgets.icons import set_icon

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_ENTER = {Qt.Key.Key_Return, Qt.Key.Key_Enter}


class FindBar(QWidget):
    """A line above what is searched, shown by Ctrl+F and closed by Esc.

    `search` gives the places of some words, with None where it may be interrupted; each place a
    person steps to is sent as `reached`.
    """

    closed = Signal()
    reached = Signal(object)

    def __init__(
        self,
        theme: Theme,
        search: Callable[[str], Iterator[Any]],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._search = search
        self.matches: Matches[Any] = Matches(self)
        self.matches.changed.connect(self._tell)
        self.matches.reached.connect(self.reached)
        self.field = QLineEdit(self)
        self.field.setPlaceholderText(self.tr("Find"))
        self.field.setAccessibleName(self.tr("Find in the result"))
        self.field.textChanged.connect(self.search_again)
        self.state = QLabel(self)
        self.state.setTextFormat(Qt.TextFormat.PlainText)
        style(self.state, "muted", "small")
        self._lay_out(theme)
        self.hide()

    def open_bar(self) -> None:
        self.show()
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.field.selectAll()

    def close_bar(self) -> None:
        self.hide()
        self.closed.emit()

    def search_again(self) -> None:
        """Look anew, e.g. because there is something else to look in."""
        if words := self.field.text():
            self.matches.start(self._search(words))
        else:
            self.matches.clear()

    def reset(self) -> None:
        """Something else is shown now: look in it only where a person still looks."""
        if self.isVisible():
            self.search_again()
        else:
            self.field.clear()

    def find_next(self) -> None:
        self.matches.step(1)

    def find_previous(self) -> None:
        self.matches.step(-1)

    def event(self, event: QEvent) -> bool:
        is_override = event.type() == QEvent.Type.ShortcutOverride
        if is_override and isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape:
            event.accept()  # closes this bar before it cancels a call
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.close_bar()
        elif event.key() in _ENTER:
            backwards = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            self.matches.step(-1 if backwards else 1)
        else:
            super().keyPressEvent(event)

    def _lay_out(self, theme: Theme) -> None:
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(space(1))
        layout.addWidget(self.field, 1)
        layout.addWidget(self.state)
        for icon, words, step in (
            ("chevron-up", self.tr("Previous match (Shift+Enter)"), self.find_previous),
            ("chevron-down", self.tr("Next match (Enter)"), self.find_next),
            ("close", self.tr("Close (Esc)"), self.close_bar),
        ):
            button = QToolButton(self)
            button.setToolTip(words)
            button.setAccessibleName(words)
            style(button, "flat")
            set_icon(theme, button, icon, "muted")
            button.clicked.connect(step)
            layout.addWidget(button)

    def _tell(self) -> None:
        count, looking = len(self.matches.found), self.matches.is_looking
        if not self.field.text():
            words = ""
        elif count:
            number = self.matches.current + 1
            words = self.tr("{number} of {count}").format(number=number, count=count)
            words += "+" if looking or count >= MOST else ""
        else:
            words = self.tr("Searching…") if looking else self.tr("Not found")
        self.state.setText(words)
