from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING

import pytest
from PySide6.QtGui import QGuiApplication

from desktop.config.store import ConfigStore
from desktop.gui.import_export.export_dialog import ConfigExportDialog, ImportFlow
from tests.gui.waiting import happens, turns
from tests.patience import LIMIT

if TYPE_CHECKING:
    from pathlib import Path

    from PySide6.QtCore import QSettings
    from PySide6.QtWidgets import QWidget

    from desktop.config.imports.clients import ClientLocations
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


async def test_export_shows_the_servers(flow: ImportFlow) -> None:
    dialog = flow.export()
    assert "same" in dialog.text.toPlainText()
    dialog.reject()


@pytest.fixture
def dialog(page: QWidget, theme: Theme, store: ConfigStore) -> ConfigExportDialog:
    made = ConfigExportDialog(page, theme, store)
    made.open()
    return made


def test_secrets_are_left_out_until_a_person_says_otherwise(dialog: ConfigExportDialog) -> None:
    assert "mine-1234" not in dialog.text.toPlainText()
    assert "differs env.TOKEN" in dialog.note.text()
    dialog.secrets.setChecked(True)
    assert "mine-1234" in dialog.text.toPlainText()
    assert "Do not share it" in dialog.note.text()


def test_the_format_is_that_of_the_other_client(dialog: ConfigExportDialog) -> None:
    dialog.format.setCurrentIndex(1)
    assert set(json.loads(dialog.text.toPlainText())) == {"inputs", "servers"}
    dialog.copy.click()
    assert QGuiApplication.clipboard().text() == dialog.text.toPlainText()


def test_it_is_saved_or_said_why_not(dialog: ConfigExportDialog, tmp_path: Path) -> None:
    dialog.save_as(str(tmp_path))
    assert "cannot be written" in dialog.note.text()
    assert dialog.isVisible()
    dialog.save_as(str(tmp_path / "out.json"))
    assert list(json.loads((tmp_path / "out.json").read_text())["mcpServers"]) == [
        *("same", "differs")
    ]
    assert not dialog.isVisible()


def test_without_servers_there_is_nothing_to_save(
    page: QWidget, theme: Theme, tmp_path: Path
) -> None:
    empty = ConfigExportDialog(page, theme, ConfigStore(tmp_path / "none.json", {}))
    assert not empty.save.isEnabled()
    assert "no servers" in empty.note.text()
