"""The cards of a chat: what the person wrote, what the model answered, a tool call, a notice.

A card builds what is folded away only when it is opened; a tool's result is then the `ResultView`
that all results have.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from desktop.gui.chat.approval_panel import ApprovalPanel, CodePreview
from desktop.gui.chat.images import ImageRow
from desktop.gui.chat.labels import call_label, notice_label
from desktop.gui.chat.markdown_text import MarkdownColumn
from desktop.gui.results.markdown import LinkBar
from desktop.gui.theme import space, style
from desktop.gui.translations import spoken
from desktop.gui.widgets.formatting import format_duration
from desktop.gui.widgets.icons import set_icon
from desktop.gui.widgets.labels import ElidedLabel, plain_label
from desktop.gui.widgets.retranslation import Retranslated
from desktop.visible_text import mark_hidden

if TYPE_CHECKING:
    from PySide6.QtCore import QUrl

    from desktop.agent.events import ApprovalResponse
    from desktop.gui.chat.entries import ModelEntry, NoticeEntry, ToolCallEntry, UserEntry
    from desktop.gui.results.result_view import ResultView
    from desktop.gui.theme import Theme
    from desktop.tool_types import ToolResult


class CollapseButton(QPushButton):
    """Checked while open; the arrow says which."""

    opened = Signal(bool)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setCheckable(True)
        style(self, "link", "small")
        self.toggled.connect(self._turn)
        self._turn(False)

    def _turn(self, is_open: bool) -> None:
        set_icon(self._theme, self, "chevron-down" if is_open else "chevron-right", "accent")
        self.opened.emit(is_open)


_SMALL, _LARGE = space(62), space(95)
_SHORT = 400  # characters that need no more than the small height
_MAX_LINE_LENGTH = 300


class CallCard(Retranslated, QFrame):
    """A line while nothing is asked and nothing opened."""

    open_call_requested = Signal(str, object)
    """Key and arguments, to be shown in the form of the tool."""
    answered = Signal(str, object)
    """The id of the call and the `Answer` of a person."""
    cancel_requested = Signal(str)
    """The id of a running call that a person does not want to wait for."""

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
        self.cancel = QToolButton(self)
        self.open_in_tools = QToolButton(self)
        self.question: ApprovalPanel | None = None
        self.arguments: CodePreview | None = None
        self.result: ResultView | None = None
        self._body = QFrame(self)
        self._lay_out()
        self.fold.opened.connect(self._show_body)
        self.cancel.clicked.connect(lambda: self.cancel_requested.emit(entry.call_id))
        self.open_in_tools.clicked.connect(self._open)
        self.refresh()

    def refresh(self) -> None:
        """Show the entry as far as it has come."""
        entry = self.entry
        state = call_label(entry)
        name = entry.key or entry.name
        self.title.show_text(mark_hidden(" ".join(name.split())[:_MAX_LINE_LENGTH]))
        self.state.setText(state.text)
        style(self.state, "badge", *state.roles)
        was_sent = entry.result is not None and entry.elapsed > 0
        self.time.setText(format_duration(entry.elapsed) if was_sent else "")
        self.line.show_text(self._one_line())
        self.line.setVisible(bool(self._one_line()) and not self.fold.isChecked())
        self.cancel.setVisible(entry.state == "running")
        self.open_in_tools.setEnabled(bool(entry.key))
        self._show_question()
        self._show_body()
        self._translate()

    def retranslate(self) -> None:
        self.refresh()

    def _one_line(self) -> str:
        """The start of what came, or how far it is."""
        result = self.entry.result
        if result is None:
            return " ".join(self.entry.detail[:_MAX_LINE_LENGTH].split())
        words = spoken(result.error.message) if result.error is not None else result.output
        return " ".join(words[:_MAX_LINE_LENGTH].split())

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
            is_small = len(result.output) < _SHORT and all(block.text for block in result.content)
            self.result.setFixedHeight(_SMALL if is_small else _LARGE)
            self.result.show_result(result, (self.entry.key or self.entry.name).rpartition(":")[2])

    def _open(self) -> None:
        self.open_call_requested.emit(self.entry.key, self.entry.arguments)

    def _lay_out(self) -> None:
        icon = QLabel(self)
        set_icon(self._theme, icon, "tools", "muted")
        style(self.title, "mono")
        style(self.line, "muted", "small")
        style(self.open_in_tools, "flat")
        set_icon(self._theme, self.open_in_tools, "edit", "muted")
        style(self.cancel, "flat")
        set_icon(self._theme, self.cancel, "stop", "danger")
        row = QHBoxLayout()
        row.setSpacing(space(2))
        row.addWidget(icon)
        row.addWidget(self.title, 1)
        for widget in (self.time, self.state, self.cancel, self.fold, self.open_in_tools):
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
        for button, words in (
            (self.cancel, self.tr("Cancel this call; the model continues without its result")),
            (self.open_in_tools, self.tr("Open in Tools with these arguments")),
        ):
            button.setToolTip(words)
            button.setAccessibleName(words)
        name = self.tr("Call of {tool}: {state}")
        self.setAccessibleName(
            name.format(tool=self.entry.key or self.entry.name, state=self.state.text())
        )


_MAX_LENGTH = 1_000
_SETTINGS = {"key", "connection"}


class NoticeCard(Retranslated, QFrame):
    """Words in a tone; a failure that Settings can mend has a button for them."""

    settings_requested = Signal()

    def __init__(self, theme: Theme, entry: NoticeEntry, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.entry = entry
        self.icon = QLabel(self)
        self.words, self.remedy = plain_label(""), plain_label("", "small")
        flags = Qt.TextInteractionFlag
        for label in (self.words, self.remedy):
            label.setTextInteractionFlags(flags.TextSelectableByMouse)
        self.settings = QPushButton(self)
        style(self.settings, "link")
        self.settings.clicked.connect(self.settings_requested)
        column = QVBoxLayout()
        column.setSpacing(0)
        column.addWidget(self.words)
        column.addWidget(self.remedy)
        row = QHBoxLayout(self)
        row.setContentsMargins(space(3), space(2), space(3), space(2))
        row.setSpacing(space(2))
        row.addWidget(self.icon, 0, Qt.AlignmentFlag.AlignTop)
        row.addLayout(column, 1)
        row.addWidget(self.settings)
        self.refresh()

    def refresh(self) -> None:
        notice = notice_label(self.entry)
        is_quiet = notice.tone == "muted"
        if is_quiet:
            style(self.words, "muted", "small")
        else:
            style(self, "banner", *notice.roles)
            sign = "error" if notice.tone == "danger" else "warning"
            set_icon(self._theme, self.icon, sign, notice.tone)
        self.icon.setVisible(not is_quiet)
        self.words.setText(notice.text[:_MAX_LENGTH])
        self.remedy.setText(notice.remedy)
        self.remedy.setVisible(bool(notice.remedy))
        self.settings.setText(self.tr("Open Settings"))
        self.settings.setVisible(self.entry.cause in _SETTINGS)
        self.setAccessibleName(f"{notice.text[:_MAX_LENGTH]} {notice.remedy}".strip())

    def retranslate(self) -> None:
        self.refresh()


_INDENT = space(16)
_PICTURE = space(26)
_MEASURED = 4_000  # characters of a question whose lines are measured


class UserCard(Retranslated, QWidget):
    """A question at the right side, letter by letter, with its pictures."""

    def __init__(self, entry: UserEntry, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.entry = entry
        self.bubble = bubble = QFrame(self)
        style(bubble, "banner", "accent")
        self.text = MarkdownColumn(bubble, is_markdown=False)
        inside = QVBoxLayout(bubble)
        inside.setContentsMargins(space(3), space(2), space(3), space(2))
        inside.setSpacing(space(2))
        inside.addWidget(self.text)
        self.pictures = ImageRow(bubble)
        self.pictures.show_images(entry.images)
        inside.addWidget(self.pictures)
        row = QHBoxLayout(self)
        row.setContentsMargins(_INDENT, 0, 0, 0)
        row.addStretch(1)
        row.addWidget(bubble, 1000)  # as wide as its words, less where there is no room
        self.refresh()

    def refresh(self) -> None:
        self.text.setVisible(bool(self.entry.text.tail))
        self.text.show_text(self.entry.text)
        lines = self.entry.text.text[:_MEASURED].splitlines()
        widest = max((self.fontMetrics().horizontalAdvance(line) for line in lines), default=0)
        least = _PICTURE * len(self.entry.images) + space(9)
        self.bubble.setMaximumWidth(max(widest + space(9), least))
        self.setAccessibleName(self.tr("You: {text}").format(text=self.entry.text.text[:200]))

    def retranslate(self) -> None:
        self.refresh()


class ModelCard(Retranslated, QWidget):
    """An answer: what the model thought, folded, its text, and Copy once it is whole."""

    def __init__(self, theme: Theme, entry: ModelEntry, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.entry = entry
        self.fold = CollapseButton(theme, self)
        self.fold.opened.connect(self._show_thinking)
        self.thinking: MarkdownColumn | None = None
        self._nested = QFrame(self)
        style(self._nested, "nested")
        QVBoxLayout(self._nested).setContentsMargins(space(3), 0, 0, 0)
        self.text = MarkdownColumn(self)
        self.text.link_activated.connect(self._offer)
        self.links: LinkBar | None = None
        self.copy = QPushButton(self)
        style(self.copy, "link", "small")
        self.copy.clicked.connect(self._copy)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(space(1))
        self._column.addWidget(self.fold, 0, Qt.AlignmentFlag.AlignLeft)
        self._column.addWidget(self._nested)
        self._column.addWidget(self.text)
        self._column.addWidget(self.copy, 0, Qt.AlignmentFlag.AlignLeft)
        self.refresh()

    def refresh(self) -> None:
        """Show the entry as far as it has come."""
        entry = self.entry
        self.text.setVisible(bool(entry.text.tail))
        self.text.show_text(entry.text, is_live=entry.is_live)
        self.copy.setVisible(bool(entry.text.tail) and not entry.is_live)
        self.fold.setVisible(bool(entry.thinking.tail))
        self._show_thinking()
        self.retranslate()

    def retranslate(self) -> None:
        is_thinking = self.entry.is_live and not self.entry.text.tail
        self.fold.setText(self.tr("Thinking…") if is_thinking else self.tr("Thoughts"))
        self.copy.setText(self.tr("Copy answer"))
        self.setAccessibleName(self.tr("Answer: {text}").format(text=self.entry.text.text[:200]))

    def _show_thinking(self) -> None:
        is_open = self.fold.isChecked() and bool(self.entry.thinking.tail)
        self._nested.setVisible(is_open)
        if not is_open:
            return
        if self.thinking is None:
            self.thinking = MarkdownColumn(self._nested)
            self.thinking.link_activated.connect(self._offer)
            layout = self._nested.layout()
            if layout is not None:
                layout.addWidget(self.thinking)
        self.thinking.show_text(self.entry.thinking, is_live=self.entry.is_live)

    def _offer(self, url: QUrl) -> None:
        if self.links is None:
            self.links = LinkBar(self)
            self._column.insertWidget(self._column.indexOf(self.copy), self.links)
        self.links.offer(url)

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.entry.text.text)
