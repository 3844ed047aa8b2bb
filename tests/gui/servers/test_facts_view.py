from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.gui.servers.facts_view import ServerInfoView

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot


def test_facts_come_and_go_and_only_the_present_ones_have_a_value(qtbot: QtBot) -> None:
    view = ServerInfoView()
    qtbot.addWidget(view)
    view.show_facts({"Command": "npx -y x"}, {"PID": "12"})
    assert view.value("Command") == "npx -y x"
    assert view.value("PID") == "12"
    view.show_facts({"Command": "npx -y x"}, {"Memory": "3 MB"})
    assert view.value("PID") == ""
    assert view.value("Memory") == "3 MB"


def test_a_value_of_any_length_takes_a_bounded_room(qtbot: QtBot) -> None:
    view = ServerInfoView()
    qtbot.addWidget(view)
    view.show_facts({"Command": "x" * 100_000}, {})
    assert len(view.value("Command")) < 1000
