"""What the tool list says when it has nothing to show: why, and the one next step.

Narrow, unlike `desktop.gui.empty_state` that fills a page.
"""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QPushButton, QVBoxLayout, QWidget

from desktop.gui.theme import space, style


class ListHint(QWidget):
    """A heading, a sentence, and a button where there is a step to take."""

    wanted = Signal()

    def __init__(
        self, heading: str, sentence: str, step: str = "", parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        layout = QVBoxLayout(self)
        layout.setSpacing(space(2))
        layout.addStretch(2)
        layout.addWidget(self._label(heading, is_heading=True))
        layout.addWidget(self._label(sentence, is_heading=False))
        if step:
            button = QPushButton(step, self)
            button.clicked.connect(self.wanted)
            layout.addSpacing(space(1))
            layout.addWidget(button, 0, Qt.AlignmentFlag.AlignHCenter)
        layout.addStretch(3)

    def _label(self, text: str, *, is_heading: bool) -> QLabel:
        label = QLabel(text, self)
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setAlignment(Qt.AlignmentFlag.AlignCenter)
        label.setWordWrap(True)
        style(label, "heading" if is_heading else "muted")
        return label
