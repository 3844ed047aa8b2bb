"""Audio, a resource or a link as a card of plain words. Opens and follows nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from desktop.gui.icons import set_icon
from desktop.gui.results.measures import size_words
from desktop.gui.results.saving import proposed_name, save_as
from desktop.gui.theme import Theme, space, style

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop.gui.theme import Role
    from desktop.tools.result import Content

_ICONS = {"audio": "audio", "resource": "file", "link": "link"}
_LONGEST = 600


class ContentCard(QFrame):
    """What the block is, where it says it comes from, the start of its text, and Save."""

    def __init__(self, theme: Theme, content: Content, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._content = content
        style(self, "card")
        icon = QLabel(self)
        set_icon(theme, icon, _ICONS.get(content.kind, "file"), "muted")
        words = QVBoxLayout()
        words.setSpacing(space(1))
        words.addWidget(self._label(self._heading(), "heading"))
        if content.uri:
            words.addWidget(self._label(content.uri[:_LONGEST], "mono", "muted"))
        if content.text:
            words.addWidget(self._label(_start_of(content.text), "mono"))
        layout = QHBoxLayout(self)
        layout.setContentsMargins(space(3), space(2), space(2), space(2))
        layout.setSpacing(space(3))
        layout.addWidget(icon, 0, Qt.AlignmentFlag.AlignTop)
        layout.addLayout(words, 1)
        if content.uri:
            layout.addWidget(self._button(self.tr("Copy address"), self._copy_address))
        if content.data or content.text:
            layout.addWidget(self._button(self.tr("Save…"), self._save))

    def _heading(self) -> str:
        content = self._content
        kinds = {
            "audio": self.tr("Audio"),
            "resource": self.tr("Resource"),
            "link": self.tr("Link to a resource"),
        }
        size = len(content.data) or len(content.text.encode("utf-8", "replace"))
        kind = kinds.get(content.kind, content.kind)
        facts = [kind, content.name[:80], content.mime[:80], size_words(size) if size else ""]
        return " · ".join(fact for fact in facts if fact)

    def _copy_address(self) -> None:
        QGuiApplication.clipboard().setText(self._content.uri)

    def _save(self) -> None:
        content = self._content
        name = proposed_name(content.name or content.uri, content.mime, content.kind)
        save_as(self, name, lambda: content.data or content.text.encode("utf-8", "replace"))

    def _label(self, text: str, *roles: Role) -> QLabel:
        label = QLabel(self)
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setText(text)
        label.setWordWrap(True)
        label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        style(label, *roles)
        return label

    def _button(self, text: str, clicked: Callable[[], None]) -> QPushButton:
        button = QPushButton(text, self)
        style(button, "link")
        button.clicked.connect(clicked)
        return button


def _start_of(text: str) -> str:
    start = "\n".join(text[:_LONGEST].splitlines()[:8])
    return start if len(start) == len(text) else start + " …"
