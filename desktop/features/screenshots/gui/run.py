"""Takes the pictures of the command `screenshots`: of every page, for the README and for review.

With `--film` that is the way from a new server to a test, in a row, for a moving picture of the
README; each of its dialogs is closed as one that was cancelled. Must not run any tool but our own
calculator (a demo: those of `demo`), wait without a limit, or know how a window is opened.
"""

from __future__ import annotations

import asyncio
import os
import sys
from contextlib import nullcontext
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol, cast

from PySide6.QtCore import QPoint
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QDialog, QLineEdit

from desktop.features.chat.gui.page import ChatPage
from desktop.features.screenshots.cli.screenshots import read
from desktop.features.screenshots.gui.demo import (
    SESSION,
    SHOWN_CALL,
    SHOWN_PROMPT,
    SHOWN_RESOURCE,
    demo_paths,
    make_calls,
)
from desktop.gui.prompts.page import PromptsPage
from desktop.gui.resources.page import ResourcesPage
from desktop.gui.servers.page import ServersPage
from desktop.gui.shortcut_sheet import ShortcutSheet
from desktop.gui.theme import space
from desktop.gui.tools.page import ToolsPage

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
    from pathlib import Path

    from PySide6.QtGui import QPixmap
    from PySide6.QtWidgets import QWidget

    from desktop.base.paths import Paths
    from desktop.core import Core
    from desktop.gui.language import Language
    from desktop.gui.main_window import MainWindow
    from desktop.gui.theme import Scheme
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


# The pages: light and dark, at each size. Something worth seeing is selected first.

_SCHEMES: tuple[Scheme, ...] = ("light", "dark")
_SIZE = space(295), space(190)
_LIMIT = 5.0
_SETTLE = 0.15  # animations, and lists that are shown together
_CALCULATOR = "calculator:calculate"
_ARGUMENTS: JsonObject = {"operation": "multiply", "a": 6, "b": 7}


class Subject(NamedTuple):
    """What is pictured, under which name; of a dialog, itself alone."""

    name: str
    widget: QWidget


async def _prepare(window: MainWindow, core: Core, *, demo: bool) -> None:
    """Build every page, and choose on each what there is most to see of."""
    for page in window.page_ids:
        window.show_page(page)
        await asyncio.sleep(_SETTLE)
    if isinstance(servers := window.page("servers"), ServersPage):
        connected = core.service.get_connected_servers()
        servers.list.select(connected[0] if connected else servers.list.selected)
        servers.usage.read()
    if isinstance(tools := window.page("tools"), ToolsPage):
        await _choose_tool(tools, core, demo=demo)
    if demo:
        await _open_demo(window)


async def _open_demo(window: MainWindow) -> None:
    """Open the stored conversation, a resource and a prompt."""
    if isinstance(chat := window.page("chat"), ChatPage):
        window.show_page("chat")  # tools are counted only for a page in sight
        loaded = asyncio.Event()
        chat.loaded.connect(loaded.set)
        chat.open_stored(SESSION)
        async with asyncio.timeout(_LIMIT):
            await loaded.wait()
    if isinstance(resources := window.page("resources"), ResourcesPage):
        resources.open_uri(*SHOWN_RESOURCE)
    if isinstance(prompts := window.page("prompts"), PromptsPage):
        prompts.open_prompt(*SHOWN_PROMPT)
    await asyncio.sleep(_SETTLE)


async def _choose_tool(page: ToolsPage, core: Core, *, demo: bool) -> None:
    """The calculator with its result, else the first tool that takes something, as a form."""
    tools = [tool.definition for tool in core.registry.all()]
    key, arguments = SHOWN_CALL if demo else (_CALCULATOR, _ARGUMENTS)
    if any(tool.key == key for tool in tools):
        page.show_tool(key)
        await run_form(page, arguments)
    elif tools:
        having = [tool for tool in tools if tool.input_schema.get("properties")]
        page.show_tool((having or tools)[0].key)


