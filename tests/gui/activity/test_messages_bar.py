"""The row above the messages: servers come and go, the chosen one stays."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from desktop.gui.activity.messages_bar import MessagesBar

if TYPE_CHECKING:
    from PySide6.QtCore import QSettings
    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme


@pytest.fixture
def bar(theme: Theme, settings: QSettings, qtbot: QtBot) -> MessagesBar:
    made = MessagesBar(theme, settings)
    qtbot.addWidget(made)
    return made


def test_the_chosen_server_stays_though_it_is_gone(bar: MessagesBar) -> None:
    changes: list[str] = []
    bar.set_servers({"b", "A"})
    assert [bar.server.itemText(at) for at in range(3)] == ["All servers", "A", "b"]
    bar.server.setCurrentText("b")
    bar.changed.connect(lambda: changes.append("changed"))
    bar.set_servers({"A", "c"})
    assert (bar.filter.server, changes) == ("b", [])
    bar.reset()
    assert (bar.filter.server, bool(changes)) == ("", True)


def test_the_filter_has_room_to_type_in_at_each_width_of_the_window(bar: MessagesBar) -> None:
    bar.show_counts(3, 9, 0)
    bar.show()
    for width in (780, 1060, 1800):  # of windows of 900, 1180 and 1920 pixels
        bar.resize(width, 40)
        assert bar.width() == width
        assert bar.text.width() >= 200
        assert bar.pause.accessibleName() == "Pause"
        assert (bar.pause.text() or bar.pause.toolTip()).startswith("Pause")


def test_counts_are_told(bar: MessagesBar) -> None:
    bar.show_counts(3, 3, 0)
    assert bar.count.text() == "3 messages"
    bar.show_counts(3, 9, 0)
    assert bar.count.text() == "3 of 9"
    bar.pause.click()
    bar.show_counts(3, 9, 5)
    assert bar.count.text() == "5 new while paused"
    bar.show_counts(0, 0, 0)
    assert not bar.export.isEnabled()


def test_an_unknown_choice_of_an_older_run_is_none(
    theme: Theme, settings: QSettings, qtbot: QtBot
) -> None:
    settings.setValue("activity/messages/kind", "nonsense")
    made = MessagesBar(theme, settings)
    qtbot.addWidget(made)
    assert made.filter.kind == ""
