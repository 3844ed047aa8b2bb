"""Where a person finds the other apps."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from desktop.base.paths import Paths
from desktop.core import build_core
from desktop.features.gateway.gui.clients_section import ClientsSection
from desktop.gui.settings.page import SettingsPage
from tests.gui.waiting import happens

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from desktop.core import Core
    from desktop.gui.page_factory import Pages


@pytest.fixture
async def core(tmp_path: Path) -> AsyncIterator[Core]:
    made = build_core(Paths(tmp_path / "mcp.json", tmp_path / "data"), {"SHELL": "/bin/sh"})
    made.follow_store()
    yield made
    await made.close()


async def test_from_any_page_a_person_gets_to_the_other_apps_in_the_settings(pages: Pages) -> None:
    window = pages.window
    window.show_page("tools")
    act = {action.id: action.act for action in pages.navigation.actions}["apps"]
    act()
    page = window.page("settings")
    assert isinstance(page, SettingsPage)
    section = page.section(ClientsSection)
    assert section is not None
    await happens(section.shown)
    assert window.current_page == "settings"
    assert not section.visibleRegion().isEmpty()
