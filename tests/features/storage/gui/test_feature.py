"""In the window: the section of the settings, and what goes for its age after a start."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING

import pytest

from desktop.base.tasks import spawn
from desktop.core import build_core
from desktop.features.chat.agent.agent import Agent
from desktop.features.storage.gui.feature import StorageFeature
from desktop.features.storage.gui.section import StorageSection
from desktop.features.window import join_window, rail_pages
from desktop.gui.main_window import MainWindow
from desktop.gui.page_factory import Pages
from desktop.gui.settings.page import SettingsPage
from desktop.gui.window_state import WindowState
from tests.features.storage.folder import CHAT, fill, paths_in, write
from tests.gui.waiting import happens
from tests.patience import LIMIT

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from desktop.core import Core
    from desktop.gui.theme import Theme


@pytest.fixture
async def core(tmp_path: Path) -> AsyncIterator[Core]:
    paths = paths_in(tmp_path)
    fill(paths)
    paths.config.write_text("{}", "utf-8")
    made = build_core(paths, {"SHELL": "/bin/sh"})
    yield made
    await made.close()


@pytest.fixture
def main_window(qtbot: QtBot, theme: Theme, core: Core) -> MainWindow:
    made = MainWindow(theme, WindowState(core.paths.window_state))
    qtbot.addWidget(made, before_close_func=lambda _: made.finish())
    return made


async def _nothing() -> None:
    """All servers are ready."""


async def test_the_settings_show_it(main_window: MainWindow, core: Core) -> None:
    pages = Pages(main_window, rail_pages())
    pages.follow(core)
    join_window(pages, core, spawn(_nothing(), "ready"))
    pages.open(core)
    main_window.show()
    main_window.show_page("settings")
    page = main_window.page("settings")
    assert isinstance(page, SettingsPage)
    section = page.section(StorageSection)
    assert section is not None
    await happens(section.measured)
    assert section.rows["removed-server-logs"].amount.text() == "32 B"
    assert section.isVisible()
    await pages.end_features()


async def test_what_is_old_goes_once_the_servers_are_ready(
    main_window: MainWindow, core: Core
) -> None:
    old = write(core.paths.server_logs / "old.log", days=40)
    feature = StorageFeature(main_window, core, delay=0)
    go = asyncio.Event()

    async def wait() -> None:
        await go.wait()

    removing = feature.remove_old_after(spawn(wait(), "ready"))
    assert removing is not None
    for _ in range(20):
        await asyncio.sleep(0)
    assert old.exists()
    go.set()
    await asyncio.wait_for(removing, LIMIT)
    assert not old.exists()
    assert feature.storage.aged["removed-server-logs"].count == 1


async def test_days_that_are_changed_count_at_once_and_the_chats_are_listed_again(
    main_window: MainWindow, core: Core
) -> None:
    chat = write(core.paths.sessions / f"{CHAT % 2}.jsonl", days=20)
    feature = StorageFeature(main_window, core, delay=0)
    removing = feature.remove_old_after(spawn(_nothing(), "ready"))
    assert removing is not None
    await asyncio.wait_for(removing, LIMIT)
    assert chat.exists()
    listed = asyncio.Event()
    core.part(Agent).sessions.changed.connect(listed.set)
    core.store.update_settings(theme="dark")
    core.store.update_settings(keep=core.store.settings.keep.changed(chats=7))
    await asyncio.wait_for(listed.wait(), LIMIT)
    assert not chat.exists()
    assert "chats" in json.dumps(json.loads(core.paths.config.read_text("utf-8")))
