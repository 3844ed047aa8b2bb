from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtTest import QAbstractItemModelTester

from desktop.gui.results.json_tree_view import (
    MAX_CHILDREN,
    JsonTreeModel,
    JsonTreeNode,
    find_in_json,
)

if TYPE_CHECKING:
    from desktop.gui.theme import Theme
    from desktop.values.tool_types import JsonPath

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


VALUE: dict[str, object] = {"name": "Ada", "items": [{"Name": None}, ["x", 12, True]], "ada": {}}


def found(value: object, words: str) -> list[JsonPath]:
    return [place for place in find_in_json(value, words) if place is not None]


@pytest.mark.parametrize(
    ("words", "paths"),
    [
        ("name", [("name",), ("items", 0, "Name")]),
        ("ada", [("name",), ("ada",)]),
        ("12", [("items", 1, 1)]),
        ("true", [("items", 1, 2)]),
        ("null", [("items", 0, "Name")]),
        ("nothing", []),
    ],
)
def test_keys_and_values_are_found_from_the_top(words: str, paths: list[JsonPath]) -> None:
    assert found(VALUE, words) == paths


def test_a_value_of_any_depth_is_searched() -> None:
    deep: list[object] = ["end"]
    for _ in range(2_000):
        deep = [deep]
    assert len(found(deep, "end")[0]) == 2_001


def test_a_plain_value_is_found_at_the_root() -> None:
    assert found("some text", "TEXT") == [()]


def test_it_can_be_interrupted() -> None:
    assert None in list(find_in_json(list(range(1000)), "no"))


def test_children_have_keys_and_paths() -> None:
    root = JsonTreeNode({"a": [10], "b c": None})
    first, second = root.open()
    assert (first.key, first.path, first.summary()) == ("a", "a", "[1]")
    assert (second.path, second.summary()) == ('["b c"]', "null")
    assert first.open()[0].path == "a[0]"


def test_a_long_array_is_opened_in_ranges() -> None:
    root = JsonTreeNode(list(range(100_000)))
    ranges = root.open()
    assert root.child_count == len(ranges) == 100_000 // MAX_CHILDREN
    assert (ranges[3].key, ranges[3].is_range, ranges[3].summary()) == ("1500 … 1999", True, "")
    assert ranges[3].open()[5].path == "[1505]"
    assert ranges[3].shown_value()[:2] == [1500, 1501]


def test_a_huge_array_has_ranges_of_ranges() -> None:
    root = JsonTreeNode([0] * 1_000_000)
    assert root.child_count <= MAX_CHILDREN
    inner = root.open()[1].open()
    assert inner[0].is_range
    assert inner[0].open()[0].path == f"[{MAX_CHILDREN * MAX_CHILDREN}]"


def test_a_long_object_has_ranges_too() -> None:
    root = JsonTreeNode({f"k{i}": i for i in range(1200)})
    last = root.open()[-1]
    assert last.open()[0].path == "k1000"
    assert len(last.shown_value()) == 200


@pytest.mark.parametrize(
    ("value", "words"), [("a\nb", '"a\\nb"'), (True, "true"), (1.5, "1.5"), ({}, "{0}")]
)
def test_a_value_is_one_line(value: object, words: str) -> None:
    assert JsonTreeNode(value).summary() == words
    assert JsonTreeNode(value).child_count == 0


def test_a_long_string_is_cut_to_be_shown_but_kept() -> None:
    node = JsonTreeNode("x" * 10_000)
    assert len(node.summary()) < 400
    assert len(node.shown_value()) == 10_000


def test_a_path_is_as_people_write_it() -> None:
    root = JsonTreeNode({"items": [{"name": "x", "a-b": {"c": 1}}]})
    item = root.open()[0].open()[0]
    assert [node.path for node in item.open()] == ["items[0].name", 'items[0]["a-b"]']
    assert item.open()[1].open()[0].path == 'items[0]["a-b"].c'


@pytest.mark.parametrize(
    ("value", "step", "row"),
    [
        ([1, 2], 1, 1),
        ([1, 2], 2, None),
        ([1, 2], "a", None),
        ({"a": 1, "b": 2}, "b", 1),
        ({"a": 1}, 0, None),
        (list(range(1000)), 700, 1),
        ("text", 0, None),
    ],
)
def test_the_row_that_leads_to_a_child(value: object, step: str | int, row: int | None) -> None:
    assert JsonTreeNode(value).child_at(step) == row
