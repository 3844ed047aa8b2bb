"""The files of a bundle go with its server when the offer to undo ends, unless they are kept."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton

from desktop.config.store import ConfigStore
from desktop.gui.servers.page import Removal
from desktop.gui.widgets.banner import BannerArea

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from desktop.config.models import ServerConfig
    from desktop.config.store import RemovedServer
    from desktop.gui.theme import Theme

BUNDLES = Path("/data/bundles")
LEFT = Qt.MouseButton.LeftButton


class Servers:
    """What was asked of the page."""

    def __init__(self) -> None:
        self.forgotten: list[str] = []
        self.restored: list[str] = []

    def restore_server(self, removed: RemovedServer) -> None:
        self.restored.append(removed.entry.name)

    def forget_server(self, config: ServerConfig) -> None:
        self.forgotten.append(config.name)


@pytest.fixture
def banners(qtbot: QtBot, theme: Theme) -> BannerArea:
    made = BannerArea(theme)
    qtbot.addWidget(made)
    made.show()
    return made


@pytest.fixture
def servers() -> Servers:
    return Servers()


@pytest.fixture
def removal(banners: BannerArea, servers: Servers) -> Removal:
    return Removal(banners, banners, servers, BUNDLES)


def remove(removal: Removal, folder: Path, script: str) -> None:
    """Remove a server that runs a script."""
    entry = {"command": "python3", "args": [script]}
    path = folder / "mcp.json"
    path.write_text(json.dumps({"mcpServers": {"notes": entry}}), "utf-8")
    store = ConfigStore(path, {})
    store.load()
    config = store.servers["notes"]
    removal.begin(store.remove_server("notes"), config)


def click(banners: BannerArea, words: str) -> None:
    button = [each for each in banners.findChildren(QPushButton) if each.text() == words][-1]
    QTest.mouseClick(button, LEFT)


def test_files_go_when_the_offer_ends(
    removal: Removal, banners: BannerArea, servers: Servers, tmp_path: Path
) -> None:
    remove(removal, tmp_path, f"{BUNDLES}/notes-1/main.py")
    assert banners.messages == (
        "Removed “notes”. Its unpacked files are deleted when this closes.",
    )
    removal.finish()
    assert servers.forgotten == ["notes"]


def test_files_that_are_kept_stay_and_the_server_can_still_be_put_back(
    removal: Removal, banners: BannerArea, servers: Servers, tmp_path: Path
) -> None:
    remove(removal, tmp_path, f"{BUNDLES}/notes-1/main.py")
    click(banners, "Keep its files")
    assert banners.messages == (f"Removed “notes”. Its files stay in {BUNDLES}/notes-1.",)
    click(banners, "Undo")
    assert servers.restored == ["notes"]
    removal.finish()
    assert servers.forgotten == []


def test_one_that_is_no_bundle_has_no_files_to_keep(
    removal: Removal, banners: BannerArea, tmp_path: Path
) -> None:
    remove(removal, tmp_path, "/data/other/main.py")
    assert banners.messages == ("Removed “notes”.",)
    removal.finish()
