from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QWidget

from desktop.gui.rail import SERVERS, SETTINGS, TOOLS, Rail

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme


PAGES = (("servers", SERVERS), ("tools", TOOLS), ("settings", SETTINGS))


@pytest.fixture
def rail(qtbot: QtBot, theme: Theme) -> Iterator[Rail]:
    host = QWidget()
    qtbot.addWidget(host)
    made = Rail(theme)
    made.setParent(host)
    for page, title in PAGES:
        made.add(page, title, page)
    made.mark("servers")
    host.show()
    yield made
    host.close()


def test_a_click_chooses_a_page(rail: Rail) -> None:
    chosen: list[str] = []
    rail.page_requested.connect(chosen.append)
    QTest.mouseClick(rail.button("tools"), Qt.MouseButton.LeftButton)

    assert chosen == ["tools"]
    assert rail.button("tools").isChecked()


def test_arrow_keys_choose_the_next_and_the_previous_page(rail: Rail) -> None:
    chosen: list[str] = []
    rail.page_requested.connect(chosen.append)
    rail.button("servers").setFocus()
    QTest.keyClick(rail.button("servers"), Qt.Key.Key_Down)
    QTest.keyClick(rail.button("tools"), Qt.Key.Key_Up)

    assert chosen == ["tools", "servers"]


def test_only_one_page_is_marked(rail: Rail) -> None:
    rail.mark("settings")

    assert [rail.button(page).isChecked() for page, _ in PAGES] == [False, False, True]


def test_each_button_says_its_page_and_its_key(rail: Rail) -> None:
    assert rail.button("tools").text() == "Tools"
    assert rail.button("tools").toolTip() == "Tools (Ctrl+2)"
    assert rail.accessibleName() == "Pages"


def test_news_of_a_page_are_a_sign_on_its_button_and_words_in_its_hint(rail: Rail) -> None:
    width = rail.sizeHint().width()
    rail.set_news("tools", "2", "Two things ask", "warning")
    button = rail.button("tools")
    (sign,) = [label for label in button.findChildren(QLabel) if label.text() == "2"]
    assert sign.isVisible()
    assert rail.sizeHint().width() == width
    assert button.toolTip() == "Tools (Ctrl+2)\nTwo things ask"
    assert button.accessibleDescription() == "Two things ask"
    rail.set_news("tools", "", "", "warning")
    assert not sign.isVisible()
    assert button.toolTip() == "Tools (Ctrl+2)"
