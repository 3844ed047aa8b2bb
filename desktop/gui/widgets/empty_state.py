"""What a page shows while it is empty: an icon, a sentence, and the next step as a button."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QScrollArea, QVBoxLayout, QWidget

from desktop.gui.layouts import STRETCH, InnerRow, in_column
from desktop.gui.theme import space, style
from desktop.gui.widgets.icons import set_icon
from desktop.gui.widgets.labels import plain_label
from desktop.gui.widgets.visibility import scroll_inside

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop.gui.theme import Theme

_ICON = space(12)
_WIDTH = space(105)


class EmptyState(QScrollArea):
    """Stands in the middle of whatever room it gets; scrolls where that is too low."""

    def __init__(self, theme: Theme, icon: str, title: str, sentence: str) -> None:
        super().__init__()
        self._theme = theme
        self._title, self._sentence = _centred(), _centred()
        self._buttons = QVBoxLayout()
        self._buttons.setSpacing(space(2))
        style(self._title, "heading")
        style(self._sentence, "muted")
        sign = QLabel()
        set_icon(theme, sign, icon, "disabled", size=_ICON)
        block = QFrame()
        block.setMaximumWidth(_WIDTH)
        column = QVBoxLayout(block)
        column.setSpacing(space(2))
        column.addWidget(sign, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addWidget(self._title)
        column.addWidget(self._sentence)
        column.addSpacing(space(2))
        column.addLayout(self._buttons)
        middle = InnerRow(
            STRETCH,
            (block, 1000),  # up to its width, less where there is no room
            STRETCH,
        )
        inside = QWidget()
        in_column(inside, STRETCH, middle, STRETCH)
        scroll_inside(self, inside)
        self.set_text(title, sentence)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, 0)

    def set_text(self, title: str, sentence: str) -> None:
        """Change the words."""
        self._title.setText(title)
        self._sentence.setText(sentence)
        self.setAccessibleName(f"{title}. {sentence}")

    def add_button(self, text: str, action: Callable[[], object], icon: str = "") -> QPushButton:
        """Add a next step; the first one is the primary."""
        button = QPushButton(text)
        is_first = self._buttons.isEmpty()
        if is_first:
            style(button, "primary")
        if icon:
            set_icon(self._theme, button, icon, "accent_text" if is_first else "text")
        button.clicked.connect(lambda: action())
        self._buttons.addWidget(button, 0, Qt.AlignmentFlag.AlignHCenter)
        return button


def _centred() -> QLabel:
    label = plain_label("")
    label.setAlignment(Qt.AlignmentFlag.AlignCenter)
    return label


class ListHint(QWidget):
    """The same for a list: a heading, a sentence, and a button for the next step."""

    step_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._heading, self._sentence = _centred(), _centred()
        style(self._heading, "heading")
        style(self._sentence, "muted")
        self._step = QPushButton(self)
        self._step.clicked.connect(self.step_requested)
        layout = QVBoxLayout(self)
        layout.setSpacing(space(2))
        layout.addStretch(2)
        layout.addWidget(self._heading)
        layout.addWidget(self._sentence)
        layout.addSpacing(space(1))
        layout.addWidget(self._step, 0, Qt.AlignmentFlag.AlignHCenter)
        layout.addStretch(3)

    def set_text(self, heading: str, sentence: str, step: str) -> None:
        self._heading.setText(heading)
        self._sentence.setText(sentence)
        self._step.setText(step)
