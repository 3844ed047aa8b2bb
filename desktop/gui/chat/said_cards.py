"""What a person said and what a model said, as they stand in the conversation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from desktop.gui.chat.fold import CollapseButton
from desktop.gui.chat.pictures import ImageRow
from desktop.gui.chat.prose_column import MarkdownColumn
from desktop.gui.results.link_bar import LinkBar
from desktop.gui.theme import space, style

if TYPE_CHECKING:
    from PySide6.QtCore import QUrl

    from desktop.gui.chat.entries import ModelEntry, UserEntry
    from desktop.gui.theme import Theme

_INDENT = space(16)
_PICTURE = space(26)
_MEASURED = 4_000  # characters of a question whose lines are measured


class UserCard(QWidget):
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

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.refresh()
        super().changeEvent(event)


class ModelCard(QWidget):
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
        self.text.link_chosen.connect(self._offer)
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
        self._translate()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._translate()
        super().changeEvent(event)

    def _translate(self) -> None:
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
            self.thinking.link_chosen.connect(self._offer)
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
