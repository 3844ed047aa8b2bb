"""The chosen tool and what is typed are there again in the next run, but no secret."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtTest import QTest

from desktop.gui.tools.page import ToolsPage
from tests.gui.tools.fakes import FakeRegistry, FakeRunner, tool
from tests.gui.tools.tools_page import (
    CONTROL,
    ECHO,
    OTHER,
    PING,
    choose,
    press_run,
    run_to_its_end,
    type_text,
    view,
)
from tests.gui.waiting import turns

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme


SECRET = tool(
    "one:login",
    {
        "type": "object",
        "properties": {
            "user": {"type": "string"},
            "count": {"type": "integer"},
            "password": {"type": "string"},
        },
    },
)


class Runs:
    """Makes the page anew on the same file, as the next run of the app does."""

    def __init__(self, theme: Theme, settings: QSettings, qtbot: QtBot) -> None:
        self._theme, self._settings, self._qtbot = theme, settings, qtbot

    def next(self, registry: FakeRegistry) -> ToolsPage:
        file = self._settings.fileName()
        self._settings.sync()
        settings = QSettings(file, QSettings.Format.IniFormat)
        made = ToolsPage(registry, FakeRunner(ECHO, PING, OTHER, SECRET), self._theme, settings)
        self._qtbot.addWidget(made)
        made.resize(1000, 700)
        made.show()
        return made


@pytest.fixture
def runs(theme: Theme, settings: QSettings, qtbot: QtBot) -> Runs:
    return Runs(theme, settings, qtbot)


def test_the_chosen_tool_and_what_is_typed_are_there_again_in_the_next_run(
    page: ToolsPage, registry: FakeRegistry, runs: Runs
) -> None:
    choose(page, "ping")
    choose(page, "echo")
    type_text(page, "hello\nthere")
    page.hide()

    again = runs.next(registry)

    assert view(again).tool == ECHO
    assert view(again).form.value() == {"text": "hello\nthere"}
    assert again.tool_list.view.currentIndex().data() == "echo"


def test_what_is_typed_is_kept_also_if_the_app_does_not_end_as_it_should(
    page: ToolsPage, registry: FakeRegistry, runs: Runs, qtbot: QtBot
) -> None:
    choose(page, "echo")
    type_text(page, "hello")

    qtbot.waitUntil(lambda: bool(page.remembered.input_of("one:echo")))

    assert view(runs.next(registry)).form.value() == {"text": "hello"}


def test_what_is_typed_for_other_tools_is_there_again_too(
    page: ToolsPage, registry: FakeRegistry, runs: Runs
) -> None:
    choose(page, "echo")
    type_text(page, "hello")
    choose(page, "ping")

    again = runs.next(registry)

    assert view(again).tool == PING
    assert choose(again, "echo").form.value() == {"text": "hello"}


def test_no_secret_is_written_and_its_field_is_empty_in_the_next_run(
    registry: FakeRegistry, runs: Runs, settings: QSettings
) -> None:
    registry.replace(SECRET)
    page = runs.next(registry)
    choose(page, "login")
    view(page).form.set_value({"user": "me", "count": 3, "password": "hunter2-rabbit"})
    page.hide()

    again = runs.next(registry)

    assert view(again).form.value() == {"user": "me", "count": 3}
    assert "rabbit" not in Path(settings.fileName()).read_text()


def test_a_form_that_was_cleared_stays_empty(
    page: ToolsPage, registry: FakeRegistry, runs: Runs
) -> None:
    choose(page, "echo")
    type_text(page, "hello")
    page.hide()
    again = runs.next(registry)
    QTest.mouseClick(view(again).bar.clear, Qt.MouseButton.LeftButton)
    again.hide()

    assert view(runs.next(registry)).form.value() == {}


def test_the_chosen_tool_is_shown_as_soon_as_its_server_is_there_without_taking_the_keys(
    page: ToolsPage, registry: FakeRegistry, runs: Runs, qtbot: QtBot
) -> None:
    choose(page, "echo")
    registry.replace(OTHER)
    again = runs.next(registry)
    again.activateWindow()
    again.tool_list.search_box.setFocus()
    assert again.view is None

    registry.replace(OTHER, ECHO)
    qtbot.waitUntil(lambda: again.view is not None)

    assert view(again).tool == ECHO
    assert again.tool_list.search_box.hasFocus()


def test_a_tool_that_was_chosen_meanwhile_is_not_replaced(
    page: ToolsPage, registry: FakeRegistry, runs: Runs, qtbot: QtBot
) -> None:
    choose(page, "echo")
    registry.replace(OTHER)
    again = runs.next(registry)
    choose(again, "other")

    with qtbot.waitSignal(again.refreshed):
        registry.replace(OTHER, ECHO)

    assert view(again).tool == OTHER


async def test_a_call_of_the_run_before_takes_a_click_and_a_key(
    page: ToolsPage, registry: FakeRegistry, runs: Runs
) -> None:
    choose(page, "echo")
    type_text(page, "of yesterday")
    await run_to_its_end(page, lambda: press_run(page))
    choose(page, "other")
    page.hide()
    again = runs.next(registry)
    index = again.tool_list.view.model().index(1, 0)
    place = again.tool_list.view.visualRect(index).center()

    QTest.mouseClick(again.tool_list.view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    await turns()
    await run_to_its_end(again, lambda: QTest.keyClick(again, Qt.Key.Key_Return, CONTROL))

    assert view(again).tool == ECHO
    runner = view(again)._runner  # pyright: ignore[reportPrivateUsage]
    assert isinstance(runner, FakeRunner)
    assert runner.calls[0].arguments == {"text": "of yesterday"}
