"""How full a model's window is: what the conversation takes of it, and what the tools take.

Shows figures that it is given; asks nobody.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QLocale, Qt
from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QWidget

from desktop.gui.theme import space, style
from desktop.gui.widgets.labels import plain_label
from desktop.gui.widgets.retranslation import Retranslated

if TYPE_CHECKING:
    from desktop.gui.theme import Role

WARNING_PERCENT: Final = 80
DANGER_PERCENT: Final = 95


class ContextMeter(Retranslated, QWidget):
    """Hidden while nothing is known."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._figures: tuple[int, int, bool] = (0, 0, False)
        self.words = plain_label("", "muted", "small")
        self.words.setWordWrap(False)
        self.bar = QProgressBar(self)
        self.bar.setTextVisible(False)
        self.bar.setFixedSize(space(20), space(2))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(space(2))
        row.addWidget(self.bar, 0, Qt.AlignmentFlag.AlignVCenter)
        row.addWidget(self.words)
        self.hide()

    def show_use(self, used: int, window: int, *, is_estimate: bool) -> None:
        """Show tokens.

        Args:
            used: by the conversation as it is; 0 for nothing yet.
            window: that the model reads at most; 0 where that is not known.
            is_estimate: whether `used` was not counted by the provider.
        """
        self._figures = used, window, is_estimate
        self.setVisible(used > 0)
        self.bar.setVisible(window > 0)
        self.bar.setMaximum(max(window, 1))
        self.bar.setValue(min(used, window))
        self.retranslate()

    def retranslate(self) -> None:
        used, window, is_estimate = self._figures
        number = QLocale().toString
        percent = round(100 * used / window) if window else 0
        about = self.tr("about {tokens}") if is_estimate else "{tokens}"
        tokens = about.format(tokens=number(used))
        if window:
            words = self.tr("{used} of {window} tokens").format(used=tokens, window=number(window))
        else:
            words = self.tr("{used} tokens").format(used=tokens)
        self.words.setText(words)
        style(self.words, _tone(percent), "small")
        self.setToolTip(self._hint(percent))
        self.setAccessibleName(self.tr("Context: {words}").format(words=words))

    def _hint(self, percent: int) -> str:
        what = self.tr("What the next request takes of the model's context window.")
        if percent >= WARNING_PERCENT:
            more = self.tr("It is nearly full: start a new conversation, or offer fewer tools.")
            return f"{what}\n{more}"
        return what


def _tone(percent: int) -> Role:
    if percent >= DANGER_PERCENT:
        return "danger"
    return "warning" if percent >= WARNING_PERCENT else "muted"
