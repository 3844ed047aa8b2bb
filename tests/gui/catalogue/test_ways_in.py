"""Where a person finds the catalogue, and what the Servers page says after it."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel

from desktop.base.paths import Paths
from desktop.core import build_core
from desktop.gui.catalogue.dialog import CatalogueDialog
from desktop.gui.servers.page import ServersPage
from desktop.gui.window_state import WindowState
from tests.gui.waiting import happens, turns

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from desktop.core import Core
    from desktop.gui.theme import Theme
    from tests.registry_stub import RegistryStub

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
async def core(tmp_path: Path, registry: RegistryStub) -> AsyncIterator[Core]:
    path = tmp_path / "mcp.json"
    settings = {"settings": {"catalogueUrl": registry.address}}
    path.write_text(json.dumps({"mcpDesktop": settings}), "utf-8")
    made = build_core(Paths(path, tmp_path / "data"), {"PATH": ""})
    made.follow_store()
    yield made
    await made.close()


@pytest.fixture
def page(qtbot: QtBot, theme: Theme, core: Core) -> ServersPage:
    made = ServersPage(
        theme, core.store, core.service, WindowState(core.paths.window_state).settings
    )
    qtbot.addWidget(made)
    made.show()
    return made


def opened(page: ServersPage) -> CatalogueDialog:
    (dialog,) = page.findChildren(CatalogueDialog)
    return dialog


@pytest.mark.parametrize("way", ["header", "welcome", "key", "add dialog"])
async def test_it_is_found_where_people_look(
    page: ServersPage, way: str, registry: RegistryStub
) -> None:
    match way:
        case "header":
            QTest.mouseClick(page.catalogue, LEFT)
        case "welcome":
            QTest.mouseClick(page.no_servers.welcome.catalogue, LEFT)
        case "key":
            page.activateWindow()
            both = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
            QTest.keyClick(page, Qt.Key.Key_N, both)
        case _:
            QTest.mouseClick(page.add_server().catalogue, LEFT)
    assert opened(page).isVisible()
    assert registry.asked == []


async def test_an_add_dialog_with_something_typed_asks_before_it_goes(page: ServersPage) -> None:
    dialog = page.add_server()
    dialog.form.name.setText("mine")
    QTest.mouseClick(dialog.catalogue, LEFT)
    assert dialog.unsaved.isVisible()
    assert not page.findChildren(CatalogueDialog)


async def test_what_was_added_stands_selected_and_switched_off_and_says_where_it_is_from(
    page: ServersPage, core: Core
) -> None:
    dialog = page.open_catalogue()
    answered = happens(dialog.settled)
    dialog.search("zones")
    await answered
    QTest.mouseClick(dialog.act, LEFT)
    async with asyncio.timeout(20):
        while dialog.is_keeping:
            await turns()
    name = "time-modelcontextprotocol"
    assert page.list.selected == name
    assert core.service.connections[name].state.phase == "stopped"
    text = "\n".join(label.text() for label in page.findChildren(QLabel))
    assert f"“{name}” was added, switched off. Switch it on to start it." in text
    assert "io.github.modelcontextprotocol/time 2025.9.25" in text
    assert name not in core.store.untrusted
