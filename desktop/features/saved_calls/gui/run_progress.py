"""How far a run of saved calls is, in words and as a bar; nothing of a single call or none."""

from __future__ import annotations

from PySide6.QtWidgets import QProgressBar, QSizePolicy, QWidget

from desktop.base.visible_text import mark_hidden
from desktop.gui.layouts import in_row
from desktop.gui.theme import style
from desktop.gui.widgets.labels import ElidedLabel


class RunProgress(QWidget):
    """Hidden while nothing runs."""

    def __init__(self) -> None:
        super().__init__()
        self.words, self.bar = ElidedLabel(), QProgressBar()
        # As wide as its words where there is room; a long name never widens the window.
        self.words.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        style(self.words, "muted", "small")
        self.bar.setTextVisible(False)
        in_row(self, (self.bar, 1), self.words, spacing=3)
        self.bar.setAccessibleName(self.tr("Progress of the run"))
        self.clear()

    def show_call(self, done: int, total: int, name: str) -> None:
        """So many of the calls are done, and this one runs."""
        text = self.tr("{number} of {total} · {name}")
        self.words.show_text(text.format(number=done + 1, total=total, name=mark_hidden(name)))
        self.bar.setRange(0, total)
        self.bar.setValue(done)
        self.setVisible(total > 1)

    def clear(self) -> None:
        self.hide()
