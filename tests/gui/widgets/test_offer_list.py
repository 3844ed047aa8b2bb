from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from desktop.gui.widgets.offer_list import Entry, OfferList
from tests.gui.waiting import noted

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme

ENTRIES = (
    Entry("1", "Guide", "docs", "docs://guide.md"),
    Entry("2", "Notes", "docs", "docs://notes.txt"),
    Entry("3", "Guide", "files", "file:///guide", "template"),
)


@pytest.fixture
def shown(qtbot: QtBot, theme: Theme) -> OfferList:
    made = OfferList(theme)
    qtbot.addWidget(made)
    made.replace(ENTRIES)
    made.show()
    return made


def keys(shown: OfferList) -> list[str]:
    return [entry.key for entry in shown.shown]


def test_every_word_of_the_search_must_occur(shown: OfferList) -> None:
    shown.search_box.setText("GUIDE docs")
    found = keys(shown)
    shown.search_box.setText("guide")

    assert found == ["1"]
    assert keys(shown) == ["1", "3"]
    assert shown.count.text() == "2 of 3"


def test_down_leads_from_the_search_into_the_list_and_enter_opens(shown: OfferList) -> None:
    selected, activated = noted(shown.selected), noted(shown.activated)
    QTest.keyClick(shown.search_box, Qt.Key.Key_Down)
    QTest.keyClick(shown.search_box, Qt.Key.Key_Down)
    QTest.keyClick(shown.view, Qt.Key.Key_Return)

    assert selected == [("1",), ("2",)]
    assert activated == [("2",)]


def test_a_list_that_changes_keeps_what_was_selected(shown: OfferList) -> None:
    shown.select("2")
    selected = noted(shown.selected)
    shown.replace((Entry("0", "New", "docs"), *ENTRIES))

    assert shown.view.currentIndex().row() == 2
    assert selected == []


def test_what_is_selected_from_outside_is_not_hidden_by_the_search(shown: OfferList) -> None:
    shown.search_box.setText("notes")
    shown.select("3")

    assert shown.search_box.text() == ""
    assert shown.view.currentIndex().row() == 2


def test_names_of_servers_cannot_pretend_to_be_others(shown: OfferList) -> None:
    shown.replace((Entry("1", "a\u202eb", "d\u043ecs"),))
    index = shown.view.model().index(0, 0)

    assert index.data() == "a⟨U+202E⟩b"
    assert "U+043E" in index.data(Qt.ItemDataRole.AccessibleTextRole)
