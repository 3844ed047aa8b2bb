"""What the tool's own outputSchema says of its structured content, each finding to be gone to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QVBoxLayout,
    QWidget,
)

from desktop.gui.icons import set_icon
from desktop.gui.issue_words import line_of
from desktop.gui.theme import Theme, space, style

if TYPE_CHECKING:
    from desktop.tool_types import ValidationIssue

MOST_FINDINGS = 50
_LONGEST = 500
_ROWS = 3


class OutputSchemaCard(QFrame):
    """Hidden where nothing was checked; one calm line where all is well."""

    chosen = Signal(object)  # the path of a finding

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._icon = QLabel(self)
        self.words = QLabel(self)
        self.words.setTextFormat(Qt.TextFormat.PlainText)
        self.words.setWordWrap(True)
        self.findings = QListWidget(self)
        self.findings.setAccessibleName(self.tr("Findings"))
        self.findings.setUniformItemSizes(True)
        self.findings.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.findings.itemClicked.connect(self._choose)
        self.findings.itemActivated.connect(self._choose)
        head = QHBoxLayout()
        head.setSpacing(space(2))
        head.addWidget(self._icon)
        head.addWidget(self.words, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(space(3), space(1), space(3), space(1))
        layout.setSpacing(space(1))
        layout.addLayout(head)
        layout.addWidget(self.findings)
        self.hide()

    def show_issues(self, issues: tuple[ValidationIssue, ...] | None) -> None:
        """None: nothing was checked; empty: it fits."""
        self.setVisible(issues is not None)
        self.findings.clear()
        self.findings.setVisible(bool(issues))
        fits = not issues
        tone = "success" if fits else "warning"
        style(self, "banner", tone)
        style(self.words, tone)
        set_icon(self._theme, self._icon, "check" if fits else "warning", tone)
        self.words.setText(self._sentence(len(issues or ())))
        for issue in (issues or ())[:MOST_FINDINGS]:
            item = QListWidgetItem(" ".join(line_of(issue)[:_LONGEST].splitlines()))
            item.setData(Qt.ItemDataRole.UserRole, list(issue.path))
            self.findings.addItem(item)
        self.findings.ensurePolished()  # the style sheet says how high a row is
        rows = min(_ROWS, self.findings.count())
        bars = Qt.ScrollBarPolicy
        all_seen = self.findings.count() <= _ROWS
        self.findings.setVerticalScrollBarPolicy(
            bars.ScrollBarAlwaysOff if all_seen else bars.ScrollBarAsNeeded
        )
        self.findings.setFixedHeight(rows * max(1, self.findings.sizeHintForRow(0)) + space(2))

    def _sentence(self, count: int) -> str:
        if not count:
            return self.tr("It fits the output schema.")
        words = self.tr("It does not fit the output schema ({count}):")
        if count > MOST_FINDINGS:
            words = self.tr("It does not fit the output schema ({count}, the first 50 are listed):")
        return words.format(count=count)

    def _choose(self, item: QListWidgetItem) -> None:
        self.chosen.emit(tuple(item.data(Qt.ItemDataRole.UserRole)))
