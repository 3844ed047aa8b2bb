"""A scrolling column of cards. Must not know what the cards show."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QScrollArea, QVBoxLayout, QWidget

from desktop.gui.theme import space, style
from desktop.gui.translations import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import TypeVar

    T = TypeVar("T")

MOST_CARDS = 50


class CardColumn(QScrollArea):
    """Cards one below the other, as many as a person can look at."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setWidgetResizable(True)
        self.setFrameShape(QScrollArea.Shape.NoFrame)

    def show_cards(self, items: Sequence[T], make: Callable[[T], QWidget]) -> None:
        """A card for each of `items`, up to a limit that is then told."""
        cards: Iterable[QWidget] = (make(item) for item in items[:MOST_CARDS])
        column = QWidget(self)
        layout = QVBoxLayout(column)
        layout.setContentsMargins(0, space(2), space(2), space(2))
        layout.setSpacing(space(2))
        for card in cards:
            layout.addWidget(card)
        if (left := len(items) - MOST_CARDS) > 0:
            one, many = self.tr("1 more is not shown"), self.tr("{count} more are not shown")
            note = QLabel(counted(left, one, many), column)
            note.setTextFormat(Qt.TextFormat.PlainText)
            style(note, "muted")
            layout.addWidget(note)
        layout.addStretch(1)
        self.setWidget(column)
