"""Joins the window: *Compare…* at a server opens the comparison with another, or a recording.

Imports the dialog when it is asked for. Stands on the saved calls, whose results are compared, too.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

if TYPE_CHECKING:
    import asyncio

    from desktop.core import Core
    from desktop.gui.main_window import MainWindow
    from desktop.gui.page_factory import Pages


def join(pages: Pages, core: Core, ready: asyncio.Task[None]) -> None:
    compare = partial(_compare, pages.window, core)
    pages.servers_made.append(lambda page: page.offer_comparison(compare))


def _compare(window: MainWindow, core: Core, server: str) -> None:
    """Show what differs from another server, or a recording: tools, results of saved calls."""
    from desktop.features.recordings.gui.compare_dialog import CompareDialog
    from desktop.features.saved_calls.gui.save_dialog import chosen_calls
    from desktop.features.saved_calls.saved_call_runner import SavedCallRunner

    settings = window.state.settings
    calls = chosen_calls(core, settings)
    runner = SavedCallRunner(core.service, core.executor)
    dialog = CompareDialog(window, window.theme, core.service, server, calls, runner, settings)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.open()
