"""A banner inside the page: what is missing before a call can be sent, or that a tool is gone."""

from __future__ import annotations

from typing import Literal, TypeAlias

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QToolButton, QWidget

from desktop.gui.layouts import LEFT, in_row
from desktop.gui.theme import Theme, space, style
from desktop.gui.widgets.appearing import appear
from desktop.gui.widgets.icons import set_icon
from desktop.gui.widgets.labels import selectable_label

Tone: TypeAlias = Literal["danger", "warning", "accent"]
_ICONS: dict[Tone, str] = {"danger": "error", "warning": "warning", "accent": "info"}
_MAX_LENGTH = 300
_MAX_LINE = 50
"""Characters that stand on one line beside an action, however narrow the page is."""


class InlineNotice(QFrame):
    """A text in a tone, perhaps with one action; hidden while there is nothing to say.

    Its parts are made when it first says something: a page has several, and most never do.
    """

    action_requested = Signal()
    dismissed = Signal()

    def __init__(
        self, theme: Theme, tone: Tone, parent: QWidget | None = None, *, stays: bool = False
    ) -> None:
        """Args: stays: it cannot be dismissed, because its reason lasts."""
        super().__init__(parent)
        self._theme, self._stays = theme, stays
        self._tone: Tone = tone
        style(self, "banner", tone)
        self.setMinimumHeight(space(9))
        self.hide()

    def say(self, words: str, action: str = "") -> None:
        """Show a text and the name of its action, "" for none; hide the notice if it is empty."""
        was_hidden = self.isHidden()
        if words:
            self._write(words, action)
        self.setVisible(bool(words))
        if was_hidden:
            appear(self._theme, self)

    def _write(self, words: str, action: str) -> None:
        if self.layout() is None:
            self._make_parts()
        self.words.setText(words[:_MAX_LENGTH])
        is_short = bool(action) and len(words) <= _MAX_LINE
        self.words.setWordWrap(not is_short)  # else it would be as narrow as possible
        self._row.setStretchFactor(self.action, 100 if is_short else 0)
        self.action.setText(action)
        self.action.setVisible(bool(action))

    def _make_parts(self) -> None:
        self.icon = QLabel(self)
        self.words = selectable_label("")
        self.action = QPushButton(self)
        style(self.action, "link")
        self.dismiss = QToolButton(self)
        style(self.dismiss, "flat")
        self.dismiss.setToolTip(self.tr("Dismiss"))
        self.dismiss.setAccessibleName(self.tr("Dismiss"))
        set_icon(self._theme, self.dismiss, "close", "muted")
        set_icon(self._theme, self.icon, _ICONS[self._tone], self._tone)
        self._row = in_row(
            self,
            self.icon,
            (self.words, 1),
            (self.action, 100, LEFT),
            self.dismiss,
            margins=(3, 1, 1, 1),
        )
        self.dismiss.setVisible(not self._stays)
        self.action.clicked.connect(self.action_requested)
        self.dismiss.clicked.connect(self.hide)
        self.dismiss.clicked.connect(self.dismissed)
