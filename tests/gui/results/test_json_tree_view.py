from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu

from desktop.gui.results.json_tree_view import JsonTreeView
from desktop.gui.results.structured import Structured

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme


def view(theme: Theme, qtbot: QtBot, structured: Structured) -> JsonTreeView:
    made = JsonTreeView(theme)
    qtbot.addWidget(made)
    made.show_structured(structured)
    made.resize(500, 300)
    made.show()
    return made


def test_value_and_path_of_the_row_are_copied_by_key(theme: Theme, qtbot: QtBot) -> None:
    shown = view(theme, qtbot, Structured(found=True, value={"a": ["x", 2]}))
    for _ in range(2):
        QTest.keyClick(shown.tree, Qt.Key.Key_Down)
        QTest.keyClick(shown.tree, Qt.Key.Key_Right)
    node = shown.current_node()
    assert node is not None
    shown.copy_path.trigger()
    assert QGuiApplication.clipboard().text() == node.path
    assert node.path.startswith("$.a")
    shown.copy_value.trigger()
    assert "x" in QGuiApplication.clipboard().text()


def test_a_hundred_thousand_items_open_as_ranges(theme: Theme, qtbot: QtBot) -> None:
    shown = view(theme, qtbot, Structured(found=True, value=list(range(100_000))))
    root = shown.model.index(0, 0)
    assert shown.tree.isExpanded(root)
    assert shown.model.rowCount(root) == 200
    shown.tree.expand(shown.model.index(199, 0, root))
    assert shown.model.rowCount(shown.model.index(199, 0, root)) == 500


def test_long_json_is_read_when_asked(theme: Theme, qtbot: QtBot) -> None:
    shown = view(theme, qtbot, Structured(found=False, waiting='{"late": 1}'))
    assert not shown.tree.isVisible()
    QTest.mouseClick(shown.read, Qt.MouseButton.LeftButton)
    assert shown.tree.isVisible()
    assert shown.model.index(0, 0, shown.model.index(0, 0)).data() == "late"


def test_what_only_looked_like_json_says_so(theme: Theme, qtbot: QtBot) -> None:
    shown = view(theme, qtbot, Structured(found=False, waiting="{late}"))
    QTest.mouseClick(shown.read, Qt.MouseButton.LeftButton)
    assert "not JSON" in shown.read.text()
    assert not shown.read.isEnabled()


def test_the_menu_offers_both_copies(theme: Theme, qtbot: QtBot) -> None:
    shown = view(theme, qtbot, Structured(found=True, value=[1]))
    shown.tree.customContextMenuRequested.emit(QPoint(5, 5))
    menu = shown.findChildren(QMenu)[0]
    assert [action.text() for action in menu.actions()] == ["Copy value", "Copy path"]
    menu.close()
