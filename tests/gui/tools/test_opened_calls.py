"""A past call is opened in its tool, also where that is gone or was never known."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from PySide6.QtCore import QSettings, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from desktop.gui.tools.page import ToolsPage
from tests.gui.tools.fakes import TEXT_SCHEMA, FakeRegistry, FakeRunner, after, tool
from tests.gui.tools.tools_page import ECHO, OTHER, choose, type_text, view, words

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme


def test_a_past_call_is_opened_and_what_was_typed_can_be_put_back(page: ToolsPage) -> None:
    choose(page, "echo")
    type_text(page, "mine")
    QApplication.processEvents()
    choose(page, "ping")
    page.open_call("one:echo", {"text": "then"})
    assert page.tool_list.current_key == "one:echo"
    assert view(page).form.value() == {"text": "then"}
    QTest.mouseClick(view(page).replaced.action, Qt.MouseButton.LeftButton)
    assert view(page).form.value() == {"text": "mine"}


def test_a_call_is_opened_before_the_page_was_ever_seen(
    registry: FakeRegistry, runner: FakeRunner, theme: Theme, settings: QSettings, qtbot: QtBot
) -> None:
    page = ToolsPage(registry, runner, theme, settings)
    qtbot.addWidget(page)
    page.open_call("one:echo", {"text": "then"})
    assert view(page).form.value() == {"text": "then"}
    assert view(page).is_worth_keeping


async def test_a_call_of_a_tool_that_is_gone_shows_the_tool_as_it_was(
    page: ToolsPage, registry: FakeRegistry
) -> None:
    await after(page.refreshed, lambda: registry.replace(OTHER))
    page.open_call("one:echo", {"text": "then"})
    assert view(page).tool == ECHO
    assert view(page).form.value() == {"text": "then"}
    assert "unavailable" in words(view(page))
    assert not view(page).bar.run.isEnabled()
    await after(page.refreshed, lambda: registry.replace(OTHER, ECHO))
    assert view(page).bar.run.isEnabled()
    assert view(page).form.value() == {"text": "then"}


async def test_a_call_of_a_tool_nobody_knows_keeps_its_arguments(
    page: ToolsPage, registry: FakeRegistry
) -> None:
    page.open_call("gone:never", {"text": "then", "n": [1]})
    shown = view(page)
    assert "This tool is unavailable: its server" in words(shown)
    shown.exchange.copy("arguments")
    assert json.loads(QApplication.clipboard().text()) == {"text": "then", "n": [1]}
    await after(page.refreshed, lambda: registry.replace(ECHO, tool("gone:never", TEXT_SCHEMA)))
    assert view(page) is shown
    assert shown.form.value() == {"text": "then", "n": [1]}
    assert "not known" not in words(shown)
