"""Tells the person what an earlier run had left and what became of it.

Shows a banner; ends nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from desktop.gui.closing_view import shortened
from desktop.gui.counted import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.gui.main_window import MainWindow
    from desktop.processes.sweep import Swept

translate = QCoreApplication.translate


def show_swept(window: MainWindow, swept: Sequence[Swept]) -> None:
    """Put up a banner for what was ended and one for what could not be; none for nothing."""
    if ended := [one for one in swept if one.ended]:
        window.show_banner("swept", "info", f"{_ended_words(len(ended))} {_names(ended)}")
    if left := [one for one in swept if not one.ended]:
        words = translate("PreviousRun", "Left by a previous run and cannot be ended:")
        window.show_banner("not swept", "error", f"{words} {_names(left)}")


def _ended_words(count: int) -> str:
    one = translate("PreviousRun", "1 process left by a previous run was ended:")
    many = translate("PreviousRun", "{count} processes left by a previous run were ended:")
    return counted(count, one, many)


def _names(swept: Sequence[Swept]) -> str:
    return shortened([f"{one.owner} (PID {one.pid})" for one in swept])
