"""What a server writes to stderr, live: the last lines, following the end unless scrolled up.

Plain text, bounded and appended in batches, so that a server that floods does not slow the window.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication, QSyntaxHighlighter
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QPushButton

from desktop.base.visible_text import mark_hidden_text
from desktop.gui import bridge
from desktop.gui.layouts import InnerRow, in_column
from desktop.gui.theme import style
from desktop.gui.widgets.icons import set_icon
from desktop.gui.widgets.labels import ElidedLabel
from desktop.servers.transport.stderr_log import is_divider

if TYPE_CHECKING:
    from desktop.gui.theme import Theme
    from desktop.servers.transport.stderr_log import StderrLog

MAX_LINES = 1000
_BATCH_MS = 50
_LINE = 1000  # characters shown of a line: laying out longer ones costs more than they tell


class _Tap(QObject):
    """Feeds one server's lines into the view, until another server is shown."""

    def __init__(self, view: StderrView, output: StderrLog) -> None:
        super().__init__(view)
        self._view: StderrView | None = view
        self.output = output
        bridge.connect(self, output.received, self._received)

    def end(self) -> None:
        self._view = None
        self.deleteLater()

    def _received(self, lines: tuple[str, ...]) -> None:
        if self._view is not None:
            self._view.take(lines)


class _Dividers(QSyntaxHighlighter):
    """Draws the lines between two runs so that they recede."""

    def __init__(self, theme: Theme, text: QPlainTextEdit) -> None:
        super().__init__(text.document())
        self._theme = theme
        theme.changed.connect(self.rehighlight)

    def highlightBlock(self, text: str) -> None:
        if is_divider(text):
            self.setFormat(0, len(text), self._theme.color("muted"))


class StderrView(QFrame):
    """The lines, a button to copy them, and where all of them are on the disk."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._waiting: deque[str] = deque(maxlen=MAX_LINES)
        self._tap: _Tap | None = None
        self.text = QPlainTextEdit()
        self.text.setReadOnly(True)
        self.text.setUndoRedoEnabled(False)
        self.text.setMaximumBlockCount(MAX_LINES)
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.text.setFont(theme.mono_font())
        self.text.setTabChangesFocus(True)
        style(self.text, "well", "mono", "small")
        self._dividers = _Dividers(theme, self.text)
        self._follows = True
        bar = self.text.verticalScrollBar()
        bar.valueChanged.connect(self._note_scrolled)
        bar.rangeChanged.connect(self._follow)
        self._place = ElidedLabel()
        style(self._place, "muted", "small", "mono")
        self.open_file = QPushButton(self.tr("Open log file"))
        self.copy = QPushButton(self.tr("Copy"))
        set_icon(theme, self.copy, "copy", "muted")
        set_icon(theme, self.open_file, "file", "muted")
        self.copy.clicked.connect(self._copy)
        self.open_file.clicked.connect(self._open)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_BATCH_MS)
        self._timer.timeout.connect(self.flush)
        self._lay_out()
        self.text.setAccessibleName(self.tr("Output of the server (stderr)"))
        self.text.setPlaceholderText(self.tr("Nothing written to stderr yet."))
        self.copy.setAccessibleName(self.tr("Copy the output"))

    def show_output(self, output: StderrLog | None) -> None:
        """Show another server's lines from now on, or none."""
        if self._tap is not None:
            if self._tap.output is output:
                return
            self._tap.end()
        self._tap = _Tap(self, output) if output is not None else None
        self._waiting.clear()
        self.text.clear()
        self._follows = True
        if output is not None:
            self.take(tuple(output.lines))
            self.flush()
        file = output.file if output is not None else None
        self._place.show_text(str(file) if file is not None else "")
        self.open_file.setEnabled(file is not None)

    def take(self, lines: tuple[str, ...]) -> None:
        """Append lines, soon and together with those that come meanwhile."""
        self._waiting.extend(line[:_LINE] for line in lines[-MAX_LINES:])
        if not self._timer.isActive() and self._waiting:
            self._timer.start()

    def flush(self) -> None:
        """Append what waits now."""
        self._timer.stop()
        if not self._waiting:
            return
        lines = mark_hidden_text("\n".join(self._waiting))
        self._waiting.clear()
        bar = self.text.verticalScrollBar()
        at, follows = bar.value(), self._follows
        self.text.appendPlainText(lines)
        self._follows = follows
        bar.setValue(bar.maximum() if follows else at)

    def _note_scrolled(self, value: int) -> None:
        """Whoever scrolls up wants to read there; whoever comes back to the end, to follow."""
        self._follows = value >= self.text.verticalScrollBar().maximum()

    def _follow(self) -> None:
        """The text was laid out anew, as when its tab is opened: the newest line stays in sight."""
        if self._follows:
            bar = self.text.verticalScrollBar()
            bar.setValue(bar.maximum())

    def _copy(self) -> None:
        self.flush()
        QGuiApplication.clipboard().setText(self.text.toPlainText())

    def _open(self) -> None:
        """Open the log, or its folder while nothing was written yet."""
        if self._tap is not None and (file := self._tap.output.file) is not None:
            target = file if file.exists() else file.parent
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(target)))

    def _lay_out(self) -> None:
        row = InnerRow((self._place, 1), self.copy, self.open_file)
        in_column(self, (self.text, 1), row, margins=(0, 2, 0, 0))
