"""A banner inside the page: what is missing before a call can be sent, or that a tool is gone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QWidget

from desktop.gui.icons import set_icon
from desktop.gui.issue_words import line_of
from desktop.gui.theme import Theme, space, style

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.tools.issue import ValidationIssue

_MOST_ISSUES = 8
_LONGEST = 300


class Notice(QFrame):
    """Words in a tone; hidden while there is nothing to say."""

    def __init__(self, theme: Theme, tone: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._issues: tuple[ValidationIssue, ...] = ()
        is_danger = tone == "danger"
        style(self, "banner", "danger" if is_danger else "warning")
        icon = QLabel(self)
        set_icon(
            theme, icon, "error" if is_danger else "warning", "danger" if is_danger else "warning"
        )
        self.words = QLabel(self)
        self.words.setTextFormat(Qt.TextFormat.PlainText)
        self.words.setWordWrap(True)
        self.words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(space(3), space(2), space(3), space(2))
        layout.setSpacing(space(2))
        layout.addWidget(icon, 0, Qt.AlignmentFlag.AlignTop)
        layout.addWidget(self.words, 1)
        self.hide()

    def show_words(self, words: str) -> None:
        self._issues = ()
        self.words.setText(words)
        self.setVisible(bool(words))

    def show_issues(self, issues: Sequence[ValidationIssue]) -> None:
        """Say what keeps a call from being sent, a line each, in the language of the window."""
        lines = [self.tr("Not sent. To correct:")]
        lines += [f"• {line_of(issue)[:_LONGEST]}" for issue in issues[:_MOST_ISSUES]]
        if (left := len(issues) - _MOST_ISSUES) > 0:
            lines.append(self.tr("… and {count} more").format(count=left))
        self.show_words("\n".join(lines))
        self._issues = tuple(issues)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange and self._issues and not self.isHidden():
            self.show_issues(self._issues)
        super().changeEvent(event)
