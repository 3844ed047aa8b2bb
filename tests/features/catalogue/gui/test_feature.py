"""Where a person finds the catalogue, and what the Servers page says after it."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton, QSplitter

from desktop.base.paths import Paths
from desktop.core import build_core
from desktop.features.catalogue.gui.dialog import CatalogueDialog
from desktop.gui import shortcuts
from desktop.gui.servers.page import ServersPage
from tests.gui.waiting import happens, turns
from tests.patience import LIMIT

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping
    from pathlib import Path

    from desktop.core import Core
    from desktop.gui.main_window import MainWindow
    from desktop.gui.page_factory import Pages
    from desktop.gui.servers.finder import Finder
    from tests.features.catalogue.registry_stub import RegistryStub

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
def page(window: MainWindow) -> ServersPage:
    page = window.page("servers")
    assert isinstance(page, ServersPage)
    return page


def press(offer: Mapping[Finder, QPushButton]) -> None:
    """Click the one button of those where servers can be found."""
    (button,) = offer.values()
    QTest.mouseClick(button, LEFT)


def open_with_key(page: ServersPage) -> None:
    page.activateWindow()
    both = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    QTest.keyClick(page, Qt.Key.Key_N, both)


def opened(page: ServersPage) -> CatalogueDialog:
    (dialog,) = page.findChildren(CatalogueDialog)
    return dialog


async def test_its_key_is_on_the_sheet_of_shortcuts_after_the_import(page: ServersPage) -> None:
    labels = [shortcut.label for shortcut in shortcuts.sections()["Servers"]]
    assert labels[2:5] == ["Ctrl+I", "Ctrl+Shift+N", "Ctrl+R"]


@pytest.mark.parametrize("way", ["header", "welcome", "key", "add dialog"])
async def test_it_is_found_where_people_look(
    page: ServersPage, way: str, registry: RegistryStub
) -> None:
    match way:
        case "header":
            press(page.finders)
        case "welcome":
            press(page.no_servers.welcome.finders)
        case "key":
            open_with_key(page)
        case _:
            press(page.add_server().finders)
    assert opened(page).isVisible()
    assert registry.asked == []


async def test_from_any_other_page_it_is_opened_over_the_servers(pages: Pages) -> None:
    pages.window.show_page("tools")
    act = {action.id: action.act for action in pages.navigation.actions}["catalogue"]
    act()
    page = pages.window.page("servers")
    assert isinstance(page, ServersPage)
    assert (pages.window.current_page, opened(page).isVisible()) == ("servers", True)


async def test_an_add_dialog_with_something_typed_asks_before_it_goes(page: ServersPage) -> None:
    dialog = page.add_server()
    dialog.form.name.setText("mine")
    press(dialog.finders)
    assert dialog.unsaved.isVisible()
    assert not page.findChildren(CatalogueDialog)


async def test_what_was_added_stands_selected_and_switched_off_and_says_where_it_is_from(
    page: ServersPage, core: Core
) -> None:
    press(page.finders)
    dialog = opened(page)
    answered = happens(dialog.settled)
    dialog.search("zones")
    await answered
    QTest.mouseClick(dialog.act, LEFT)
    async with asyncio.timeout(LIMIT):
        while dialog.is_keeping:
            await turns()
    name = "time-modelcontextprotocol"
    assert page.list.selected == name
    assert core.service.connections[name].state.phase == "stopped"
    text = "\n".join(label.text() for label in page.findChildren(QLabel))
    assert f"“{name}” was added, switched off. Switch it on to start it." in text
    assert "io.github.modelcontextprotocol/time 2025.9.25" in text
    assert name not in core.store.untrusted


async def test_it_keeps_the_size_and_the_division_that_a_person_gave_it(page: ServersPage) -> None:
    press(page.finders)
    first = opened(page)
    wanted = QSize(770, first.height() + 25)
    first.resize(wanted)
    parts = divided(first)
    usual = parts.sizes()
    parts.setSizes([usual[0] + 100, usual[1] - 100])
    first.reject()
    await turns()
    press(page.finders)
    again = opened(page)
    assert again.size() == wanted
    assert divided(again).sizes()[0] == pytest.approx(usual[0] + 75, abs=45)


def divided(dialog: CatalogueDialog) -> QSplitter:
    """Its list and what is beside it, as wide as the list can get wider in."""
    (found,) = [each for each in dialog.findChildren(QSplitter) if each.objectName()]
    found.resize(600, 500)
    return found
