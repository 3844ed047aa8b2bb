"""Reads back what the page remembers: an INI file gives texts, and anybody can edit it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PySide6.QtCore import QSettings


def saved_number(settings: QSettings, name: str) -> int:
    """A whole number; 0 where there is none."""
    try:
        return int(str(settings.value(name, 0)))
    except ValueError:
        return 0
