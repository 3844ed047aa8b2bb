from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton

from desktop.gui.tools.tool_list import ListHint, ToolList
from tests.gui.tools.fakes import tool

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme


def test_the_step_is_a_button(qtbot: QtBot) -> None:
    hint = ListHint()
    hint.set_text("Nothing", "Because.", "Do something")
    qtbot.addWidget(hint)
    asked: list[None] = []
    hint.step_requested.connect(lambda: asked.append(None))
    QTest.mouseClick(hint.findChildren(QPushButton)[0], Qt.MouseButton.LeftButton)
    assert asked == [None]
    assert [label.text() for label in hint.findChildren(QLabel)] == ["Nothing", "Because."]


MANY = [tool(f"s:t{i:03}") for i in range(200)]


@pytest.fixture
def tools(theme: Theme, qtbot: QtBot) -> ToolList:
    made = ToolList(theme)
    qtbot.addWidget(made)
    made.resize(300, 400)
    made.show()
    return made


def names(tools: ToolList) -> list[str]:
    model = tools.view.model()
    return [model.index(row, 0).data() for row in range(model.rowCount())]


def words(tools: ToolList) -> str:
    return " ".join(label.text() for label in tools.findChildren(QLabel) if label.isVisible())


def test_without_tools_it_offers_the_first_step(tools: ToolList, qtbot: QtBot) -> None:
    assert "No tools yet" in words(tools)
    button = next(b for b in tools.findChildren(QPushButton) if b.isVisible())
    with qtbot.waitSignal(tools.servers_requested):
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def test_typing_filters_and_clearing_shows_all_again(tools: ToolList) -> None:
    tools.replace_tools([tool("a:one"), tool("b:two")])
    assert "2 tools" in words(tools)
    QTest.keyClicks(tools.search_box, "tw")
    assert names(tools) == ["two"]
    assert "1 of 2 tools" in words(tools)
    QTest.keyClicks(tools.search_box, "zz")
    assert "Nothing matches" in words(tools)
    button = next(b for b in tools.findChildren(QPushButton) if b.isVisible())
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert names(tools) == ["one", "two"]


def test_arrows_in_the_search_box_move_the_selection(tools: ToolList) -> None:
    tools.replace_tools(MANY)
    chosen: list[str] = []
    tools.tool_selected.connect(chosen.append)
    box = tools.search_box
    QTest.keyClick(box, Qt.Key.Key_Up)
    QTest.keyClick(box, Qt.Key.Key_Down)
    QTest.keyClick(box, Qt.Key.Key_Up)
    QTest.keyClick(box, Qt.Key.Key_Up)
    assert chosen == ["s:t000", "s:t001", "s:t000"]
    QTest.keyClick(box, Qt.Key.Key_PageDown)
    assert tools.current_key > "s:t003"


def test_enter_goes_on_to_the_best_match(tools: ToolList) -> None:
    tools.replace_tools(MANY)
    QTest.keyClicks(tools.search_box, "t15")
    activated: list[str] = []
    tools.activated.connect(activated.append)
    QTest.keyClick(tools.search_box, Qt.Key.Key_Return)
    QTest.keyClick(tools.view, Qt.Key.Key_Return)
    assert activated == ["s:t150", "s:t150"]


def test_an_update_keeps_selection_and_scroll_position(tools: ToolList) -> None:
    tools.replace_tools(MANY)
    tools.select("s:t100")
    bar = tools.view.verticalScrollBar()
    bar.setValue(bar.maximum() // 2)
    before = tools.view.indexAt(tools.view.viewport().rect().topLeft()).data()
    chosen: list[str] = []
    tools.tool_selected.connect(chosen.append)
    tools.replace_tools([tool("a:new"), *(replace(each) for each in MANY)])
    after = tools.view.indexAt(tools.view.viewport().rect().topLeft()).data()
    assert after == before
    assert tools.view.currentIndex().data() == "t100"
    assert chosen == []


def test_the_selection_returns_with_the_tool(tools: ToolList) -> None:
    tools.replace_tools(MANY)
    tools.select("s:t007")
    QTest.keyClicks(tools.search_box, "t1")
    assert not tools.view.currentIndex().isValid()
    tools.search_box.clear()
    assert tools.view.currentIndex().data() == "t007"
    tools.replace_tools([])
    tools.replace_tools(MANY)
    assert tools.view.currentIndex().data() == "t007"
    assert tools.current_key == "s:t007"
