"""The moving picture of the README: what its pictures show, and that they leave nothing behind."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from PIL import Image
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QDialog

from desktop.features.screenshots.gui.run import grab_film
from desktop.gui.tools.page import ToolsPage
from resources.packaging.film import make_film
from tests.features.screenshots.gui.test_pictures import core

if TYPE_CHECKING:
    from pathlib import Path

    from desktop.core import Core
    from desktop.gui.main_window import MainWindow

__all__ = ["core"]


async def test_a_server_is_pasted_and_a_form_run_and_nothing_of_it_is_saved(
    window: MainWindow, core: Core, tmp_path: Path
) -> None:
    window.show_page("chat")
    size = window.size()
    files = await grab_film(window, tmp_path, (900, 620))

    pictures = [QImage(str(file)) for file in files]
    assert len(pictures) == len({file.name for file in files}) >= 3
    assert {(each.width(), each.height()) for each in pictures} == {(900, 620)}
    assert all(one != other for one, other in pairwise(pictures))
    tools = window.page("tools")
    assert isinstance(tools, ToolsPage)
    assert tools.view is not None
    assert tools.view.result is not None
    assert tools.view.result.text.editor.toPlainText() == "42"
    assert "everything" not in core.store.servers
    assert not [each for each in window.findChildren(QDialog) if each.isVisible()]
    assert (window.current_page, window.size()) == ("chat", size)

    film = tmp_path / "film.webp"
    assert make_film(tmp_path, film) == len(pictures)
    with Image.open(film) as moving:
        assert (moving.format, getattr(moving, "n_frames", 1)) == ("WEBP", len(pictures))
