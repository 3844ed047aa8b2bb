"""Opens the window for the command `screenshots`, has it pictured, and says which files there are.

With `--film` that is the way from a new server to a test, in a row, for a moving picture of the
README; each of its dialogs is closed as one that was cancelled. Must not know how a window is
opened.
"""

from __future__ import annotations

import asyncio
import os
import sys
from contextlib import nullcontext
from typing import TYPE_CHECKING, Final, Protocol, cast

from PySide6.QtCore import QPoint
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QDialog, QLineEdit

from desktop.features.screenshots.cli.screenshots import read
from desktop.features.screenshots.gui.demo import demo_paths
from desktop.features.screenshots.gui.pictures import grab_pages, run_form
from desktop.gui.servers.page import ServersPage
from desktop.gui.tools.page import ToolsPage

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable
    from pathlib import Path

    from PySide6.QtGui import QPixmap

    from desktop.base.paths import Paths
    from desktop.core import Core
    from desktop.gui.language import Language
    from desktop.gui.main_window import MainWindow
    from desktop.values.tool_types import JsonObject


class OpenFor(Protocol):
    """Opens the window for some work, and closes it then; returns the exit code."""

    def __call__(
        self,
        paths: Paths,
        work: Callable[[MainWindow, Core], Awaitable[None]],
        *,
        verbose: bool,
        language: Language | None,
    ) -> int: ...


def run(args: list[str], open_for: OpenFor) -> int:
    """Wait for the servers, write a picture of each page, light and dark; returns the exit code.

    Args:
        args: of the command, checked before.
        open_for: opens the window.
    """
    options = read(args)
    if options.scale != 1:
        os.environ["QT_SCALE_FACTOR"] = f"{options.scale:g}"  # Qt reads it when it starts
    folder, sizes = options.directory, options.sizes
    folder.mkdir(parents=True, exist_ok=True)

    async def grab(window: MainWindow, core: Core) -> None:
        files = (
            await grab_film(window, folder, sizes[0])
            if options.film
            else await grab_pages(window, core, folder, sizes, demo=options.demo)
        )
        for file in files:
            sys.stdout.write(f"{file}\n")

    language = cast("Language | None", options.language)
    with demo_paths() if options.demo else nullcontext(options.paths) as paths:
        return open_for(paths, grab, verbose=options.verbose, language=language)


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
