"""Saves a call under a name, from wherever it stands, into the folder the person chose."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from desktop.gui import bridge
from desktop.gui.history.save_dialog import SaveCallDialog

if TYPE_CHECKING:
    from collections.abc import Iterable

    from PySide6.QtCore import QSettings
    from PySide6.QtWidgets import QWidget

    from desktop.gui.theme import Theme
    from desktop.history.records import Place
    from desktop.history.saved_call import SavedCall
    from desktop.history.saved_calls import SavedCalls
    from desktop.tool_types import JsonObject, ToolResult

_FOLDER = "history/calls_folder"


def ask_for_name(
    parent: QWidget,
    theme: Theme,
    calls: SavedCalls,
    call: JsonObject,
    result: ToolResult | None = None,
    hidden: Iterable[Place] = (),
) -> SaveCallDialog:
    """Open the dialog over `parent`, which also shows why a call could not be saved.

    Args: as `SaveCallDialog`.
    """
    dialog = SaveCallDialog(parent, theme, call, result, hidden)
    doing = QCoreApplication.translate("Saving", "Saving the call")

    def save(finished: SavedCall) -> None:
        bridge.run(parent, calls.add(finished), doing)

    dialog.saved.connect(save)
    dialog.open()
    return dialog


def use_chosen_folder(calls: SavedCalls, settings: QSettings) -> None:
    """Let `calls` be those of the folder that was chosen in an earlier run, if one was."""
    if folder := str(settings.value(_FOLDER) or ""):
        calls.folder = Path(folder)


def remember_folder(settings: QSettings, folder: str) -> None:
    settings.setValue(_FOLDER, folder)
