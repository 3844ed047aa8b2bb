"""The last lines of the app's own log, filtered by level and text.

Polls only while it is visible, because log records come from any thread and are not announced.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from PySide6.QtCore import QSettings, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QPlainTextEdit,
    QPushButton,
)

from desktop.gui import shortcuts
from desktop.gui.activity import message_labels
from desktop.gui.activity.server_messages import SERVER, level_name
from desktop.gui.layouts import InnerRow, in_column
from desktop.gui.shortcuts import bind, named_keys
from desktop.gui.theme import style
from desktop.gui.widgets.focus_guard import guard_focus
from desktop.gui.widgets.icons import set_icon
from desktop.gui.widgets.search_fields import SearchField
from desktop.gui.window_state import saved_number
from desktop.servers.transport.stderr_log import plain

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QHideEvent, QShowEvent

    from desktop.diagnostics.logs import LogBuffer, LogLine
    from desktop.gui.theme import Theme
    from desktop.redaction.redactor import Redaction

LOOK_MS = 250
_LEVEL = "activity/logs/level"
_SOURCES = ("", "app", "servers")
_LEVELS = (logging.NOTSET, logging.WARNING, logging.ERROR)


class LogsView(QFrame):
    """A text that grows at its end and scrolls along, unless a person scrolled up."""

    def __init__(
        self,
        theme: Theme,
        logs: LogBuffer,
        redaction: Callable[[], Redaction],
        settings: QSettings,
    ) -> None:
        """Args: redaction: removes the secrets of all servers."""
        super().__init__()
        self._logs, self._redaction, self._settings = logs, redaction, settings
        self._seen = 0
        self.filter = SearchField()
        self.filter.setToolTip(named_keys("Ctrl+F"))
        self.level = QComboBox()
        for level in _LEVELS:
            self.level.addItem("", level)
        self.source = QComboBox()
        for source in _SOURCES:
            self.source.addItem("", source)
        self.clear = QPushButton(self.tr("Clear"))
        self.copy = QPushButton(self.tr("Copy"))
        set_icon(theme, self.copy, "copy", "muted")
        set_icon(theme, self.clear, "trash", "muted")
        guard_focus(self.clear)
        self.text = QPlainTextEdit()
        self.setFocusProxy(self.text)
        self.text.setReadOnly(True)
        self.text.setUndoRedoEnabled(False)
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.text.setFont(theme.mono_font())
        self.text.setTabChangesFocus(True)
        style(self.text, "well", "mono", "small")
        for quiet in (self.clear, self.copy):
            style(quiet, "flat")
        self._timer = QTimer(self, interval=LOOK_MS)
        self._lay_out()
        self._set_texts()
        at = self.level.findData(saved_number(settings, _LEVEL))
        self.level.setCurrentIndex(max(0, at))
        self._connect()

    def look(self) -> None:
        """Append the lines that came since the last refresh."""
        lines = self._logs.after(self._seen)
        if not lines:
            return
        self._seen = lines[-1].number
        redaction = self._redaction()
        texts = [redaction.text(_line_label(line)) for line in lines if self._fits(line)]
        if not texts:
            return
        bar = self.text.verticalScrollBar()
        at, is_at_end = bar.value(), bar.value() >= bar.maximum()
        self.text.appendPlainText("\n".join(texts))
        bar.setValue(bar.maximum() if is_at_end else at)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._timer.start()
        self.look()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._timer.stop()

    def _fits(self, line: LogLine) -> bool:
        wanted = self.filter.text().strip().lower()
        if line.level < (self.level.currentData() or 0):
            return False
        source = self.source.currentData()
        if source and (source == "servers") is not line.name.startswith(SERVER):
            return False
        return not wanted or wanted in line.text.lower() or wanted in line.name.lower()

    def _show_anew(self) -> None:
        self._seen = 0
        self.text.clear()
        self.look()

    def _choose(self) -> None:
        self._settings.setValue(_LEVEL, self.level.currentData())
        self._show_anew()

    def _clear(self) -> None:
        self._logs.clear()
        self._show_anew()

    def _copy(self) -> None:
        self.look()
        QGuiApplication.clipboard().setText(self.text.toPlainText())

    def _connect(self) -> None:
        self._timer.timeout.connect(self.look)
        self.filter.textChanged.connect(lambda: self._show_anew())
        self.filter.exited.connect(lambda: self.text.setFocus())
        self.level.currentIndexChanged.connect(lambda: self._choose())
        self.source.currentIndexChanged.connect(lambda: self._show_anew())
        self.copy.clicked.connect(self._copy)
        self.clear.clicked.connect(self._clear)
        bind(self, shortcuts.FILTER, self.filter.setFocus)

    def _lay_out(self) -> None:
        row = InnerRow((self.filter, 1), self.source, self.level, self.copy, self.clear)
        in_column(self, row, (self.text, 1), margins=(0, 3, 0, 0))

    def _set_texts(self) -> None:
        self.filter.setPlaceholderText(self.tr("Filter the lines"))
        self.filter.setAccessibleName(self.tr("Filter the lines"))
        for at, text in enumerate(
            (self.tr("All levels"), self.tr("Warnings and errors"), self.tr("Errors only"))
        ):
            self.level.setItemText(at, text)
        for at, text in enumerate(
            (self.tr("App and servers"), self.tr("The app"), self.tr("Servers"))
        ):
            self.source.setItemText(at, text)
        self.source.setAccessibleName(self.tr("Lines of this source"))
        self.level.setAccessibleName(self.tr("Lines of this level"))
        self.text.setAccessibleName(self.tr("Log of the app"))
        self.text.setPlaceholderText(
            self.tr("Nothing logged yet. The output of servers is on the Servers page.")
        )


def _line_label(line: LogLine) -> str:
    level = level_name(line.level)
    return f"{message_labels.time_label(line.at)}  {level:<8} {line.name}: {plain(line.text)}"
