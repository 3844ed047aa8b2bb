from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from desktop.gui.import_export.import_flow import ImportFlow
from tests.gui.waiting import happens, turns
from tests.patience import LIMIT

if TYPE_CHECKING:
    from PySide6.QtCore import QSettings
    from PySide6.QtWidgets import QWidget

    from desktop.config.imports.clients import ClientLocations
    from desktop.config.store import ConfigStore
    from desktop.gui.import_export.import_dialog import ImportDialog
    from desktop.gui.theme import Theme
    from tests.gui.import_export.conftest import Write


@pytest.fixture
def flow(
    page: QWidget,
    theme: Theme,
    store: ConfigStore,
    settings: QSettings,
    places: ClientLocations,
) -> ImportFlow:
    return ImportFlow(page, theme, store, settings, places)


async def looked(dialog: ImportDialog) -> None:
    """Wait until it has looked for other clients, so that nothing of it outlives the test."""
    async with asyncio.timeout(LIMIT):
        while dialog.is_looking:
            await turns()


async def test_a_second_file_goes_to_the_preview_that_is_open(
    flow: ImportFlow, write: Write
) -> None:
    first = flow.open(str(write()))
    await happens(first.sources.source_selected)
    assert flow.open(str(write({"b": {"command": "x"}}, "second.json"))) is first
    await happens(first.sources.source_selected)
    assert first.sources.count() == 2
    await looked(first)
    first.reject()
    await turns()
    other = flow.open()
    assert other is not first
    await looked(other)


async def test_it_looks_around_once_and_says_what_is_there(flow: ImportFlow, write: Write) -> None:
    write({"a": {"command": "x"}}, "home/.cursor/mcp.json")
    found: list[list[object]] = []
    flow.found.connect(found.append)
    flow.look()
    flow.look()
    await happens(flow.found)
    await turns()
    assert [len(one) for one in found] == [1]
