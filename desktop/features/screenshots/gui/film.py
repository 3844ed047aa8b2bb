"""The way from a new server to a test as pictures in a row, for a moving picture of the README.

Must not save anything: each dialog is closed as one that was cancelled.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPoint
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QDialog, QLineEdit

from desktop.features.screenshots.gui.pictures import run_form
from desktop.gui.servers.page import ServersPage
from desktop.gui.tools.page import ToolsPage

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from PySide6.QtGui import QPixmap

    from desktop.gui.main_window import MainWindow
    from desktop.values.tool_types import JsonObject

_SETTLE: Final = 0.4  # animations, and dialogs that are laid out
_SERVER: Final = "npx -y @modelcontextprotocol/server-everything"
_TOOL: Final = "calculator:calculate"
_NAME: Final = "multiplies"
_ARGUMENTS: Final[JsonObject] = {"operation": "multiply", "a": 6, "b": 7}


async def grab_film(window: MainWindow, folder: Path, size: tuple[int, int]) -> tuple[Path, ...]:
    """Write `film-1.png` and so on into `folder`, which exists; put the window back.

    Args:
        window: of a core with the calculator switched on.
        folder: where to.
        size: of the window.

    Raises:
        OSError: a picture cannot be written.
        TimeoutError: the calculator did not answer.
    """
    page, before = window.current_page, window.size()
    files: list[Path] = []
    try:
        window.resize(*size)
        async for picture in _frames(window):
            file = folder / f"film-{len(files) + 1}.png"
            if not picture.save(str(file)):
                raise OSError(f"cannot write {file}")
            files.append(file)
        return tuple(files)
    finally:
        window.show_page(page)
        window.resize(before)


async def _frames(window: MainWindow) -> AsyncIterator[QPixmap]:
    """A server is pasted, a form filled in and run, and the call saved as a test."""
    window.show_page("servers")
    if isinstance(servers := window.page("servers"), ServersPage):
        dialog = servers.paste_server(_SERVER)
        yield await _frame(window, dialog)
        if dialog is not None:
            dialog.done(QDialog.DialogCode.Rejected)  # past its question about what was typed
    window.show_page("tools")
    tools = window.page("tools")
    if not isinstance(tools, ToolsPage):
        return
    tools.show_tool(_TOOL)
    if tools.view is not None:
        tools.view.form.set_value(_ARGUMENTS)
    yield await _frame(window)
    await run_form(tools, _ARGUMENTS)
    yield await _frame(window)
    tools.save_requested.emit(_TOOL, _ARGUMENTS)
    await asyncio.sleep(_SETTLE)
    for saving in window.findChildren(QDialog):
        if saving.isVisible():
            if (name := saving.findChild(QLineEdit)) is not None:
                name.setText(_NAME)
            yield await _frame(window, saving)
            saving.done(QDialog.DialogCode.Rejected)


async def _frame(window: MainWindow, dialog: QDialog | None = None) -> QPixmap:
    """The window, and over its middle the dialog, which is a window of its own."""
    await asyncio.sleep(_SETTLE)
    picture = window.grab()
    if dialog is None:
        return picture
    painter = QPainter(picture)
    painter.setOpacity(0.35)
    painter.fillRect(window.rect(), dialog.palette().shadow())
    painter.setOpacity(1.0)
    middle = window.rect().center() - dialog.rect().center()
    painter.drawPixmap(QPoint(max(0, middle.x()), max(0, middle.y())), dialog.grab())
    painter.end()
    return picture
