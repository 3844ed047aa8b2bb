"""A server whose texts have no place to break: no page of it scrolls sideways."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtWidgets import QScrollArea

from desktop.gui.prompts.page import PromptsPage
from desktop.gui.resources.page import ResourcesPage
from tests.gui.offers import offering_core
from tests.gui.waiting import happens, turns
from tests.misbehaving_servers.unbroken import NAME, URI

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from desktop.core import Core
    from desktop.gui.main_window import MainWindow


@pytest.fixture
async def core(tmp_path: Path) -> AsyncIterator[Core]:
    async with offering_core(tmp_path, "unbroken") as made:
        yield made


@pytest.mark.parametrize(
    ("kind", "key"),
    [
        (PromptsPage, f"unbroken:{NAME}"),
        (ResourcesPage, f"unbroken\n{URI}"),
        (ResourcesPage, f"unbroken\n\n{URI}/{{id}}"),
    ],
    ids=["prompt", "resource", "template"],
)
async def test_a_prompt_and_a_resource_are_no_wider_than_their_page(
    window: MainWindow, kind: type[PromptsPage | ResourcesPage], key: str
) -> None:
    window.resize(900, 600)
    window.show_page(kind.NAME)
    page = window.page(kind.NAME)
    assert isinstance(page, kind)
    while not page.list.shown:
        await happens(page.refreshed)
    page.list.activated.emit(key)
    assert page.view is not None
    assert page.view.isVisible()
    await turns(10)  # it is laid out
    areas = page.view.findChildren(QScrollArea)
    assert [area.horizontalScrollBar().maximum() for area in areas] == [0] * len(areas)
    assert areas or kind is ResourcesPage
