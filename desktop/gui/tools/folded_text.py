"""A text that starts folded to a few lines and unfolds in a bounded space. Plain text only."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from desktop.gui.theme import space, style

_LINES = 3
_CHARACTERS = 280
_MAX_COLLAPSED = 50_000
_UNFOLDED_HEIGHT = 45  # grid steps


class ExpandableText(QWidget):
    """The start of a text and, where there is more, a button for the rest."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.start = QLabel(self)
        self.start.setTextFormat(Qt.TextFormat.PlainText)
        self.start.setWordWrap(True)
        self.start.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.whole = QPlainTextEdit(self)
        self.whole.setReadOnly(True)
        self.whole.setFixedHeight(space(_UNFOLDED_HEIGHT))
        self.toggle = QPushButton(self)
        self.toggle.setCheckable(True)
        self.toggle.toggled.connect(self._unfold)
        style(self.whole, "well")
        style(self.toggle, "link")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.start)
        layout.addWidget(self.whole)
        layout.addWidget(self.toggle, 0, Qt.AlignmentFlag.AlignLeft)

    def show_text(self, text: str) -> None:
        self.whole.setAccessibleName(self.tr("Description"))
        start = "\n".join(text[:_CHARACTERS].splitlines()[:_LINES])
        is_long = len(start) < len(text)
        self.start.setText(start + " …" if is_long else start)
        self.whole.setPlainText(text[:_MAX_COLLAPSED] if is_long else "")
        self.toggle.setVisible(is_long)
        self.setVisible(bool(text))
        self._unfold(self.toggle.isChecked() and is_long)

    def _unfold(self, unfolds: bool) -> None:
        self.start.setVisible(not unfolds)
        self.whole.setVisible(unfolds)
        self.toggle.setText(self.tr("Show less") if unfolds else self.tr("Show more"))
