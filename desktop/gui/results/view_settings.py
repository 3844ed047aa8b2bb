"""How a person reads results (wrapped, numbered, monospaced, as a table).

Shared by all views of a window, so that a choice made in one holds in the others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

from PySide6.QtCore import QObject, Signal

if TYPE_CHECKING:
    from PySide6.QtCore import QSettings

Choice: TypeAlias = Literal["wraps", "numbers", "monospaced", "table"]

_AT_FIRST: dict[Choice, bool] = {
    "wraps": True,
    "numbers": False,
    "monospaced": True,
    "table": False,
}


class ViewSettings(QObject):
    """The choices; `changed` is sent after one of them was."""

    changed = Signal()

    def __init__(self, settings: QSettings | None = None, parent: QObject | None = None) -> None:
        """`settings` None: remembered for as long as this lives."""
        super().__init__(parent)
        self._settings = settings
        self._chosen = dict(_AT_FIRST)
        self.read()

    def read(self) -> None:
        """Take over what was chosen elsewhere since, e.g. beside another tool."""
        before = dict(self._chosen)
        if self._settings is not None:
            for choice in _AT_FIRST:
                kept = self._settings.value(f"results/{choice}", before[choice])
                self._chosen[choice] = str(kept).lower() in {"true", "1"}
        if self._chosen != before:
            self.changed.emit()

    def __getitem__(self, choice: Choice) -> bool:
        return self._chosen[choice]

    def choose(self, choice: Choice, value: bool) -> None:
        if self._chosen[choice] == value:
            return
        self._chosen[choice] = value
        if self._settings is not None:
            self._settings.setValue(f"results/{choice}", value)
        self.changed.emit()
