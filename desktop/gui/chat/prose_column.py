"""A text of a conversation of any length: its parts below each other, so many at a time.

Shows a `GrowingText`; each update costs what the last part costs, however long the text is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt, QTimer, QUrl, Signal
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from desktop.gui.chat.prose import MarkdownText
from desktop.gui.counted import counted
from desktop.gui.theme import space, style

if TYPE_CHECKING:
    from desktop.gui.chat.text_parts import GrowingText

AT_ONCE = 6
"""Parts that are built unasked, and each time more are asked for."""
MOST_LIVE = 80
"""Parts that are shown while they arrive."""
A_TURN = 1
"""Parts that are built between two turns of the loop."""
_WIDTH = space(150)


class MarkdownColumn(QWidget):
    """Parts, and a button for the next ones where there are more."""

    link_chosen = Signal(QUrl)
    """The target of a link that a person clicked."""
    settled = Signal()
    """All parts that are wanted are there."""

    def __init__(self, parent: QWidget | None = None, *, is_markdown: bool = True) -> None:
        super().__init__(parent)
        self._is_markdown = is_markdown
        self._text: GrowingText | None = None
        self._limit = AT_ONCE
        self._settled = 0
        self._turn = QTimer(self, singleShot=True, interval=0)
        self._turn.timeout.connect(self._build_some)
        self.proses: list[MarkdownText] = []
        self.more = QPushButton(self)
        style(self.more, "link", "small")
        self.more.clicked.connect(self._show_more)
        self.more.hide()
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(space(2))
        self._column.addWidget(self.more, 0, Qt.AlignmentFlag.AlignLeft)

    def show_text(self, text: GrowingText, *, is_live: bool = False) -> None:
        """Show `text` as far as it has come; call again when it has grown, or is another one."""
        if text is not self._text:
            self._text, self._settled = text, 0
        if is_live:
            self._limit = max(self._limit, MOST_LIVE)
        while len(self.proses) > min(len(text.parts), self._limit):
            left = self.proses.pop()
            self._column.removeWidget(left)
            left.hide()
            left.deleteLater()
        self._build_some()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange and self._text is not None:
            self._tell_rest(sum(map(len, self._text.parts[self._limit :])))
        super().changeEvent(event)

    def _build_some(self) -> None:
        """A part or two, and the others in the next turns of the loop."""
        if self._text is None:
            return
        parts = self._text.parts
        wanted = parts[: self._limit]
        last = min(self._settled + A_TURN, len(wanted))
        for at in range(self._settled, last):
            self._show_part(at, wanted[at])
        self._settled = min(last, len(self._text.done))
        if last < len(wanted):
            self._turn.start()
        else:
            self.settled.emit()
        self._tell_rest(sum(map(len, parts[self._limit :])))

    def _show_part(self, at: int, part: str) -> None:
        if at == len(self.proses):
            prose = MarkdownText(self)
            prose.resize(max(self.width(), _WIDTH), prose.height())  # else laid out twice
            prose.anchorClicked.connect(self.link_chosen)
            self.proses.append(prose)
            self._column.insertWidget(at, prose)
        if self._is_markdown:
            self.proses[at].show_markdown(part)
        else:
            self.proses[at].show_plain(part)

    def _tell_rest(self, left: int) -> None:
        one, many = self.tr("Show more (1 character)"), self.tr("Show more ({count} characters)")
        self.more.setText(counted(left, one, many))
        self.more.setVisible(left > 0)

    def _show_more(self) -> None:
        self._limit += AT_ONCE
        if self._text is not None:
            self.show_text(self._text)
