"""The comparison with two servers in it, for the tests that walk every dialog."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.features.recordings.gui.compare_dialog import CompareDialog
from desktop.features.saved_calls.saved_call_runner import SavedCallRunner
from desktop.features.saved_calls.saved_calls import SavedCalls
from desktop.gui.window_state import WindowState

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from desktop.core import Core
    from desktop.gui.theme import Theme


def _compare_dialog(parent: QWidget, theme: Theme, core: Core) -> CompareDialog:
    runner = SavedCallRunner(core.service, core.executor)
    settings = WindowState(core.paths.window_state).settings
    calls = SavedCalls(core.paths.saved_calls)
    return CompareDialog(parent, theme, core.service, "mine", calls, runner, settings)


DIALOGS = {"compare": _compare_dialog}
