"""What is known of one server, as names and values that can be selected and copied."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QSizePolicy

from desktop.gui.theme import space, style

if TYPE_CHECKING:
    from collections.abc import Mapping

_MAX_FACT_LENGTH = 500
_COLUMNS = 2


class ServerInfoView(QFrame):
    """Two columns of facts; a long one takes a whole line. Labels are kept and reused."""

    def __init__(self) -> None:
        super().__init__()
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(space(4))
        self._grid.setVerticalSpacing(space(1))
        self._grid.setColumnStretch(1, 1)
        self._grid.setColumnStretch(3, 1)
        self._pairs: dict[str, tuple[QLabel, QLabel]] = {}
        self._keys: tuple[tuple[str, bool], ...] = ()

    def show_facts(self, long: Mapping[str, str], short: Mapping[str, str]) -> None:
        """Show `long` facts on lines of their own, then the `short` ones side by side."""
        keys = (*((key, True) for key in long), *((key, False) for key in short))
        if keys != self._keys:
            self._arrange(keys)
        for key, text in {**long, **short}.items():
            value = self._pairs[key][1]
            shown = text if len(text) <= _MAX_FACT_LENGTH else f"{text[:_MAX_FACT_LENGTH]}…"
            if value.text() != shown:
                value.setText(shown)
                value.setAccessibleName(f"{key}: {shown}")

    def value(self, key: str) -> str:
        """What is shown for `key`; empty when it is not."""
        return self._pairs[key][1].text() if any(key == name for name, _ in self._keys) else ""

    def _arrange(self, keys: tuple[tuple[str, bool], ...]) -> None:
        for pair in self._pairs.values():
            for label in pair:
                self._grid.removeWidget(label)
                label.hide()
        self._keys = keys
        row = column = 0
        for key, is_long in keys:
            name, value = self._pair(key, is_long=is_long)
            style(value, *(("mono", "small") if is_long else ()))
            self._grid.addWidget(name, row, column * 2, Qt.AlignmentFlag.AlignTop)
            self._grid.addWidget(value, row, column * 2 + 1, 1, 3 if is_long else 1)
            name.show()
            value.show()
            column = 0 if is_long else (column + 1) % _COLUMNS
            row += column == 0

    def _pair(self, key: str, *, is_long: bool) -> tuple[QLabel, QLabel]:
        if key not in self._pairs:
            name, value = QLabel(key, self), QLabel(self)
            style(name, "muted", "small")
            value.setTextFormat(Qt.TextFormat.PlainText)
            flags = Qt.TextInteractionFlag
            value.setTextInteractionFlags(
                flags.TextSelectableByMouse | flags.TextSelectableByKeyboard
            )
            value.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
            value.setWordWrap(is_long)
            value.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
            value.setMinimumWidth(space(10))
            self._pairs[key] = name, value
        return self._pairs[key]
