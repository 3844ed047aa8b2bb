from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from desktop.gui.form.schema_form import FormBar

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot


def test_a_pressed_view_is_announced_and_one_set_from_outside_is_not(qtbot: QtBot) -> None:
    bar = FormBar()
    qtbot.addWidget(bar)
    chosen: list[bool] = []
    bar.view_requested.connect(chosen.append)
    QTest.mouseClick(bar.json_button, Qt.MouseButton.LeftButton)
    bar.show_view(is_json=False)
    assert chosen == [True]
    assert not bar.shows_json


def test_a_search_is_there_for_a_long_form_and_stays_while_it_is_used(qtbot: QtBot) -> None:
    bar = FormBar()
    qtbot.addWidget(bar)
    bar.show()
    assert bar.search is None
    bar.offer_search(is_long=True)
    assert bar.search is not None
    QTest.keyClicks(bar.search, "a")
    bar.show_count(1, 20)
    bar.offer_search(is_long=False)
    assert bar.search is not None
    assert bar.count.text() == "1 of 20 fields"
    bar.show_view(is_json=True)
    assert not bar.search.isVisible()
    bar.search.clear()
    bar.offer_search(is_long=False)
    assert bar.search is None
