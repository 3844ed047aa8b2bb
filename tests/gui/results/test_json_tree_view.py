from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu, QTreeView

from desktop.gui.results.json_tree_view import (
    MAX_ROWS,
    JsonTreeModel,
    JsonTreeView,
    expand_to,
    reveal,
)
from desktop.gui.results.saving import SaveDialog
from tests.patience import LIMIT

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme


def tree_of(value: Any, theme: Theme, qtbot: QtBot) -> tuple[QTreeView, JsonTreeModel]:
    tree = QTreeView()
    qtbot.addWidget(tree)
    model = JsonTreeModel(theme, tree)
    tree.setModel(model)
    model.show_value(value)
    return tree, model


def test_a_tree_is_opened_to_a_level(theme: Theme, qtbot: QtBot) -> None:
    tree, model = tree_of({"a": {"b": {"c": 1}}}, theme, qtbot)
    assert expand_to(tree, model, 2)
    assert tree.isExpanded(model.index_of(("a",)))
    assert not tree.isExpanded(model.index_of(("a", "b")))
    assert expand_to(tree, model, 0)
    assert not tree.isExpanded(model.index(0, 0))


def test_no_more_is_opened_than_can_be_at_once(theme: Theme, qtbot: QtBot) -> None:
    tree, model = tree_of([list(range(100)) for _ in range(400)], theme, qtbot)
    assert not expand_to(tree, model, 2)
    opened = sum(tree.isExpanded(model.index_of((n,))) for n in range(400))
    assert 0 < opened <= MAX_ROWS // 100


def test_a_value_is_revealed(theme: Theme, qtbot: QtBot) -> None:
    tree, model = tree_of([{"x": n} for n in range(2000)], theme, qtbot)
    index = model.index_of((1234, "x"))
    reveal(tree, index)
    assert tree.currentIndex() == index
    assert tree.isExpanded(index.parent())


CTRL = Qt.KeyboardModifier.ControlModifier


def view(theme: Theme, qtbot: QtBot, value: Any) -> JsonTreeView:
    made = JsonTreeView(theme)
    qtbot.addWidget(made)
    made.show_value(value)
    made.resize(500, 300)
    made.show()
    return made


async def test_value_path_and_key_of_the_row_are_copied(theme: Theme, qtbot: QtBot) -> None:
    shown = view(theme, qtbot, {"a": ["x", 2]})
    clipboard = QGuiApplication.clipboard()
    QTest.keyClick(shown.tree, Qt.Key.Key_Down)
    shown.copy_value.trigger()
    assert shown.copying is not None
    await asyncio.wait_for(shown.copying, LIMIT)
    assert json.loads(clipboard.text()) == ["x", 2]
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Right):
        QTest.keyClick(shown.tree, key)
    for action, text in (
        (shown.copy_path, "a[0]"),
        (shown.copy_key, "0"),
        (shown.copy_value, "x"),
    ):
        action.trigger()
        assert clipboard.text() == text
    assert shown.path.text() == "a[0]"


def test_a_hundred_thousand_items_open_as_ranges(theme: Theme, qtbot: QtBot) -> None:
    shown = view(theme, qtbot, list(range(100_000)))
    root = shown.model.index(0, 0)
    assert shown.tree.isExpanded(root)
    assert shown.model.rowCount(root) == 200
    shown.tree.expand(shown.model.index(199, 0, root))
    assert shown.model.rowCount(shown.model.index(199, 0, root)) == 500


def test_the_search_goes_through_what_is_not_open_too(theme: Theme, qtbot: QtBot) -> None:
    shown = view(theme, qtbot, [{"name": f"item {n}"} for n in range(20_000)])
    QTest.keyClick(shown.tree, Qt.Key.Key_F, CTRL)
    QTest.keyClicks(shown.find_bar.field, "item 19998")
    qtbot.waitUntil(lambda: shown.path.text() == "[19998].name")
    QTest.keyClick(shown.find_bar.field, Qt.Key.Key_Escape)
    assert not shown.find_bar.isVisible()


def test_it_is_opened_to_a_level_and_what_is_too_much_is_said(theme: Theme, qtbot: QtBot) -> None:
    shown = view(theme, qtbot, [list(range(100)) for _ in range(200)])
    shown.levels[1].trigger()
    assert "2000 rows" in shown.note.text()
    shown.levels[0].trigger()
    assert not shown.note.isVisible()


async def test_the_value_is_saved(theme: Theme, qtbot: QtBot, tmp_path: Path) -> None:
    shown = view(theme, qtbot, {"ü": 1})
    shown.save.click()
    dialog = shown.findChildren(SaveDialog)[0]
    dialog.fileSelected.emit(str(tmp_path / "x.json"))
    dialog.reject()
    assert dialog.writing is not None
    await asyncio.wait_for(dialog.writing, LIMIT)
    assert json.loads((tmp_path / "x.json").read_bytes()) == {"ü": 1}


def test_the_menu_offers_the_copies(theme: Theme, qtbot: QtBot) -> None:
    shown = view(theme, qtbot, [1])
    before = set(shown.findChildren(QMenu))
    shown.tree.customContextMenuRequested.emit(QPoint(5, 5))
    (menu,) = set(shown.findChildren(QMenu)) - before
    texts = [action.text() for action in menu.actions()]
    assert texts == ["Copy value", "Copy path", "Copy key"]
    menu.close()
