from __future__ import annotations

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


@pytest.fixture
def note(around: QWidget) -> ChangeNote:
    made = ChangeNote(around)
    made.note([("a", "1"), ("a", "2"), ("b", "1")])
    return made


def test_a_server_that_changes_its_list_is_named_with_what_came_and_went(note: ChangeNote) -> None:
    note.note([("a", "2"), ("a", "3"), ("a", "4"), ("b", "1")])
    assert note.isVisible()
    assert note.text().startswith("a changed its list at ")
    assert note.text().endswith(": 2 new, 1 gone")


def test_servers_that_come_and_go_change_nothing(note: ChangeNote) -> None:
    note.note([("b", "1"), ("c", "1")])
    note.note([("a", "9"), ("b", "1"), ("c", "1")])
    assert not note.isVisible()


def test_what_the_person_switches_off_is_no_change_of_the_server(note: ChangeNote) -> None:
    note.note([("a", "1"), ("b", "1")], {"a": "without 2"}.get)
    assert not note.isVisible()
    note.note([("a", "1"), ("a", "5"), ("b", "1")], {"a": "without 2"}.get)
    assert note.text().endswith(": 1 new, 0 gone")


def test_a_name_cannot_hide_letters(note: ChangeNote) -> None:
    note.note([("e\u202ef", "1")])
    note.note([("e\u202ef", "2")])
    assert note.text().startswith("e⟨U+202E⟩f changed")
