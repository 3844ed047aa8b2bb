from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QLabel, QWidget

from desktop.gui.layouts import in_column
from desktop.gui.widgets.visibility import WholeArea
from tests.gui.waiting import turns

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme


async def test_what_is_long_is_shown_whole_where_there_is_room_and_scrolls_where_not(
    qtbot: QtBot, theme: Theme
) -> None:
    page, words = QWidget(), QLabel("words " * 60)
    qtbot.addWidget(page)
    words.setWordWrap(True)
    area = WholeArea(words, page)
    in_column(page, area, QLabel("below"))
    page.resize(300, 600)
    page.show()
    await turns()
    assert area.verticalScrollBar().maximum() == 0
    assert area.height() >= words.heightForWidth(words.width())
    page.resize(300, 100)
    await turns()
    assert area.verticalScrollBar().maximum() > 0
    assert words.height() >= words.heightForWidth(words.width())


async def test_it_is_hidden_and_shown_with_what_is_in_it(qtbot: QtBot, theme: Theme) -> None:
    page, words = QWidget(), QLabel("words")
    qtbot.addWidget(page)
    words.hide()
    area = WholeArea(words, page)
    in_column(page, area)
    page.show()
    assert area.isHidden()
    assert words.isHidden()
    words.show()
    assert words.isVisible()
    assert area.isVisible()
    words.hide()
    assert area.isHidden()
