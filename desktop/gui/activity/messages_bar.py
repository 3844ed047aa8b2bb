"""The filter bar above the messages: which are shown, and the actions on them.

Remembers every choice but the text. Must not know the messages.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSettings, Qt, QTimer, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QLabel,
    QMenu,
    QPushButton,
)

from desktop.gui.activity import message_labels
from desktop.gui.activity.messages_model import MessageFilter
from desktop.gui.layouts import Gap, in_row
from desktop.gui.shortcuts import named_keys
from desktop.gui.theme import space, style
from desktop.gui.translations import counted
from desktop.gui.widgets.focus_guard import guard_focus
from desktop.gui.widgets.icons import set_icon
from desktop.gui.widgets.search_fields import SearchField
from desktop.gui.widgets.server_choice import ServerChoice

if TYPE_CHECKING:
    from collections.abc import Iterable

    from PySide6.QtGui import QResizeEvent

    from desktop.gui.theme import Theme

_KINDS = ("", "request", "response", "notification", "error", "unreadable")
_KIND, _ERRORS = "activity/messages/kind", "activity/messages/errors"
_TYPING_MS = 120
_WIDE = space(220)
"""Pixels from which on there is room for words on the quiet buttons."""


class MessagesBar(QFrame):
    """`changed` is sent when `filter` has changed."""

    changed = Signal()
    moved_down = Signal()
    """The person went from the text on to the table."""

    def __init__(self, theme: Theme, settings: QSettings) -> None:
        super().__init__()
        self._settings = settings
        self._counts = (0, 0, 0)
        self.text = SearchField()
        self.text.setToolTip(named_keys("Ctrl+F"))
        self.server, self.kind = ServerChoice(), QComboBox()
        self.pause = QPushButton()
        self.clear = QPushButton()
        self.errors = QPushButton(self.tr("Errors only"))
        self.export = QPushButton()
        self.count = QLabel()
        self.export_all = QAction(self.tr("All messages…"), self)
        self.export_shown = QAction(self.tr("The messages shown…"), self)
        self.record = QAction(self)
        self._is_recording = False
        self._typed = QTimer(self, singleShot=True, interval=_TYPING_MS)
        set_icon(theme, self.clear, "trash", "muted")
        guard_focus(self.clear)
        set_icon(theme, self.export, "save", "muted")
        self._theme = theme
        self._lay_out()
        for kind in _KINDS:
            self.kind.addItem("", kind)
        self.kind.setCurrentIndex(max(0, self.kind.findData(settings.value(_KIND, ""))))
        self.errors.setChecked(str(settings.value(_ERRORS, "")) == "true")
        self._connect()
        self._set_texts()
        self._show_pause()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._name_buttons()

    @property
    def filter(self) -> MessageFilter:
        """The filter as the person chose it."""
        return MessageFilter(
            self.text.text().strip(),
            self.server.server,
            str(self.kind.currentData() or ""),
            self.errors.isChecked(),
        )

    def reset(self) -> None:
        """Choose all messages."""
        self.text.clear()
        self.server.setCurrentIndex(0)
        self.kind.setCurrentIndex(0)
        self.errors.setChecked(False)
        self._typed.stop()
        self.changed.emit()

    def focus_search(self) -> None:
        self.text.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.text.selectAll()

    def set_servers(self, names: Iterable[str]) -> None:
        """Offer these servers; the chosen one stays chosen."""
        self.server.offer(names)

    def show_counts(self, shown: int, total: int, waiting: int) -> None:
        """Show how many messages there are, and how many came during a pause."""
        self._counts = shown, total, waiting
        if self.pause.isChecked() and waiting:
            text = self.tr("{count} new while paused").format(count=f"{waiting:,}")
        elif shown == total:
            text = counted(total, self.tr("1 message"), self.tr("{count} messages"))
        else:
            text = self.tr("{count} of {total}").format(count=f"{shown:,}", total=f"{total:,}")
        self.count.setText(text)
        style(self.count, "warning" if self.pause.isChecked() and waiting else "muted", "small")
        self.export.setEnabled(total > 0 or self._is_recording)
        self.clear.setEnabled(total > 0)

    def show_recording(self, *, is_on: bool) -> None:
        """Say that messages are recorded, and offer to end it."""
        self._is_recording = is_on
        set_icon(self._theme, self.export, "save", "danger" if is_on else "muted")
        self._name_buttons()
        self.show_counts(*self._counts)

    def _connect(self) -> None:
        self.text.textChanged.connect(lambda: self._typed.start())
        self.text.exited.connect(lambda: self.moved_down.emit())
        self._typed.timeout.connect(self.changed)
        self.server.currentIndexChanged.connect(lambda: self.changed.emit())
        self.kind.currentIndexChanged.connect(lambda: self._choose())
        self.errors.toggled.connect(lambda: self._choose())
        self.pause.toggled.connect(lambda: self._show_pause())

    def _choose(self) -> None:
        self._settings.setValue(_KIND, self.kind.currentData())
        self._settings.setValue(_ERRORS, "true" if self.errors.isChecked() else "")
        self.changed.emit()

    def _show_pause(self) -> None:
        paused = self.pause.isChecked()
        self._name_buttons()
        set_icon(
            self._theme, self.pause, "play" if paused else "pause", "accent" if paused else "muted"
        )

    def _lay_out(self) -> None:
        self.errors.setCheckable(True)
        self.pause.setCheckable(True)
        for quiet in (self.pause, self.clear, self.export):
            style(quiet, "flat")
        menu = QMenu(self.export)
        menu.addActions([self.export_shown, self.export_all])
        menu.addSeparator()
        menu.addAction(self.record)
        self.export.setMenu(menu)
        self.count.setTextFormat(Qt.TextFormat.PlainText)
        self.server.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.server.setMaximumWidth(space(50))
        in_row(
            self,
            (self.text, 1),
            self.server,
            self.kind,
            self.errors,
            self.count,
            Gap(2),
            self.pause,
            self.clear,
            self.export,
        )

    def _name_buttons(self) -> None:
        """By words where there is room; else by the tooltip, so that the filter has the room."""
        paused, on = self.pause.isChecked(), self._is_recording
        about = self.tr("Messages are still collected while paused (Ctrl+P)")
        for button, words, more in (
            (self.pause, self.tr("Resume") if paused else self.tr("Pause"), about),
            (self.clear, self.tr("Clear"), "Ctrl+L"),
            (self.export, self.tr("Recording…") if on else self.tr("Export"), ""),
        ):
            button.setText(words if self.width() >= _WIDE else "")
            button.setAccessibleName(words)
            button.setToolTip(named_keys("\n".join(filter(None, (words, more)))))
        self.record.setText(self.tr("Stop recording") if on else self.tr("Record to a file…"))

    def _set_texts(self) -> None:
        self.text.setPlaceholderText(self.tr("Filter by method, ID or content"))
        self.text.setAccessibleName(self.tr("Filter the messages"))
        self.server.setItemText(0, self.tr("All servers"))
        self.server.setAccessibleName(self.tr("Messages of this server"))
        self.kind.setItemText(0, self.tr("All kinds"))
        for at, kind in enumerate(_KINDS[1:], 1):
            self.kind.setItemText(at, message_labels.kind_label(kind))
        self.kind.setAccessibleName(self.tr("Messages of this kind"))
