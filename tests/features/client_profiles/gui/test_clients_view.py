"""The tab *Clients* of a tool: each client with its verdict, and why, by keyboard too."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from desktop.features.client_profiles.gui.clients_view import ClientsView
from desktop.features.client_profiles.gui.feature import add_clients
from desktop.features.client_profiles.profiles import all_profiles
from desktop.gui.tools.page import ToolsPage
from desktop.values.tool_types import ToolCall
from tests.gui.servers.conftest import entry
from tests.gui.waiting import happens
from tests.servers.for_clients import LONG

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from PySide6.QtCore import QSettings
    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme
    from tests.gui.servers.conftest import OpenPanel, Panel


@pytest.fixture
async def panel(open_panel: OpenPanel) -> Panel:
    """A server of which tools can be looked at."""
    made = open_panel({"notes": entry("for_clients", era="legacy")})
    await made.until_words("notes", "Connected")
    return made


@pytest.fixture
def open_tab(
    panel: Panel, theme: Theme, settings: QSettings, qtbot: QtBot
) -> Callable[[str], Awaitable[ClientsView]]:
    """The tab of a tool, of the page of tools."""
    core = panel.core
    page = ToolsPage(core.registry, core.executor, theme, settings)
    qtbot.addWidget(page)
    page.resize(1000, 700)
    add_clients(page, core, theme)
    page.show()

    async def make(key: str) -> ClientsView:
        page.show_tool(key)
        assert page.view is not None
        tabs = page.view.tabs
        assert tabs.tabText(tabs.count() - 1) == "Clients"
        tabs.setCurrentIndex(tabs.count() - 1)
        view = tabs.findChild(ClientsView)
        assert isinstance(view, ClientsView)
        await happens(view.shown)
        return view

    return make


async def test_each_client_stands_there_with_its_verdict_those_with_a_problem_first(
    open_tab: Callable[[str], Awaitable[ClientsView]],
) -> None:
    view = await open_tab(f"notes:{LONG}")
    verdicts = dict(view.lines)
    assert len(verdicts) == len(all_profiles())
    assert verdicts["Cursor"] == "Not shown"
    assert verdicts["Cline"] == "Renamed"
    assert verdicts["Claude Code"] == "Works"
    assert verdicts["Jan"] == "Unknown"
    order = [verdict for _, verdict in view.lines]
    assert order[0] == "Refused there"
    assert order[-1] == "Unknown"
    assert "results of the tool are looked at once it was run" in view.note.text()


async def test_what_is_said_of_the_chosen_client_has_its_source_and_its_age(
    open_tab: Callable[[str], Awaitable[ClientsView]],
) -> None:
    view = await open_tab(f"notes:{LONG}")
    names = [client for client, _ in view.lines]
    first = view.words.toPlainText()
    for _ in range(names.index("Cursor")):
        QTest.keyClick(view.list, Qt.Key.Key_Down)
    said = view.words.toPlainText()
    assert said != first
    assert said.startswith("Cursor")
    assert "Its model is not given" in said
    assert "https://github.com/ComposioHQ/composio/issues/2788" in said
    item = view.list.topLevelItem(names.index("Jan"))
    assert item is not None
    view.list.setCurrentItem(item)
    assert "Nobody says what becomes of names" in view.words.toPlainText()


async def test_results_of_the_history_count_once_the_tool_was_run(
    panel: Panel, open_tab: Callable[[str], Awaitable[ClientsView]]
) -> None:
    result = await panel.core.executor.run(ToolCall("notes:who"))
    assert result.success
    await panel.core.history.page()
    while panel.core.history.waiting:
        panel.core.history.write_now()
        await panel.core.history.page()
    view = await open_tab("notes:who")
    assert dict(view.lines)["Gemini CLI"] == "Not shown"
    assert "earlier results of the tool: 1" in view.note.text()


async def test_its_colours_follow_the_theme(
    open_tab: Callable[[str], Awaitable[ClientsView]], theme: Theme
) -> None:
    view = await open_tab("notes:wordy")

    def colour() -> str:
        item = view.list.topLevelItem(0)
        assert item is not None
        return item.foreground(1).color().name()

    before, scheme = colour(), theme.scheme
    theme.set_scheme("dark" if scheme != "dark" else "light")
    try:
        assert colour() != before
    finally:
        theme.set_scheme(scheme)
