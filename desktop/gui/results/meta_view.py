"""The `_meta` of a result, folded until it is asked for. Plain text, bounded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from desktop.gui.results.structured import to_text
from desktop.gui.theme import Theme, space, style

if TYPE_CHECKING:
    from desktop.tool_types import JsonObject

_LONGEST = 50_000
_HEIGHT = 30  # grid steps


class MetaView(QWidget):
    """A chip with the names that are in it, and below it, once unfolded, all of it."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._meta: JsonObject = {}
        self.toggle = QPushButton(self)
        self.toggle.setCheckable(True)
        style(self.toggle, "chip")
        self.text = QPlainTextEdit(self)
        self.text.setReadOnly(True)
        self.text.setFont(theme.mono_font())
        self.text.setFixedHeight(space(_HEIGHT))
        self.text.setAccessibleName("_meta")
        style(self.text, "well")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(space(1))
        layout.addWidget(self.toggle, 0, Qt.AlignmentFlag.AlignLeft)
        layout.addWidget(self.text)
        self.toggle.toggled.connect(self._unfold)
        self.text.hide()

    def show_meta(self, meta: JsonObject) -> None:
        """Show `meta`, folded; hidden where there is none."""
        self._meta = meta
        self.toggle.setText(f"_meta ({len(meta)})")
        self.toggle.setChecked(False)
        self.setVisible(bool(meta))

    def _unfold(self, on: bool) -> None:
        if on:
            self.text.setPlainText(to_text(self._meta)[:_LONGEST])
        self.text.setVisible(on)
