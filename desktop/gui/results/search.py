"""The find bar, the list of matches, and the base of the views that have both.

Knows nothing of what is searched: the owner hands over the matches, and they are looked for between
turns of the event loop.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLabel, QLineEdit, QWidget

from desktop.gui import shortcuts
from desktop.gui.layouts import in_row
from desktop.gui.theme import Theme, style
from desktop.gui.widgets.action_row import drawn_button
from desktop.gui.widgets.tab_order import restore_tab_order
from desktop.gui.widgets.visibility import scroll_area_around

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from PySide6.QtCore import QRect
    from PySide6.QtWidgets import QAbstractScrollArea

T = TypeVar("T")

MAX_MATCHES = 10_000
"""Matches that are kept; nobody steps through more."""
_TURN = 0.008  # seconds of looking per turn of the loop


class Matches(QObject, Generic[T]):
    """Takes matches from an iterator that yields None where the event loop may have a turn."""

    changed = Signal()
    reached = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.found: list[T] = []
        self.current = -1
        self._places: Iterator[T | None] | None = None
        self._turn = QTimer(self)
        self._turn.setInterval(0)
        self._turn.timeout.connect(self._look)

    @property
    def is_looking(self) -> bool:
        return self._places is not None

    def start(self, places: Iterator[T | None]) -> None:
        """Begin anew; the first match is shown at once."""
        self.clear()
        self._places = places
        self._turn.start()
        self._look()

    def clear(self) -> None:
        self._turn.stop()
        self._places = None
        self.found = []
        self.current = -1
        self.changed.emit()

    def step(self, by: int) -> None:
        """Go on by `by` matches, from the last to the first and back."""
        if self.found:
            self._go_to((self.current + by) % len(self.found))

    def _look(self) -> None:
        until = time.monotonic() + _TURN
        while self._places is not None and time.monotonic() < until:
            self._take(self._places)
        self.changed.emit()

    def _take(self, places: Iterator[T | None]) -> None:
        ended = object()
        place = next(places, ended)
        if place is ended or len(self.found) >= MAX_MATCHES:
            self._places = None
            self._turn.stop()
        elif place is not None:
            self.found.append(place)  # pyright: ignore[reportArgumentType] not `ended`
            if self.current < 0:
                self._go_to(0)

    def _go_to(self, number: int) -> None:
        self.current = number
        self.changed.emit()
        self.reached.emit(self.found[number])


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
        self._theme, self._search = theme, search
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
        self.hide()

    def open_bar(self) -> None:
        if self.layout() is None:  # pyright: ignore[reportUnnecessaryComparison] None without one
            self._lay_out()
        self.show()
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.field.selectAll()

    def close_bar(self) -> None:
        self.hide()
        self.closed.emit()

    def search_again(self) -> None:
        """Search again, e.g. because the content has changed."""
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
        elif shortcuts.NEXT_MATCH.matches(event):
            self.find_next()
        elif shortcuts.PREVIOUS_MATCH.matches(event):
            self.find_previous()
        else:
            super().keyPressEvent(event)

    def _lay_out(self) -> None:
        """Not before it is opened: there is a bar in each text and tree, and few are."""
        layout = in_row(self, (self.field, 1), self.state, spacing=1)
        for icon, words, step in (
            ("chevron-up", self.tr("Previous match (Shift+Enter)"), self.find_previous),
            ("chevron-down", self.tr("Next match (Enter)"), self.find_next),
            ("close", self.tr("Close (Esc)"), self.close_bar),
        ):
            button = drawn_button(self._theme, icon, words)
            button.clicked.connect(step)
            layout.addWidget(button)
        restore_tab_order(self)

    def _tell(self) -> None:
        count, looking = len(self.matches.found), self.matches.is_looking
        if not self.field.text():
            words = ""
        elif count:
            number = self.matches.current + 1
            words = self.tr("{number} of {count}").format(number=number, count=count)
            words += "+" if looking or count >= MAX_MATCHES else ""
        else:
            words = self.tr("Searching…") if looking else self.tr("Not found")
        self.state.setText(words)


class SearchedView(QWidget):
    """Subclasses make `find_bar`."""

    find_bar: FindBar

    def open_find(self) -> None:
        self.find_bar.open_bar()

    def show_place(self, area: QAbstractScrollArea, place: QRect) -> None:
        """Have the column around it show what a person goes to in `area`, which it may not."""
        around = scroll_area_around(self)
        is_gone_to = area.hasFocus() or self.find_bar.isVisible()
        if around is not None and is_gone_to and (inside := around.widget()) is not None:
            middle = area.viewport().mapTo(inside, place.center())
            around.ensureVisible(middle.x(), middle.y(), 0, 2 * place.height())

    def event(self, event: QEvent) -> bool:
        is_override = event.type() == QEvent.Type.ShortcutOverride
        if is_override and isinstance(event, QKeyEvent) and shortcuts.FIND.matches(event):
            event.accept()  # here Ctrl+F looks in what is shown, not for tools
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if shortcuts.FIND.matches(event):
            self.open_find()
        else:
            super().keyPressEvent(event)
