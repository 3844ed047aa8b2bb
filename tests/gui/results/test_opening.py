from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtWidgets import QTreeView

from desktop.gui.results.json_tree_model import JsonTreeModel
from desktop.gui.results.opening import MOST_ROWS, expand_to, reveal

if TYPE_CHECKING:
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
    assert 0 < opened <= MOST_ROWS // 100


def test_a_value_is_revealed(theme: Theme, qtbot: QtBot) -> None:
    tree, model = tree_of([{"x": n} for n in range(2000)], theme, qtbot)
    index = model.index_of((1234, "x"))
    reveal(tree, index)
    assert tree.currentIndex() == index
    assert tree.isExpanded(index.parent())
