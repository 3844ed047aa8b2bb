"""What stands between questions and calls: what the model answered, and notices."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QWidget

from desktop.gui.chat.collapse_button import CollapseButton
from desktop.gui.chat.labels import notice_label
from desktop.gui.chat.markdown_text import MarkdownColumn
from desktop.gui.layouts import LEFT, TOP, InnerColumn, in_column, in_row
from desktop.gui.results.markdown import LinkBar
from desktop.gui.theme import style
from desktop.gui.widgets.icons import set_icon
from desktop.gui.widgets.labels import plain_label

if TYPE_CHECKING:
    from PySide6.QtCore import QUrl

    from desktop.gui.chat.entries import ModelEntry, NoticeEntry
    from desktop.gui.theme import Theme


_MAX_LENGTH = 1_000
_TICK_MS = 500
_SETTINGS = {"key", "connection"}


class NoticeCard(QFrame):
    """Words in a tone; a failure that Settings can mend has a button for them.

    A wait for the next attempt is counted down, and goes when it is over.
    """

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
        self._tick = QTimer(self, interval=_TICK_MS)
        self._tick.timeout.connect(self.refresh)
        column = InnerColumn(self.words, self.remedy, spacing=0)
        in_row(self, (self.icon, TOP), (column, 1), self.settings, margins=(3, 2, 3, 2))
        self.refresh()

    def refresh(self) -> None:
        if self.entry.is_over:
            self.hide()
        is_counting = self.entry.kind == "retry" and not self.entry.is_over
        if is_counting != self._tick.isActive():
            (self._tick.start if is_counting else self._tick.stop)()
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


class ModelCard(QWidget):
    """An answer: what the model thought, folded, its text, and Copy once it is whole."""

    unfolded = Signal(bool)
    """Something of it was opened, or closed again."""

    def __init__(self, theme: Theme, entry: ModelEntry, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.entry = entry
        self.fold = CollapseButton(theme, self)
        self.fold.opened.connect(self.unfolded)
        self.fold.opened.connect(self._show_thinking)
        self.thinking: MarkdownColumn | None = None
        self._nested = QFrame(self)
        style(self._nested, "nested")
        in_column(self._nested, margins=(3, 0, 0, 0), spacing=1.5)
        self.text = MarkdownColumn(self)
        self.text.link_activated.connect(self._offer)
        self.links: LinkBar | None = None
        self.copy = QPushButton(self)
        style(self.copy, "link", "small")
        self.copy.clicked.connect(self._copy)
        self._column = in_column(
            self, (self.fold, LEFT), self._nested, self.text, (self.copy, LEFT), spacing=1
        )
        self.refresh()

    def refresh(self) -> None:
        """Show the entry as far as it has come."""
        entry = self.entry
        self.text.setVisible(bool(entry.text.tail))
        self.text.show_text(entry.text, is_live=entry.is_live)
        self.copy.setVisible(bool(entry.text.tail) and not entry.is_live)
        self.fold.setVisible(bool(entry.thinking.tail))
        self._show_thinking()
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
