from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtGui import QImage

from desktop.base.paths import Paths
from desktop.core import build_core
from desktop.features.screenshots.gui.run import grab_pages
from desktop.gui.servers.page import ServersPage
from desktop.gui.tools.page import ToolsPage

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from desktop.core import Core
    from desktop.gui.main_window import MainWindow


SHADES = ("dark", "light")


@pytest.fixture
async def core(tmp_path: Path) -> AsyncIterator[Core]:
    made = build_core(Paths(tmp_path / "mcp.json", tmp_path / "data"), {"SHELL": "/bin/sh"})
    made.follow_store()
    made.store.set_enabled("calculator", enabled=True)
    await made.settle()
    yield made
    await made.close()


@pytest.fixture
def window(window: MainWindow) -> MainWindow:
    window.resize(800, 600)
    return window


async def test_each_page_is_pictured_with_something_to_see_and_the_window_left_as_it_was(
    window: MainWindow, core: Core, tmp_path: Path
) -> None:
    """In one test: the pictures of all pages take seconds."""
    window.show_page("tools")
    size = window.size()
    pictures = {path.name: QImage(str(path)) for path in await grab_pages(window, core, tmp_path)}

    names = sorted([*window.page_ids, *window.panels, "shortcuts"])
    assert sorted(pictures) == [f"{name}-{shade}.png" for name in names for shade in SHADES]
    for name, picture in pictures.items():
        if "shortcuts" not in name:  # the sheet alone
            assert (picture.width(), picture.height()) == (1180, 760)
        lightness = picture.pixelColor(5, 5).lightness()
        assert lightness < 64 if "dark" in name else lightness > 192
    for name in window.panels:
        assert pictures[f"{name}-dark.png"] != pictures["tools-dark.png"]
    servers, tools = window.page("servers"), window.page("tools")
    assert isinstance(servers, ServersPage)
    assert isinstance(tools, ToolsPage)
    assert servers.list.selected == "calculator"
    assert tools.view is not None
    assert tools.view.result is not None
    assert tools.view.result.text.editor.toPlainText() == "42"
    assert (window.current_page, window.theme.scheme) == ("tools", "light")
    assert window.size() == size


@pytest.mark.exhaustive
async def test_several_sizes_are_told_apart_by_their_names(
    window: MainWindow, core: Core, tmp_path: Path
) -> None:
    sizes = (800, 600), (1000, 640)
    pictures = await grab_pages(window, core, tmp_path, sizes)

    assert {path.name for path in pictures if path.name.startswith("chat-")} == {
        f"chat-{width}x{height}-{shade}.png" for width, height in sizes for shade in SHADES
    }
    picture = QImage(str(tmp_path / "chat-1000x640-dark.png"))
    assert (picture.width(), picture.height()) == (1000, 640)


async def test_a_folder_that_cannot_be_written_is_said(
    window: MainWindow, core: Core, tmp_path: Path
) -> None:
    with pytest.raises(OSError, match="missing"):
        await grab_pages(window, core, tmp_path / "missing")
