"""Why the other view of the arguments cannot be shown now, and what can be done about it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QWidget

from desktop.gui.theme import space, style
from desktop.gui.widgets.labels import plain_label


class Refusal(QFrame):
    """Hidden until a switch was refused."""

    reset_wanted = Signal()
    """A person gives up the text that is not JSON."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._of_json = False
        style(self, "banner", "warning")
        self.words = plain_label("", "warning")
        self.reset = QPushButton()
        style(self.reset, "link")
        row = QHBoxLayout(self)
        row.setContentsMargins(space(3), space(1), space(2), space(1))
        row.addWidget(self.words, 1)
        row.addWidget(self.reset, 0, Qt.AlignmentFlag.AlignTop)
        self.reset.clicked.connect(self.reset_wanted)
        self.hide()

    def refuse_form(self) -> None:
        """The JSON view has text that no form can show."""
        self._of_json = True
        self._say()

    def refuse_json(self) -> None:
        """A field has text that is not JSON."""
        self._of_json = False
        self._say()

    def changeEvent(self, event: QEvent, /) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange and not self.isHidden():
            self._say()

    def _say(self) -> None:
        if self._of_json:
            words = self.tr(
                "The form cannot show this text yet. It stays as you typed it: correct it first."
            )
        else:
            words = self.tr(
                "A field holds text that is not JSON yet. It stays as you typed it: "
                "correct it, then switch."
            )
        self.words.setText(words)
        self.reset.setText(self.tr("Back to the last JSON that was right"))
        self.reset.setVisible(self._of_json)
        self.show()
