"""The one line above a result: how it ended, how long it took, how much came, and when."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QDateTime, QLocale, Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from desktop.gui.results.error_card import words_for
from desktop.gui.results.measures import duration_words, size_words
from desktop.gui.theme import space, style

if TYPE_CHECKING:
    from desktop.tool_types import ToolResult


class StatusLine(QWidget):
    """Words first, colour second."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.outcome = QLabel(self)
        self.facts = QLabel(self)
        for label in (self.outcome, self.facts):
            label.setTextFormat(Qt.TextFormat.PlainText)
        style(self.outcome, "badge")
        style(self.facts, "muted", "small")
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(space(3))
        layout.addWidget(self.outcome)
        layout.addWidget(self.facts)
        layout.addStretch(1)

    def show_result(self, result: ToolResult) -> None:
        if result.error is None and result.success:
            self.outcome.setText(self.tr("Success"))
        else:
            code = words_for(result.error.code) if result.error else ""
            self.outcome.setText(": ".join(filter(None, (self.tr("Error"), code))))
        style(self.outcome, "badge", "success" if result.success else "danger")
        self.facts.setText(" · ".join(_facts(result)))


def _facts(result: ToolResult) -> list[str]:
    size = sum(len(block.data) or len(block.text) for block in result.content)
    local = QDateTime.fromSecsSinceEpoch(int(result.timestamp.timestamp()))
    return [
        duration_words(result.execution_time),
        size_words(size or len(result.output)),
        QLocale().toString(local, "yyyy-MM-dd HH:mm:ss"),
    ]
