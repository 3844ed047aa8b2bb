"""What a tool says of itself, above its form: name, key, hints, description. All plain text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QLabel, QToolButton, QVBoxLayout, QWidget

from desktop.gui.icons import set_icon
from desktop.gui.theme import Theme, space, style
from desktop.gui.tools.folded_text import ExpandableText
from desktop.gui.tools.hints import hints_of

if TYPE_CHECKING:
    from desktop.gui.theme import Role
    from desktop.gui.tools.hints import Tone
    from desktop.tool_types import ToolDefinition

_LONGEST = 200


class ToolHeader(QWidget):
    """The definition in words; the hints are marked as the server's own."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._full_key = ""
        self.name = self._label("title")
        self.key = self._label("mono", "muted")
        self.facts = self._label("muted", "small")
        self.description = ExpandableText(self)
        self._badges = QHBoxLayout()
        self._badges.setSpacing(space(1))
        self.copy_key = QToolButton(self)
        self.copy_key.clicked.connect(self._copy_key)
        style(self.copy_key, "flat")
        set_icon(theme, self.copy_key, "copy", "muted")
        self._lay_out()

    def show_tool(self, tool: ToolDefinition) -> None:
        self._full_key = tool.key
        self.copy_key.setToolTip(self.tr("Copy the key"))
        self.copy_key.setAccessibleName(self.tr("Copy the key"))
        self.name.setText(tool.label[:_LONGEST])
        self.key.setText(tool.key[:_LONGEST])
        self.key.setToolTip("" if len(tool.key) < _LONGEST else self.tr("Copied in full"))
        self._show_badges(tool)
        facts = self._facts(tool)
        self.facts.setText(" · ".join(facts))
        self.facts.setVisible(bool(facts))
        self.description.show_text(tool.description.strip())

    def _lay_out(self) -> None:
        self.name.setWordWrap(True)
        self.facts.setWordWrap(True)
        second = QHBoxLayout()
        second.setSpacing(space(1))
        second.addWidget(self.key)
        second.addWidget(self.copy_key)
        second.addSpacing(space(1))
        second.addLayout(self._badges)
        second.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(space(1))
        layout.addWidget(self.name)
        layout.addLayout(second)
        layout.addWidget(self.facts)
        layout.addWidget(self.description)

    def _show_badges(self, tool: ToolDefinition) -> None:
        while (item := self._badges.takeAt(0)) is not None:  # pyright: ignore[reportUnnecessaryComparison] None at the end
            if (widget := item.widget()) is not None:  # pyright: ignore[reportUnnecessaryComparison]
                widget.deleteLater()
        for hint in hints_of(tool.annotations):
            badge = QLabel(hint.words, self)
            badge.setToolTip(self.tr("Said by the server, not checked"))
            style(badge, "badge", *_tones(hint.tone))
            self._badges.addWidget(badge, 0, Qt.AlignmentFlag.AlignVCenter)

    def _facts(self, tool: ToolDefinition) -> list[str]:
        told = tool.metadata
        facts = [
            (self.tr("Category: {value}"), tool.category),
            (self.tr("Version: {value}"), told.version),
            (self.tr("Author: {value}"), told.author),
            (self.tr("Tags: {value}"), ", ".join(told.tags[:20])),
        ]
        return [words.format(value=value[:_LONGEST]) for words, value in facts if value]

    def _copy_key(self) -> None:
        QGuiApplication.clipboard().setText(self._full_key)

    def _label(self, *roles: Role) -> QLabel:
        label = QLabel(self)
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        style(label, *roles)
        return label


def _tones(tone: Tone) -> tuple[Role, ...]:
    return (tone,) if tone else ()
