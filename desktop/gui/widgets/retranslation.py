"""Widgets that set their texts again when the language changes, instead of being built anew.

Only notices the change: which texts there are is known to each widget alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget
else:
    QWidget = object  # PySide6 allows one Qt class among the bases: that of the widget itself


class Retranslated(QWidget):
    """Calls `retranslate` on each change of language. Comes before the Qt class among the bases."""

    def retranslate(self) -> None:
        """Set all texts that a person reads; often the last step of `__init__` too."""
        raise NotImplementedError

    def changeEvent(self, event: QEvent, /) -> None:
        # Each change of style, font or palette comes here too: compare the type and do no more.
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)
