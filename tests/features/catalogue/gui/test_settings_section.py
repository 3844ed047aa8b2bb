"""In the settings: which registry the catalogue asks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from desktop.base.paths import Paths
from desktop.config.models import CATALOGUE_URL
from desktop.config.store import ConfigStore
from desktop.features.catalogue.gui.settings_section import CatalogueSection
from desktop.gui.settings.page import SettingsPage

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from desktop.gui.settings.rows import AddressField
    from desktop.gui.theme import Theme


@pytest.fixture
def store(tmp_path: Path) -> ConfigStore:
    made = ConfigStore(tmp_path / "config" / "mcp.json", {})
    made.load()
    return made


@pytest.fixture
def page(qtbot: QtBot, store: ConfigStore, theme: Theme, tmp_path: Path) -> SettingsPage:
    paths = Paths(store.path, tmp_path / "data")
    made = SettingsPage(store, theme, paths, [lambda: CatalogueSection(store)])
    qtbot.addWidget(made)
    made.show()
    return made


@pytest.fixture
def field(page: SettingsPage) -> AddressField:
    section = page.section(CatalogueSection)
    assert section is not None
    return section.registry


def test_the_address_is_set_and_reset(field: AddressField, store: ConfigStore) -> None:
    assert (field.address.text(), field.reset.isEnabled()) == (CATALOGUE_URL, False)
    field.address.selectAll()
    QTest.keyClicks(field.address, "https://registry.example.com/mcp/")
    QTest.keyClick(field.address, Qt.Key.Key_Return)
    assert store.settings.catalogue_url == "https://registry.example.com/mcp"
    QTest.mouseClick(field.reset, Qt.MouseButton.LeftButton)
    assert store.settings.catalogue_url == CATALOGUE_URL
    assert field.address.text() == CATALOGUE_URL


def test_an_address_that_is_not_safe_is_said_and_taken_back(
    page: SettingsPage, field: AddressField, store: ConfigStore
) -> None:
    field.address.setText("http://registry.example.com")
    QTest.keyClick(field.address, Qt.Key.Key_Return)
    assert "https://" in page.errors[0]
    assert field.address.text() == CATALOGUE_URL
    assert store.settings.catalogue_url == CATALOGUE_URL


def test_a_mirror_for_downloads_is_set_checked_and_reset(
    page: SettingsPage, store: ConfigStore
) -> None:
    section = page.section(CatalogueSection)
    assert section is not None
    mirror = section.mirror
    assert (mirror.address.text(), mirror.reset.isEnabled()) == ("", False)
    for typed, kept in [
        ("https://m.example/gh/", "https://m.example/gh"),
        ("http://m.example", ""),
    ]:
        store.update_settings(download_mirror="")
        mirror.address.setText(typed)
        QTest.keyClick(mirror.address, Qt.Key.Key_Return)
        assert store.settings.download_mirror == kept
    assert "https://" in page.errors[0]
    store.update_settings(download_mirror="https://m.example")
    QTest.mouseClick(mirror.reset, Qt.MouseButton.LeftButton)
    assert store.settings.download_mirror == ""
