from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtTest import QAbstractItemModelTester

from desktop.gui.results.json_tree_model import JsonTreeModel

if TYPE_CHECKING:
    from desktop.gui.theme import Theme

MODEL_VALUE = {"text": "t", "number": 1, "flag": True, "list": [1, {"x": None}], "empty": []}


def test_it_keeps_the_contract_of_a_model(theme: Theme) -> None:
    model = JsonTreeModel(theme)
    model.show_value(MODEL_VALUE)
    tester = QAbstractItemModelTester(
        model, QAbstractItemModelTester.FailureReportingMode.Fatal, model
    )
    root = model.index(0, 0)
    model.fetchMore(root)
    model.fetchMore(model.index(3, 0, root))
    assert tester.model() is model
    assert model.rowCount(model.index(3, 0, root)) == 2


def test_rows_exist_only_below_what_was_opened(theme: Theme) -> None:
    model = JsonTreeModel(theme)
    model.show_value(MODEL_VALUE)
    root = model.index(0, 0)
    assert model.rowCount() == 1
    assert (model.rowCount(root), model.hasChildren(root)) == (0, True)
    assert model.canFetchMore(root)
    model.fetchMore(root)
    model.fetchMore(root)
    assert model.rowCount(root) == 5
    assert not model.canFetchMore(root)
    assert not model.hasChildren(model.index(4, 0, root))
    assert model.parent(model.index(3, 1, root)) == root


def test_key_value_and_colour_of_each_row(theme: Theme) -> None:
    model = JsonTreeModel(theme)
    model.show_value(MODEL_VALUE)
    root = model.index(0, 0)
    model.fetchMore(root)
    assert [model.index(row, 0, root).data() for row in range(5)] == list(MODEL_VALUE)
    assert model.index(0, 1, root).data() == '"t"'
    foreground = Qt.ItemDataRole.ForegroundRole
    colors = [model.index(row, 1, root).data(foreground) for row in range(4)]
    tokens = ("success", "accent", "warning", "muted")
    assert colors == [theme.color(token) for token in tokens]
    assert model.headerData(0, Qt.Orientation.Horizontal) == "Key"
    assert model.data(QModelIndex()) is None


def test_a_path_is_opened_down_to_its_value(theme: Theme) -> None:
    model = JsonTreeModel(theme)
    model.show_value({"rows": [{"n": number} for number in range(300_000)]})
    node = model.node(model.index_of(("rows", 250_123, "n")))
    assert node is not None
    assert (node.path, node.value) == ("rows[250123].n", 250_123)


def test_a_path_that_leads_nowhere_ends_at_the_nearest_value(theme: Theme) -> None:
    model = JsonTreeModel(theme)
    model.show_value(MODEL_VALUE)
    nearest = model.node(model.index_of(("list", 7, "x")))
    assert nearest is not None
    assert nearest.path == "list"
