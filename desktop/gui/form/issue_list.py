"""A list of what is wrong with the arguments; each entry leads to its place.

Shows the issues that it is given, as plain text; checks nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from msgspec import Struct
from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QAbstractItemView, QListWidget, QListWidgetItem

from desktop.gui.theme import space, style
from desktop.gui.translations import issue_line, spoken
from desktop.gui.widgets.icons import icon

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QResizeEvent
    from PySide6.QtWidgets import QWidget

    from desktop.gui.theme import Theme
    from desktop.values.tool_types import ValidationIssue

MAX_ISSUES: Final = 50
_MAX_ISSUE_LENGTH: Final = 300
_LINES_SHOWN: Final = 4


class ListedIssue(Struct, frozen=True):
    """One entry; `offset` is where it stands in the text of a JSON view, None elsewhere."""

    issue: ValidationIssue
    line: int | None = None
    offset: int | None = None
    is_placed: bool = False
    """Whether its words say the line already."""


def issue_sentence(issue: ValidationIssue) -> str:
    """The message after its path, unless the message itself begins with that name."""
    message = spoken(issue.message)
    is_named = len(issue.path) == 1 and message.startswith(repr(issue.path[0]))
    return message if is_named else issue_line(issue)


class IssueList(QListWidget):
    """Errors and warnings, told apart by sign and word; hidden while there are none."""

    reveal_requested = Signal(object)
    """A `ListedIssue` that was clicked, or Enter pressed on."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._findings: tuple[ListedIssue, ...] = ()
        style(self, "small")
        self.setWordWrap(True)
        self.setIconSize(QSize(space(3.5), space(3.5)))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.itemClicked.connect(self._choose)
        self.itemActivated.connect(self._choose)
        theme.changed.connect(self._fill)
        self.hide()

    @property
    def findings(self) -> tuple[ListedIssue, ...]:
        return self._findings

    def show_issues(self, findings: Sequence[ListedIssue]) -> None:
        """Show these, errors first, and no others."""
        ordered = sorted(findings, key=lambda each: each.issue.severity == "warning")
        if (found := tuple(ordered)) != self._findings:
            self._findings = found
            self._fill()

    def resizeEvent(self, event: QResizeEvent, /) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fill(self) -> None:
        self.clear()
        self.setAccessibleName(self.tr("Problems with the arguments"))
        for finding in self._findings[:MAX_ISSUES]:
            is_error = finding.issue.severity == "error"
            name = "error" if is_error else "warning"
            sign = icon(self._theme, name, "danger" if is_error else "warning")
            item = QListWidgetItem(sign, self._words(finding), self)
            item.setData(Qt.ItemDataRole.UserRole, finding)
        self.setVisible(bool(self._findings))
        self._fit()

    def _words(self, finding: ListedIssue) -> str:
        words = " ".join(issue_sentence(finding.issue)[:_MAX_ISSUE_LENGTH].split())
        if finding.issue.severity == "warning":
            words = self.tr("Warning: {words}").format(words=words)
        if finding.line is None or finding.is_placed:
            return words[:1].upper() + words[1:] if finding.is_placed else words
        return self.tr("Line {line}: {words}").format(line=finding.line + 1, words=words)

    def _fit(self) -> None:
        rows = [self.sizeHintForRow(row) for row in range(min(self.count(), _LINES_SHOWN))]
        height = sum(rows) + 2 * self.frameWidth() + space(1)
        if rows and self.height() != height:
            self.setFixedHeight(height)

    def _choose(self, item: QListWidgetItem) -> None:
        finding = item.data(Qt.ItemDataRole.UserRole)
        if isinstance(finding, ListedIssue):
            self.reveal_requested.emit(finding)
