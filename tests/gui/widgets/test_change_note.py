from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import pytest
from PySide6.QtWidgets import QWidget

from desktop.gui.widgets.change_note import ChangeNote

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot


@pytest.fixture
def around(qtbot: QtBot) -> QWidget:
    made = QWidget()
    qtbot.addWidget(made)
    made.show()
    return made


Listed = Sequence[tuple[str, str]]
BEGINNING: Listed = [("a", "1"), ("a", "2"), ("b", "1")]


class Lists:
    """A note, told of lists, each of which stays for a moment."""

    def __init__(self, note: ChangeNote, qtbot: QtBot) -> None:
        self._note, self._qtbot = note, qtbot

    def become(self, *steps: Listed, choice: dict[str, str] | None = None) -> str:
        """What is said after these came in one go; "" for nothing."""
        with self._qtbot.waitSignal(self._note.settled):
            for listed in steps:
                self._note.note(listed, (choice or {}).get)
        return self._note.text() if self._note.isVisible() else ""


@pytest.fixture
def lists(around: QWidget, qtbot: QtBot) -> Lists:
    made = Lists(ChangeNote(around, quiet_ms=1), qtbot)
    assert made.become(BEGINNING) == ""
    return made


def test_a_server_that_changes_its_list_is_named_with_what_came_and_went(lists: Lists) -> None:
    said = lists.become([("a", "2"), ("a", "3"), ("a", "4"), ("b", "1")])

    assert said.startswith("a changed its list at ")
    assert said.endswith(": 2 new, 1 gone")


def test_several_servers_that_change_together_are_counted(lists: Lists) -> None:
    said = lists.become([("a", "2"), ("b", "1")], [("a", "2"), ("b", "1"), ("b", "2")])

    assert said.startswith("2 servers changed their lists at ")
    assert said.endswith(": 1 new, 1 gone")


def test_servers_that_come_and_go_change_nothing(lists: Lists) -> None:
    assert lists.become([("b", "1"), ("c", "1")]) == ""
    assert lists.become([("a", "9"), ("b", "1"), ("c", "1")]) == ""


def test_a_list_that_comes_page_by_page_is_no_change(lists: Lists) -> None:
    pages = [[*BEGINNING, *(("c", str(one)) for one in range(end))] for end in (10, 20, 30)]

    assert lists.become(*pages) == ""


def test_a_server_that_was_away_and_is_back_changes_nothing(lists: Lists) -> None:
    assert lists.become([("b", "1")], [("b", "1"), ("a", "7")]) == ""


def test_what_the_person_switches_off_is_no_change_of_the_server(lists: Lists) -> None:
    choice = {"a": "without 2"}
    assert lists.become([("a", "1"), ("b", "1")], choice=choice) == ""
    said = lists.become([("a", "1"), ("a", "5"), ("b", "1")], choice=choice)
    assert said.endswith(": 1 new, 0 gone")


def test_a_name_cannot_hide_letters_nor_take_the_room(lists: Lists) -> None:
    assert lists.become([("e\u202ef", "1")]) == ""
    assert lists.become([("e\u202ef", "2")]).startswith("e⟨U+202E⟩f changed")
    lists.become([("x" * 5000, "1")])
    assert len(lists.become([("x" * 5000, "2")])) < 200
