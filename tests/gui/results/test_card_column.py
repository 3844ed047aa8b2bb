from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QLabel

from desktop.gui.results.card_column import MOST_CARDS, CardColumn

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot


def test_each_item_has_a_card_up_to_a_limit_that_is_told(qtbot: QtBot) -> None:
    column = CardColumn("Things")
    qtbot.addWidget(column)
    column.show_cards(range(MOST_CARDS + 3), lambda item: QLabel(str(item)))
    words = [label.text() for label in column.findChildren(QLabel)]
    assert len(words) == MOST_CARDS + 1
    assert words[-1] == "3 more are not shown"


def test_new_cards_replace_the_old_ones(qtbot: QtBot) -> None:
    column = CardColumn("Things")
    qtbot.addWidget(column)
    for item in ("old", "new"):
        column.show_cards([item], QLabel)
    assert [label.text() for label in column.findChildren(QLabel)] == ["new"]
