"""Takes pictures of every page, light and dark, of a running window: for the README and for review.

Selects something worth seeing first. Must not run any tool but our own calculator, nor wait without
a limit.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from desktop.gui.servers.page import ServersPage
from desktop.gui.theme import space
from desktop.gui.tools.page import ToolsPage

if TYPE_CHECKING:
    from pathlib import Path

    from desktop.core import Core
    from desktop.gui.main_window import MainWindow
    from desktop.gui.theme import Scheme
    from desktop.tool_types import JsonObject

_SCHEMES: tuple[Scheme, ...] = ("light", "dark")
_SIZE = space(295), space(190)
_LIMIT = 5.0
_SETTLE = 0.15  # animations, and lists that are shown together
_CALCULATOR = "calculator:calculate"
_ARGUMENTS: JsonObject = {"operation": "multiply", "a": 6, "b": 7}


async def _prepare(window: MainWindow, core: Core) -> None:
    """Build every page, and choose on each what there is most to see of."""
    for page in window.page_ids:
        window.show_page(page)
        await asyncio.sleep(_SETTLE)
    if isinstance(servers := window.page("servers"), ServersPage):
        connected = core.service.get_connected_servers()
        servers.list.select(connected[0] if connected else servers.list.selected)
        servers.read_usage()
    if isinstance(tools := window.page("tools"), ToolsPage):
        await _choose_tool(tools, core)


async def _choose_tool(page: ToolsPage, core: Core) -> None:
    """The calculator with its result, else the first tool that takes something, as a form."""
    tools = [tool.definition for tool in core.registry.all()]
    if any(tool.key == _CALCULATOR for tool in tools):
        page.show_tool(_CALCULATOR)
        await _run(page)
    elif tools:
        having = [tool for tool in tools if tool.input_schema.get("properties")]
        page.show_tool((having or tools)[0].key)


async def _run(page: ToolsPage) -> None:
    """Fill in the form and press Run."""
    if (view := page.view) is None:
        return
    ended = asyncio.Event()
    view.form.set_value(_ARGUMENTS)
    view.running_changed.connect(lambda: view.is_running or ended.set())
    view.bar.run.click()
    async with asyncio.timeout(_LIMIT):
        await ended.wait()


async def grab_pages(window: MainWindow, core: Core, folder: Path) -> tuple[Path, ...]:
    """Write `PAGE-light.png` and `PAGE-dark.png` into `folder`, which exists; put the window back.

    Raises:
        OSError: a picture cannot be written.
        TimeoutError: the calculator did not answer.
    """
    scheme, page, size = window.theme.scheme, window.current_page, window.size()
    window.resize(*_SIZE)
    try:
        await _prepare(window, core)
        return tuple(
            [
                await _grab(window, page_id, shade, folder)
                for shade in _SCHEMES
                for page_id in window.page_ids
            ]
        )
    finally:
        window.theme.set_scheme(scheme)
        window.show_page(page)
        window.resize(size)


async def _grab(window: MainWindow, page: str, shade: Scheme, folder: Path) -> Path:
    file = folder / f"{page}-{shade}.png"
    if window.theme.scheme != shade:
        window.theme.set_scheme(shade)
    window.show_page(page)
    window.setFocus()  # a ring around where the keys would go is no part of the picture
    await asyncio.sleep(_SETTLE)
    if not window.grab().save(str(file)):
        raise OSError(f"cannot write {file}")
    return file