async def run_form(page: ToolsPage, arguments: JsonObject) -> None:
    """Fill in the form and press Run."""
    if (view := page.view) is None:
        return
    ended = asyncio.Event()
    view.form.set_value(arguments)
    view.running_changed.connect(lambda: view.is_running or ended.set())
    view.bar.run.click()
    async with asyncio.timeout(_LIMIT):
        await ended.wait()


async def grab_pages(
    window: MainWindow,
    core: Core,
    folder: Path,
    sizes: Sequence[tuple[int, int]] = (_SIZE,),
    *,
    demo: bool = False,
) -> tuple[Path, ...]:
    """Write `PAGE-light.png` and `PAGE-dark.png` into `folder`, which exists; put the window back.

    Args:
        window: what is pictured, with its panels and the sheet of shortcuts.
        core: whose calculator is run.
        folder: where to.
        sizes: of the window; where there are several, each is part of the file names.
        demo: whether `core` has the folders that `demo` has written: its calls are made.

    Raises:
        OSError: a picture cannot be written.
        TimeoutError: the calculator did not answer.
    """
    scheme, page, size = window.theme.scheme, window.current_page, window.size()
    files: list[Path] = []
    try:
        window.resize(*sizes[0])
        if demo:
            async with asyncio.timeout(_LIMIT):
                await make_calls(core)
        await _prepare(window, core, demo=demo)
        for width, height in sizes:
            window.resize(width, height)
            place = f"-{width}x{height}" if len(sizes) > 1 else ""
            for shade in _SCHEMES:
                if window.theme.scheme != shade:
                    window.theme.set_scheme(shade)
                async for name, widget in _subjects(window):
                    files.append(_save(widget, folder / f"{name}{place}-{shade}.png"))
        return tuple(files)
    finally:
        window.theme.set_scheme(scheme)
        window.show_page(page)
        window.resize(size)


async def _subjects(window: MainWindow) -> AsyncIterator[Subject]:
    """Each page, and then what lies over or under one; each is put away again."""
    for page in window.page_ids:
        window.show_page(page)
        await _settle(window)
        yield Subject(page, window)
    window.show_page("tools")
    for name, toggle in window.panels.items():
        toggle()
        if isinstance(window.focusWidget(), QLineEdit):  # the palette goes when it loses the keys
            await asyncio.sleep(_SETTLE)
        else:
            await _settle(window)
        yield Subject(name, window)
        toggle()
    sheet = ShortcutSheet(window)  # pictured without being shown: it would be a window of its own
    yield Subject("shortcuts", sheet)
    sheet.deleteLater()


async def _settle(window: MainWindow) -> None:
    window.setFocus()  # a ring around where the keys would go is no part of the picture
    await asyncio.sleep(_SETTLE)


def _save(widget: QWidget, file: Path) -> Path:
    if not widget.grab().save(str(file)):
        raise OSError(f"cannot write {file}")
    return file


# The film: the way from a new server to a test.

_FILM_SETTLE: Final = 0.4  # dialogs are laid out, too
_SERVER: Final = "npx -y @modelcontextprotocol/server-everything"
_NAME: Final = "multiplies"


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
    tools.show_tool(_CALCULATOR)
    if tools.view is not None:
        tools.view.form.set_value(_ARGUMENTS)
    yield await _frame(window)
    await run_form(tools, _ARGUMENTS)
    yield await _frame(window)
    tools.save_requested.emit(_CALCULATOR, _ARGUMENTS)
    await asyncio.sleep(_FILM_SETTLE)
    for saving in window.findChildren(QDialog):
        if saving.isVisible():
            if (name := saving.findChild(QLineEdit)) is not None:
                name.setText(_NAME)
            yield await _frame(window, saving)
            saving.done(QDialog.DialogCode.Rejected)


async def _frame(window: MainWindow, dialog: QDialog | None = None) -> QPixmap:
    """The window, and over its middle the dialog, which is a window of its own."""
    await asyncio.sleep(_FILM_SETTLE)
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
