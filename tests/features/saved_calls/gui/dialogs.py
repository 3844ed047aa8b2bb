"""The dialog that saves a call, for the tests that walk every dialog."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.features.saved_calls.gui.save_dialog import SaveCallDialog

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from desktop.core import Core
    from desktop.gui.theme import Theme


def _save_dialog(parent: QWidget, theme: Theme, core: Core) -> SaveCallDialog:
    return SaveCallDialog(parent, theme, {"tool": "a:b"})


DIALOGS = {"save call": _save_dialog}
