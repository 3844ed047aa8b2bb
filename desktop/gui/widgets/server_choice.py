"""A box in which one server is chosen, or all of them. Must not know where the names come from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSignalBlocker

from desktop.gui.widgets.elided_choice import ElidedChoice

if TYPE_CHECKING:
    from collections.abc import Iterable


class ServerChoice(ElidedChoice):
    """The first entry stands for all; its words are those of the owner."""

    def __init__(self) -> None:
        super().__init__()
        self._names: tuple[str, ...] = ()
        self.addItem("", "")

    @property
    def server(self) -> str:
        """The chosen one; empty for all."""
        return str(self.currentData() or "")

    def offer(self, names: Iterable[str], *, keeps: bool = False) -> None:
        """Offer these servers; the chosen one stays chosen, and is offered as long as it is.

        Args:
            names: in any order.
            keeps: whether those that were offered before are offered still.
        """
        offered = tuple(sorted({*(self._names if keeps else ()), *names}, key=str.lower))
        if offered == self._names:
            return
        self._names = offered
        chosen = self.server
        more = (chosen,) if chosen and chosen not in offered else ()
        with QSignalBlocker(self):  # the choice stays the same
            while self.count() > 1:
                self.removeItem(1)
            for name in (*offered, *more):
                self.addItem(name, name)
            self.setCurrentIndex(max(0, self.findData(chosen)))
