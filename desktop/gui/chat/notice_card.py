"""A sentence between the messages: a retry, why it ended, what was lost, what to do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from desktop.gui.chat.words import notice_words
from desktop.gui.form.labels import plain_label
from desktop.gui.icons import set_icon
from desktop.gui.theme import space, style

if TYPE_CHECKING:
    from desktop.gui.chat.entries import NoticeEntry
    from desktop.gui.theme import Theme

_LONGEST = 1_000
_SETTINGS = {"key", "connection"}


class NoticeCard(QFrame):
    """Words in a tone; a failure that Settings can mend has a button for them."""

    settings_wanted = Signal()

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
        self.settings.clicked.connect(self.settings_wanted)
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
        said = notice_words(self.entry)
        if said.tone is None:
            style(self.words, "muted", "small")
        else:
            style(self, "banner", said.tone)
            sign = "error" if said.tone == "danger" else "warning"
            set_icon(self._theme, self.icon, sign, said.tone)
        self.icon.setVisible(said.tone is not None)
        self.words.setText(said.words[:_LONGEST])
        self.remedy.setText(said.remedy)
        self.remedy.setVisible(bool(said.remedy))
        self.settings.setText(self.tr("Open Settings"))
        self.settings.setVisible(self.entry.cause in _SETTINGS)
        self.setAccessibleName(f"{said.words[:_LONGEST]} {said.remedy}".strip())

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.refresh()
        super().changeEvent(event)
