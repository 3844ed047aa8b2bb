from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.gui.servers.transport_choice import TransportChoice

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot


def test_a_choice_is_told_and_one_by_the_program_is_not(qtbot: QtBot) -> None:
    choice, told = TransportChoice(), list[str]()
    qtbot.addWidget(choice)
    choice.changed.connect(told.append)
    choice.choose("sse")
    assert choice.chosen == "sse"
    choice.buttons["http"].click()
    assert choice.chosen == "http"
    assert told == ["http"]
