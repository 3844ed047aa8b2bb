"""One tool call in a conversation: which tool, how it went, and folded what was sent and came.

The result is the `ResultView` of all results, built when a person opens the card.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QToolButton, QVBoxLayout, QWidget

from desktop.gui.chat.excerpt import CodePreview
from desktop.gui.chat.fold import CollapseButton
from desktop.gui.chat.question_panel import ApprovalPanel
from desktop.gui.chat.words import call_words
from desktop.gui.elided_label import ElidedLabel
from desktop.gui.form.labels import plain_label
from desktop.gui.icons import set_icon
from desktop.gui.results.measures import duration_words
from desktop.gui.spoken import spoken
from desktop.gui.theme import space, style

if TYPE_CHECKING:
    from desktop.agent.events import ApprovalResponse
    from desktop.gui.chat.entries import ToolCallEntry
    from desktop.gui.results.result_view import ResultView
    from desktop.gui.theme import Theme
    from desktop.tool_types import ToolResult

_SMALL, _LARGE = space(62), space(95)
_SHORT = 400  # characters that need no more than the small height
_LONGEST_LINE = 300


class CallCard(QFrame):
    """A line while nothing is asked and nothing opened."""

    open_call = Signal(str, object)
    """Key and arguments, to be shown in the form of the tool."""
    answered = Signal(str, object)
    """The id of the call and the `Answer` of a person."""

    def __init__(self, theme: Theme, entry: ToolCallEntry, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.entry = entry
        style(self, "card")
        self.title, self.line = ElidedLabel(), ElidedLabel()
        self.state, self.time = plain_label("", "badge"), plain_label("", "muted", "small")
        self.state.setWordWrap(False)
        self.time.setWordWrap(False)
        self.fold = CollapseButton(theme, self)
        self.open_in_tools = QToolButton(self)
        self.question: ApprovalPanel | None = None
        self.arguments: CodePreview | None = None
        self.result: ResultView | None = None
        self._body = QFrame(self)
        self._lay_out()
        self.fold.opened.connect(self._show_body)
        self.open_in_tools.clicked.connect(self._open)
        self.refresh()

    def refresh(self) -> None:
        """Show the entry as far as it has come."""
        entry = self.entry
        said = call_words(entry)
        name = entry.key or entry.name
        self.title.show_text(" ".join(name.split())[:_LONGEST_LINE])
        self.state.setText(said.words)
        style(self.state, "badge", *((said.tone,) if said.tone else ()))
        was_sent = entry.result is not None and entry.elapsed > 0
        self.time.setText(duration_words(entry.elapsed) if was_sent else "")
        self.line.show_text(self._one_line())
        self.line.setVisible(bool(self._one_line()) and not self.fold.isChecked())
        self.open_in_tools.setEnabled(bool(entry.key))
        self._show_question()
        self._show_body()
        self._translate()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.refresh()
        super().changeEvent(event)

    def _one_line(self) -> str:
        """The start of what came, or how far it is."""
        result = self.entry.result
        if result is None:
            return " ".join(self.entry.detail[:_LONGEST_LINE].split())
        words = spoken(result.error.message) if result.error is not None else result.output
        return " ".join(words[:_LONGEST_LINE].split())

    def _show_question(self) -> None:
        asked = self.entry.question
        if self.question is not None and self.question.question is not asked:
            self.question.hide()
            self._column.removeWidget(self.question)
            self.question.deleteLater()
            self.question = None
        if asked is not None and self.question is None:
            self.question = ApprovalPanel(self._theme, asked, self)
            self.question.answered.connect(self._answer)
            self._column.insertWidget(1, self.question)
        self.fold.setVisible(asked is None)

    def _answer(self, answer: ApprovalResponse) -> None:
        self.answered.emit(self.entry.call_id, answer)

    def _show_body(self) -> None:
        is_open = self.fold.isChecked() and self.entry.question is None
        self._body.setVisible(is_open)
        self.line.setVisible(bool(self._one_line()) and not is_open)
        if not is_open:
            return
        if self.arguments is None:
            self.arguments = CodePreview(self._theme, "json", self._body)
            self._inside.addWidget(self.arguments)
        if self.entry.text:
            self.arguments.show_text(self.entry.text)
        else:
            self.arguments.show_arguments(self.entry.arguments)
        if self.entry.result is not None:
            self._show_result(self.entry.result)

    def _show_result(self, result: ToolResult) -> None:
        if self.result is None:
            from desktop.gui.results.result_view import ResultView  # when it is wanted

            self.result = ResultView(self._theme, self._body)
            self._inside.addWidget(self.result)
        if self.result.result is not result:
            is_small = len(result.output) < _SHORT and all(one.text for one in result.content)
            self.result.setFixedHeight(_SMALL if is_small else _LARGE)
            self.result.show_result(result, (self.entry.key or self.entry.name).rpartition(":")[2])

    def _open(self) -> None:
        self.open_call.emit(self.entry.key, self.entry.arguments)

    def _lay_out(self) -> None:
        icon = QLabel(self)
        set_icon(self._theme, icon, "tools", "muted")
        style(self.title, "mono")
        style(self.line, "muted", "small")
        style(self.open_in_tools, "flat")
        set_icon(self._theme, self.open_in_tools, "edit", "muted")
        row = QHBoxLayout()
        row.setSpacing(space(2))
        row.addWidget(icon)
        row.addWidget(self.title, 1)
        for widget in (self.time, self.state, self.fold, self.open_in_tools):
            row.addWidget(widget, 0, Qt.AlignmentFlag.AlignVCenter)
        self._inside = QVBoxLayout(self._body)
        self._inside.setContentsMargins(0, 0, 0, space(1))
        self._inside.setSpacing(space(1))
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(space(3), space(1), space(2), space(1))
        self._column.setSpacing(space(1))
        self._column.addLayout(row)
        self._column.addWidget(self.line)
        self._column.addWidget(self._body)

    def _translate(self) -> None:
        self.fold.setText(self.tr("Details"))
        words = self.tr("Open in Tools with these arguments")
        self.open_in_tools.setToolTip(words)
        self.open_in_tools.setAccessibleName(words)
        name = self.tr("Call of {tool}: {state}")
        self.setAccessibleName(
            name.format(tool=self.entry.key or self.entry.name, state=self.state.text())
        )
