from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester

from desktop.gui.results.table import (
    MAX_COLUMNS,
    MISSING,
    ExportFormat,
    Table,
    TableModel,
    cell_text,
    cell_value,
    compact_json,
    export_rows,
    sorted_rows,
    table_of,
)

if TYPE_CHECKING:
    from desktop.gui.theme import Theme

MODEL_TABLE = Table(("n", "x"), [{"n": 1, "x": "a"}, {"n": 2.5, "x": None}, {"x": [1]}])
DISPLAY = Qt.ItemDataRole.DisplayRole


def shown(model: TableModel) -> list[list[object]]:
    rows, columns = range(model.rowCount()), range(model.columnCount())
    return [[model.index(row, column).data() for column in columns] for row in rows]


def test_it_keeps_the_contract_of_a_model(theme: Theme) -> None:
    model = TableModel(theme)
    mode = QAbstractItemModelTester.FailureReportingMode.Fatal
    tester = QAbstractItemModelTester(model, mode, model)
    model.show_table(MODEL_TABLE)
    model.set_order([2, 0, 1])
    assert tester.model() is model
    assert shown(model) == [["", "[1]"], ["1", "a"], ["2.5", "null"]]


def test_a_row_keeps_its_number_and_columns_their_names(theme: Theme) -> None:
    model = TableModel(theme)
    model.show_table(MODEL_TABLE)
    model.set_order([2, 0, 1])
    assert model.headerData(0, Qt.Orientation.Vertical) == "2"
    assert model.headerData(1, Qt.Orientation.Horizontal) == "x"


def test_numbers_stand_right_and_what_is_not_plain_is_paler(theme: Theme) -> None:
    model = TableModel(theme)
    model.show_table(MODEL_TABLE)
    alignment = model.index(0, 0).data(Qt.ItemDataRole.TextAlignmentRole)
    assert alignment & Qt.AlignmentFlag.AlignRight
    pale = model.index(1, 1).data(Qt.ItemDataRole.ForegroundRole)
    assert pale == theme.color("muted")


def test_asked_to_sort_it_only_says_so(theme: Theme) -> None:
    model = TableModel(theme)
    model.show_table(MODEL_TABLE)
    asked: list[object] = []

    def note(column: int, order: Qt.SortOrder) -> None:
        asked.append((column, order))

    model.sort_requested.connect(note)
    model.sort(1, Qt.SortOrder.DescendingOrder)
    assert asked == [(1, Qt.SortOrder.DescendingOrder)]
    assert list(model.order) == [0, 1, 2]


TABLE = Table(
    ("id", "text"),
    [{"id": 1, "text": 'a "b", c'}, {"text": "x|y\nz\\"}, {"id": None, "text": ["ü", {}]}],
)


@pytest.mark.parametrize(("form", "dialect"), [("csv", "excel"), ("tsv", "excel-tab")])
def test_cells_come_back_whole_from_csv_and_tsv(form: ExportFormat, dialect: str) -> None:
    text = "".join(export_rows(TABLE, [2, 0, 1], form))
    assert list(csv.reader(io.StringIO(text, newline=""), dialect=dialect)) == [
        ["id", "text"],
        ["", '["ü", {}]'],
        ["1", 'a "b", c'],
        ["", "x|y\nz\\"],
    ]


def test_a_markdown_table_has_a_line_for_each_row() -> None:
    assert "".join(export_rows(TABLE, [0, 1], "markdown")).splitlines() == [
        "| id | text |",
        "| --- | --- |",
        '| 1 | a "b", c |',
        "|  | x\\|y z\\\\ |",
    ]


def table(value: Any) -> Table:
    found = table_of(value)
    assert found is not None
    return found


def column(values: list[Any]) -> Table:
    return Table(("c",), [{} if value is MISSING else {"c": value} for value in values])


def order_of(found: Table, name: str, *, descending: bool = False) -> list[int]:
    steps = sorted_rows(found, name, descending=descending)
    return [number for number in steps if number is not None]


def test_an_array_of_objects_is_a_table_with_all_their_keys() -> None:
    assert table([{"a": 1}, {"b": 2, "a": 3}]).columns == ("a", "b")


def test_the_one_table_in_an_object_is_found() -> None:
    found = table({"total": 2, "tags": ["x"], "items": [{"a": 1}]})
    assert (found.columns, found.path) == (("a",), "items")


@pytest.mark.parametrize(
    "value",
    [None, 1, "x", [], [1], [{}], [{"a": 1}, 2], {"a": 1}, {"a": [{"x": 1}], "b": [{"y": 1}]}],
)
def test_other_values_are_no_table(value: Any) -> None:
    assert table_of(value) is None


def test_columns_are_bounded_to_the_most_common() -> None:
    found = table([{"id": 1, f"k{n}": n} for n in range(500)])
    assert found.columns[0] == "id"
    assert (len(found.columns), found.more) == (MAX_COLUMNS, 501 - MAX_COLUMNS)


@pytest.mark.parametrize(
    ("values", "up", "down"),
    [
        ([10, 9, 100.5, -1], [-1, 9, 10, 100.5], [100.5, 10, 9, -1]),
        (["b", "A", "c"], ["A", "b", "c"], ["c", "b", "A"]),
        ([None, 2, MISSING, 1], [1, 2, None, MISSING], [2, 1, None, MISSING]),
        (["x", 3, True, [1]], [3, [1], "x", True], [True, "x", [1], 3]),
        ([10**400, float("nan"), 1], None, None),
    ],
)
def test_rows_are_ordered_by_a_column(values: list[Any], up: Any, down: Any) -> None:
    found = column(values)
    for descending, wanted in ((False, up), (True, down)):
        order = order_of(found, "c", descending=descending)
        assert sorted(order) == list(range(len(values)))
        if wanted is not None:
            assert [cell_value(found.rows[number], "c") for number in order] == wanted


@pytest.mark.parametrize("descending", [False, True])
def test_equal_rows_stay_as_they_came_over_all_blocks(descending: bool) -> None:
    found = column([number % 3 for number in range(20_000)])
    order = order_of(found, "c", descending=descending)
    values = [number % 3 for number in order]
    assert values == sorted(values, reverse=descending)
    ones = [number for number in order if number % 3 == 1]
    assert ones == sorted(ones)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (MISSING, ""),
        (None, "null"),
        ("two\nlines", "two lines"),
        (1.5, "1.5"),
        ({"a": [1, "x"]}, '{a: [1, "x"]}'),
        ([], "[]"),
        ("x" * 1000, "x" * 200 + "…"),
    ],
)
def test_a_cell_is_one_short_line(value: Any, text: str) -> None:
    assert cell_text(value) == text


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=4,
)


@given(st.lists(st.dictionaries(st.text(max_size=3), json_values, max_size=4), max_size=5))
@settings(max_examples=30, deadline=None)
def test_any_rows_can_be_shown_and_ordered(rows: list[Any]) -> None:
    found = table_of(rows)
    for name in found.columns if found else ():
        assert found is not None
        assert sorted(order_of(found, name)) == list(range(len(rows)))
        assert all(len(cell_text(cell_value(row, name))) < 2_000 for row in rows)


def test_what_is_huge_or_deep_is_cut() -> None:
    deep: list[Any] = []
    for _ in range(50_000):
        deep = [deep]
    assert compact_json(deep) == "[[[[[[[…]]]]]]]"
    assert len(compact_json([{"k" * 10_000: "v" * 10_000}] * 1000)) < 1_000
    assert json.loads(compact_json(["a", None, True])) == ["a", None, True]
