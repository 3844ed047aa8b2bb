"""What the tool list says when it has nothing to show: why, and the one next step.

Narrow, unlike `desktop.gui.widgets.empty_state` that fills a page.
"""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QPushButton, QVBoxLayout, QWidget

from desktop.gui.theme import Role, space, style


class ListHint(QWidget):
    """A heading, a sentence, and a button for the step to take."""

    wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._heading = self._label("heading")
        self._sentence = self._label("muted")
        self._step = QPushButton(self)
        self._step.clicked.connect(self.wanted)
        layout = QVBoxLayout(self)
        layout.setSpacing(space(2))
        layout.addStretch(2)
        layout.addWidget(self._heading)
        layout.addWidget(self._sentence)
        layout.addSpacing(space(1))
        layout.addWidget(self._step, 0, Qt.AlignmentFlag.AlignHCenter)
        layout.addStretch(3)

    def set_text(self, heading: str, sentence: str, step: str) -> None:
        self._heading.setText(heading)
        self._sentence.setText(sentence)
        self._step.setText(step)

    def _label(self, role: Role) -> QLabel:
        label = QLabel(self)
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setAlignment(Qt.AlignmentFlag.AlignCenter)
        label.setWordWrap(True)
        style(label, role)
        return label
