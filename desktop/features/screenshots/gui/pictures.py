"""Takes pictures of every page, light and dark, of a running window: for the README and for review.

Selects something worth seeing first. Must not run any tool but our own calculator (a demo: those of
`demo`), nor wait without a limit.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtWidgets import QLineEdit

from desktop.features.screenshots.gui.demo import (
    SESSION,
    SHOWN_CALL,
    SHOWN_PROMPT,
    SHOWN_RESOURCE,
    make_calls,
)
from desktop.gui.chat.page import ChatPage
from desktop.gui.prompts.page import PromptsPage
from desktop.gui.resources.page import ResourcesPage
from desktop.gui.servers.page import ServersPage
from desktop.gui.shortcut_sheet import ShortcutSheet
from desktop.gui.theme import space
from desktop.gui.tools.page import ToolsPage

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence
    from pathlib import Path

    from PySide6.QtWidgets import QWidget

    from desktop.core import Core
    from desktop.gui.main_window import MainWindow
    from desktop.gui.theme import Scheme
    from desktop.values.tool_types import JsonObject

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
