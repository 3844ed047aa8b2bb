"""A banner inside the page: what is missing before a call can be sent, or that a tool is gone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QToolButton, QWidget

from desktop.gui.theme import Theme, space, style
from desktop.gui.translations import counted
from desktop.gui.widgets.appearing import appear
from desktop.gui.widgets.icons import set_icon
from desktop.gui.widgets.labels import plain_label
from desktop.gui.widgets.retranslation import Retranslated

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from desktop.values.tool_types import ValidationIssue

Tone: TypeAlias = Literal["danger", "warning", "accent"]
_ICONS: dict[Tone, str] = {"danger": "error", "warning": "warning", "accent": "info"}
_MAX_LENGTH = 300


class InlineNotice(Retranslated, QFrame):
    """A text in a tone, perhaps with one action; hidden while there is nothing to say."""

    action_requested = Signal()

    def __init__(
        self, theme: Theme, tone: Tone, parent: QWidget | None = None, *, stays: bool = False
    ) -> None:
        """Args: stays: it cannot be dismissed, because its reason lasts."""
        super().__init__(parent)
        self._theme = theme
        self._stays = stays
        self._say: Callable[[], tuple[str, str]] | None = None
        style(self, "banner", tone)
        self.icon = QLabel(self)
        self.words = plain_label("")
        self.words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.action = QPushButton(self)
        style(self.action, "link")
        self.dismiss = QToolButton(self)
        style(self.dismiss, "flat")
        set_icon(theme, self.dismiss, "close", "muted")
        set_icon(theme, self.icon, _ICONS[tone], tone)
        self._lay_out()
        self.action.clicked.connect(self.action_requested)
        self.dismiss.clicked.connect(self.hide)
        self.hide()

    def say(self, words: Callable[[], tuple[str, str]]) -> None:
        """Show a text and the name of its action, "" for none.

        Args: words: asked again when the language of the window changes.
        """
        self._say = words
        self._write()

    def show_text(self, words: str) -> None:
        """Show a text without an action; hide the notice if it is empty."""
        self.say(lambda: (words, ""))

    def show_issues(self, issues: Sequence[ValidationIssue]) -> None:
        """Say how many issues keep the call from being sent; the action goes to the first.

        What is wrong is said once, at its field.
        """
        count = len(issues)
        self.say(lambda: (self._not_sent(count), self._way(count)))

    def retranslate(self) -> None:
        if not self.isHidden():
            self._write()

    def _not_sent(self, count: int) -> str:
        one = self.tr("Not sent. One thing to correct.")
        return counted(count, one, self.tr("Not sent. {count} things to correct."))

    def _way(self, count: int) -> str:
        return counted(count, self.tr("Show it"), self.tr("Show the first"))

    def _write(self) -> None:
        words, action = self._say() if self._say is not None else ("", "")
        self.words.setText(words[:_MAX_LENGTH])
        self.words.setWordWrap(not action)  # else it would be as narrow as possible
        self.action.setText(action)
        self.action.setVisible(bool(action))
        self.dismiss.setToolTip(self.tr("Dismiss"))
        self.dismiss.setAccessibleName(self.tr("Dismiss"))
        was_hidden = self.isHidden()
        self.setVisible(bool(words))
        if was_hidden:
            appear(self._theme, self)

    def _lay_out(self) -> None:
        row = QHBoxLayout(self)
        row.setContentsMargins(space(3), space(1), space(1), space(1))
        row.setSpacing(space(2))
        row.addWidget(self.icon)
        row.addWidget(self.words, 1)
        row.addWidget(self.action, 100, Qt.AlignmentFlag.AlignLeft)
        row.addWidget(self.dismiss)
        self.setMinimumHeight(space(9))
        self.dismiss.setVisible(not self._stays)
