"""A banner inside the page: what is missing before a call can be sent, or that a tool is gone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QToolButton, QWidget

from desktop.gui.layouts import LEFT, in_row
from desktop.gui.theme import Theme, space, style
from desktop.gui.translations import counted
from desktop.gui.widgets.appearing import appear
from desktop.gui.widgets.icons import set_icon
from desktop.gui.widgets.labels import plain_label

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.values.tool_types import ValidationIssue

Tone: TypeAlias = Literal["danger", "warning", "accent"]
_ICONS: dict[Tone, str] = {"danger": "error", "warning": "warning", "accent": "info"}
_MAX_LENGTH = 300


class InlineNotice(QFrame):
    """A text in a tone, perhaps with one action; hidden while there is nothing to say."""

    action_requested = Signal()

    def __init__(
        self, theme: Theme, tone: Tone, parent: QWidget | None = None, *, stays: bool = False
    ) -> None:
        """Args: stays: it cannot be dismissed, because its reason lasts."""
        super().__init__(parent)
        self._theme = theme
        self._stays = stays
        style(self, "banner", tone)
        self.icon = QLabel(self)
        self.words = plain_label("")
        self.words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.action = QPushButton(self)
        style(self.action, "link")
        self.dismiss = QToolButton(self)
        style(self.dismiss, "flat")
        self.dismiss.setToolTip(self.tr("Dismiss"))
        self.dismiss.setAccessibleName(self.tr("Dismiss"))
        set_icon(theme, self.dismiss, "close", "muted")
        set_icon(theme, self.icon, _ICONS[tone], tone)
        self._lay_out()
        self.action.clicked.connect(self.action_requested)
        self.dismiss.clicked.connect(self.hide)
        self.hide()

    def say(self, words: str, action: str = "") -> None:
        """Show a text and the name of its action, "" for none; hide the notice if it is empty."""
        self.words.setText(words[:_MAX_LENGTH])
        self.words.setWordWrap(not action)  # else it would be as narrow as possible
        self.action.setText(action)
        self.action.setVisible(bool(action))
        was_hidden = self.isHidden()
        self.setVisible(bool(words))
        if was_hidden:
            appear(self._theme, self)

    def show_issues(self, issues: Sequence[ValidationIssue]) -> None:
        """Say how many issues keep the call from being sent; the action goes to the first.

        What is wrong is said once, at its field.
        """
        count = len(issues)
        self.say(self._not_sent(count), self._way(count))

    def _not_sent(self, count: int) -> str:
        one = self.tr("Not sent. One thing to correct.")
        return counted(count, one, self.tr("Not sent. {count} things to correct."))

    def _way(self, count: int) -> str:
        return counted(count, self.tr("Show it"), self.tr("Show the first"))

    def _lay_out(self) -> None:
        in_row(
            self,
            self.icon,
            (self.words, 1),
            (self.action, 100, LEFT),
            self.dismiss,
            margins=(3, 1, 1, 1),
        )
        self.setMinimumHeight(space(9))
        self.dismiss.setVisible(not self._stays)
