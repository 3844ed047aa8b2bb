"""The other apps in the settings: real files, real clicks."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from desktop.base.paths import Paths
from desktop.config.imports.clients import ClientLocations
from desktop.config.store import ConfigStore
from desktop.features.gateway.entries.client_files import ClientFiles
from desktop.features.gateway.entries.forms import GatewayCommand
from desktop.features.gateway.gui.clients_section import ChangeDialog, ClientsSection
from desktop.features.gateway.gui.feature import show_clients
from desktop.gui.settings.page import SettingsPage
from tests.gui.waiting import arm
from tests.patience import LIMIT

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme

LEFT = Qt.MouseButton.LeftButton
TOKEN = "a-token-of-more-than-thirty-two-characters"


@pytest.fixture
def cursor(tmp_path: Path) -> Path:
    file = tmp_path / ".cursor" / "mcp.json"
    file.parent.mkdir()
    file.write_text('{\n  // mine\n  "mcpServers": {"a": {"command": "x"}}\n}\n', "utf-8")
    return file


@pytest.fixture
async def section(qtbot: QtBot, theme: Theme, tmp_path: Path, cursor: Path) -> ClientsSection:
    config = tmp_path / "own.json"
    servers = {"files": {"command": "f"}, "git": {"command": "g"}}
    config.write_text(json.dumps({"mcpServers": servers}), "utf-8")
    store = ConfigStore(config, {})
    store.load()
    files = ClientFiles(ClientLocations(tmp_path, {}, "linux"), GatewayCommand(("/opt/app",)))
    made = ClientsSection(theme, store, files, lambda: TOKEN)
    qtbot.addWidget(made)
    await shown(made, made.show)
    return made


async def shown(section: ClientsSection, act: object) -> None:
    """Do it, and wait until what it led to is on the screen."""
    seen = asyncio.Event()
    connection = section.shown.connect(seen.set)
    assert callable(act)
    act()
    async with asyncio.timeout(LIMIT):
        await seen.wait()
    section.shown.disconnect(connection)


async def planned(dialog: ChangeDialog) -> None:
    seen = asyncio.Event()
    connection = dialog.planned.connect(seen.set)
    async with asyncio.timeout(LIMIT):
        await seen.wait()
    dialog.planned.disconnect(connection)


def text_of(file: Path) -> str:
    return file.read_text("utf-8")


def write(file: Path, text: str) -> None:
    file.write_text(text, "utf-8")


def click_write(dialog: ChangeDialog) -> None:
    assert not dialog.act.hasFocus()
    arm(dialog.act)
    QTest.mouseClick(dialog.act, LEFT)


async def test_each_app_says_how_it_is_and_those_that_are_not_here_are_named(
    section: ClientsSection,
) -> None:
    assert list(section.rows) == ["cursor"]
    row = section.rows["cursor"]
    assert row.badge.text() == "Installed"
    assert not row.join.isHidden()
    assert row.leave.isHidden()
    assert "Claude Desktop" in section.absent.text()


async def test_the_settings_lead_to_the_apps(
    qtbot: QtBot, theme: Theme, section: ClientsSection, tmp_path: Path
) -> None:
    store = ConfigStore(tmp_path / "own.json", {})
    store.load()
    page = SettingsPage(store, theme, Paths(store.path, tmp_path / "data"), [lambda: section])
    qtbot.addWidget(page)
    page.resize(600, 300)
    await shown(section, page.show)
    await shown(section, lambda: show_clients(page))
    bar = page.verticalScrollBar()
    assert bar.value() == min(bar.maximum(), section.y())
    assert page.focusWidget() is section.rows["cursor"].join


async def test_a_connection_is_shown_then_written_then_taken_back(
    section: ClientsSection, cursor: Path
) -> None:
    before = text_of(cursor)
    row = section.rows["cursor"]
    QTest.mouseClick(row.join, LEFT)
    dialog = section.findChild(ChangeDialog)
    assert dialog is not None
    await planned(dialog)
    assert "mcp-desktop" in dialog.difference.toPlainText()
    assert text_of(cursor) == before
    await shown(section, lambda: click_write(dialog))
    assert json.loads(text_of(cursor).replace("// mine", ""))["mcpServers"]["a"]
    assert row.badge.text() == "Connected"
    assert "Backup of the file" in section.message.text()
    leaving = section.disconnect_client(row.status)
    await planned(leaving)
    await shown(section, lambda: click_write(leaving))
    assert text_of(cursor) == before
    assert row.badge.text() == "Installed"


async def test_an_address_is_written_with_the_token_which_is_not_shown(
    section: ClientsSection, cursor: Path
) -> None:
    dialog = section.connect_client(section.rows["cursor"].status)
    await planned(dialog)
    assert dialog.choice is not None
    dialog.choice.port.setValue(7778)
    dialog.choice.http.click()
    await planned(dialog)
    assert "serve --http" in dialog.choice.note.text()
    assert "http://127.0.0.1:7778/mcp" in dialog.difference.toPlainText()
    assert TOKEN not in dialog.difference.toPlainText()
    await shown(section, lambda: click_write(dialog))
    assert TOKEN in text_of(cursor)
    assert section.rows["cursor"].badge.text() == "Connected by address"


async def test_a_file_that_changes_while_the_question_is_open_is_left_alone(
    section: ClientsSection, cursor: Path
) -> None:
    dialog = section.connect_client(section.rows["cursor"].status)
    await planned(dialog)
    write(cursor, "{}")
    await shown(section, lambda: click_write(dialog))
    assert "has changed; nothing was written" in section.message.text()
    assert text_of(cursor) == "{}"


async def test_a_broken_file_says_so_and_can_only_be_put_back(
    section: ClientsSection, cursor: Path
) -> None:
    original = text_of(cursor)
    dialog = section.connect_client(section.rows["cursor"].status)
    await planned(dialog)
    await shown(section, lambda: click_write(dialog))
    write(cursor, "{ broken")
    await shown(section, section.look)
    row = section.rows["cursor"]
    assert row.badge.text() == "Cannot be changed"
    assert "not valid JSON" in row.problem.text()
    assert row.join.isHidden()
    back = section.restore_client(row.status)
    await planned(back)
    await shown(section, lambda: click_write(back))
    assert text_of(cursor) == original


async def test_what_an_app_sees_is_ticked_and_kept(section: ClientsSection, tmp_path: Path) -> None:
    dialog = section.connect_client(section.rows["cursor"].status)
    await planned(dialog)
    await shown(section, lambda: click_write(dialog))
    row = section.rows["cursor"]
    assert row.servers.text() == "Sees all servers"
    QTest.mouseClick(row.servers, LEFT)
    assert not row.choice.isHidden()
    box = row.choice.boxes["git"]
    assert box.isChecked()
    QTest.keyClick(box, Qt.Key.Key_Space)

    def written() -> object:
        config = json.loads((tmp_path / "own.json").read_text("utf-8"))
        return config.get("mcpDesktop", {}).get("gateway")

    assert written() == {"clients": {"cursor": {"servers": ["files"]}}}
    assert row.servers.text() == "Sees 1 server"
    assert not row.choice.all.isChecked()
    QTest.keyClick(row.choice.all, Qt.Key.Key_Space)
    assert written() is None
    assert box.isChecked()
