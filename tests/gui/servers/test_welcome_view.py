from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel

from desktop.config.imports.clients import ClientLocations
from desktop.config.imports.reader import discover
from desktop.config.models import AppSettings
from desktop.gui.servers.welcome_view import ARGUMENTS, SERVER, TOOL, FirstCall, WelcomeView
from tests.config.imports.conftest import HOME
from tests.gui.waiting import noted

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme
    from tests.gui.servers.conftest import OpenPanel


async def test_the_calculator_is_ready_once_its_tools_are_there(open_panel: OpenPanel) -> None:
    panel = open_panel()
    first = FirstCall(panel.page, panel.core.service)
    ready = noted(first.prepared)
    panel.core.store.set_enabled(SERVER, True)
    first.start()
    assert ready == []
    await panel.until_words(SERVER, "Connected")
    assert ready == [(TOOL, ARGUMENTS)]
    assert panel.core.registry.get(TOOL) is not None
    first.start()
    assert len(ready) == 2


async def test_who_leaves_the_page_meanwhile_is_not_taken_away(open_panel: OpenPanel) -> None:
    panel = open_panel()
    first = FirstCall(panel.page, panel.core.service)
    ready = noted(first.prepared)
    panel.core.store.set_enabled(SERVER, True)
    first.start()
    panel.page.hide()
    await panel.until_words(SERVER, "Connected")
    assert ready == []


LEFT = Qt.MouseButton.LeftButton


def shown(qtbot: QtBot, theme: Theme) -> WelcomeView:
    view = WelcomeView(theme)
    qtbot.addWidget(view)
    view.show()
    return view


def words(view: WelcomeView) -> str:
    return "\n".join(label.text() for label in view.findChildren(QLabel))


def test_each_step_says_that_it_was_taken(qtbot: QtBot, theme: Theme) -> None:
    view = shown(qtbot, theme)
    signals = view.calculator_requested, view.add_requested, view.import_requested
    taken = [noted(signal) for signal in signals]
    for button in (view.try_calculator, view.add, view.other_file):
        QTest.mouseClick(button, LEFT)
    assert taken == [[()], [()], [("",)]]


def test_other_apps_are_offered_with_their_counts(qtbot: QtBot, theme: Theme) -> None:
    view = shown(qtbot, theme)
    assert "Looking for other apps" in words(view)
    found = discover(ClientLocations(HOME, {}, "linux"), AppSettings())
    view.show_found(found)
    taken = noted(view.import_requested)
    assert [app.text() for app in view.apps] == [
        *("Claude Desktop (2)", "Claude Code (3)", "Cursor (2)")
    ]
    assert view.other_file.text() == f"{sum(bool(app.count) for app in found) - 3} more…"
    QTest.mouseClick(view.apps[2], LEFT)
    assert taken == [("cursor",)]
    view.show_found([])
    assert view.apps == []
    assert view.other_file.text() == "Import from a file…"


def test_without_the_calculator_its_step_is_gone(qtbot: QtBot, theme: Theme) -> None:
    view = shown(qtbot, theme)
    view.set_calculator(False)
    assert not view.try_calculator.isVisible()
    assert view.add.isVisible()
