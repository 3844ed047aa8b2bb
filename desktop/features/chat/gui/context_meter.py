"""How full a model's window is: what the conversation takes of it, and what the tools take.

Shows figures that it is given; asks nobody.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from PySide6.QtWidgets import QLabel, QProgressBar, QWidget

from desktop.features.chat.agent.limits import NEARLY_FULL_PERCENT
from desktop.features.models.context_budget import HEAVY_PERCENT
from desktop.gui.layouts import MIDDLE, in_row
from desktop.gui.theme import space, style
from desktop.gui.widgets.labels import FactsLabel, plain_label
from desktop.gui.widgets.token_words import percent_label

if TYPE_CHECKING:
    from desktop.gui.theme import Role

DANGER_PERCENT: Final = 95


class ContextMeter(QWidget):
    """Hidden while nothing is known."""

    levels: ClassVar = (NEARLY_FULL_PERCENT, DANGER_PERCENT)
    """Per cent of the window from which on it is a warning, and a danger."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._figures: tuple[int, int, bool] = (0, 0, False)
        self.words = self.make_words()
        self.bar = QProgressBar(self)
        self.bar.setTextVisible(False)
        self.bar.setFixedSize(space(20), space(2))
        in_row(self, (self.bar, MIDDLE), (self.words, 1))
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
        self._set_texts()

    def _set_texts(self) -> None:
        used, window, is_estimate = self._figures
        percent = round(100 * used / window) if window else 0
        about = self.tr("about {tokens}") if is_estimate else "{tokens}"
        tokens = about.format(tokens=f"{used:,}")
        if window:
            words = self.tr("{used} of {window} tokens").format(used=tokens, window=f"{window:,}")
        else:
            words = self.tr("{used} tokens").format(used=tokens)
        self.show_words(words, percent)
        style(self.words, self._tone(percent), "small")
        self.setToolTip(self.hint(percent))
        self.setAccessibleName(self.tr("Context: {words}").format(words=words))

    def make_words(self) -> QLabel:
        """The label beside the bar."""
        words = plain_label("", "muted", "small")
        words.setWordWrap(False)
        return words

    def show_words(self, words: str, percent: int) -> None:
        """Put the figures beside the bar."""
        self.words.setText(words)

    def hint(self, percent: int) -> str:
        """What the tooltip says."""
        what = self.tr("What the next request takes of the model's context window.")
        if percent >= NEARLY_FULL_PERCENT:
            more = self.tr("It is nearly full: go on in a new conversation, or offer fewer tools.")
            return f"{what}\n{more}"
        return what

    def _tone(self, percent: int) -> Role:
        warning, danger = self.levels
        if percent >= danger:
            return "danger"
        return "warning" if percent >= warning else "muted"


class ToolsMeter(ContextMeter):
    """The same for the tools alone, which leave the rest to the conversation."""

    levels: ClassVar = (HEAVY_PERCENT, 2 * HEAVY_PERCENT)

    def make_words(self) -> QLabel:
        return FactsLabel()

    def show_words(self, words: str, percent: int) -> None:
        used, window, is_estimate = self._figures
        facts = [words]
        if window:
            share = percent_label(100 * used / window)
            much = self.tr("{percent}: much").format(percent=share)
            facts.append(much if percent >= self.levels[0] else share)
        if is_estimate:
            facts.append(self.tr("an estimate"))
        if isinstance(self.words, FactsLabel):
            self.words.show_facts(facts)

    def hint(self, percent: int) -> str:
        return self.tr("What these tools take of the model's context window in every request.")
