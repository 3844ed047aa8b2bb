"""How a person reads results (wrapped, numbered, monospaced, as a table).

Shared by all views of a window, so that a choice made in one holds in the others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

from PySide6.QtCore import QObject, Signal

if TYPE_CHECKING:
    from PySide6.QtCore import QSettings

Choice: TypeAlias = Literal["wraps", "numbers", "monospaced"]
Look: TypeAlias = Literal["json", "tree", "table"]
"""How a value is shown, where it can be shown that way."""
LOOKS: tuple[Look, ...] = ("json", "tree", "table")

_AT_FIRST: dict[Choice, bool] = {
    "wraps": True,
    "numbers": False,
    "monospaced": True,
}
_LOOK = "results/look"


class ViewSettings(QObject):
    """The choices; `changed` is sent after one of them was."""

    changed = Signal()

    def __init__(self, settings: QSettings | None = None, parent: QObject | None = None) -> None:
        """`settings` None: remembered for as long as this lives."""
        super().__init__(parent)
        self._settings = settings
        self._chosen = dict(_AT_FIRST)
        self._look: Look = "json"
        self.read()

    def read(self) -> None:
        """Take over what was chosen elsewhere since, e.g. beside another tool."""
        before = dict(self._chosen), self._look
        if self._settings is not None:
            for choice in _AT_FIRST:
                kept = self._settings.value(f"results/{choice}", self._chosen[choice])
                self._chosen[choice] = str(kept).lower() in {"true", "1"}
            self._look = self._kept_look(str(self._settings.value(_LOOK, self._look)))
        if (self._chosen, self._look) != before:
            self.changed.emit()

    def _kept_look(self, kept: str) -> Look:
        for look in LOOKS:
            if look == kept:
                return look
        return self._look

    def __getitem__(self, choice: Choice) -> bool:
        return self._chosen[choice]

    def choose(self, choice: Choice, value: bool) -> None:
        if self._chosen[choice] == value:
            return
        self._chosen[choice] = value
        if self._settings is not None:
            self._settings.setValue(f"results/{choice}", value)
        self.changed.emit()

    @property
    def look(self) -> Look:
        """How a person likes to see values."""
        return self._look

    def choose_look(self, look: Look) -> None:
        """See values this way from now on; what is shown already stays as it is."""
        self._look = look
        if self._settings is not None:
            self._settings.setValue(_LOOK, look)
