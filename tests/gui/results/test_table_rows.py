from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from desktop.gui.results.table_rows import (
    MISSING,
    MOST_COLUMNS,
    Table,
    cell,
    cell_text,
    compact,
    ordered,
    table_of,
)


def table(value: Any) -> Table:
    found = table_of(value)
    assert found is not None
    return found


def column(values: list[Any]) -> Table:
    return Table(("c",), [{} if value is MISSING else {"c": value} for value in values])


def order_of(found: Table, name: str, *, descending: bool = False) -> list[int]:
    steps = ordered(found, name, descending=descending)
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
    assert (len(found.columns), found.more) == (MOST_COLUMNS, 501 - MOST_COLUMNS)


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
            assert [cell(found.rows[number], "c") for number in order] == wanted


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
        assert all(len(cell_text(cell(row, name))) < 2_000 for row in rows)


def test_what_is_huge_or_deep_is_cut() -> None:
    deep: list[Any] = []
    for _ in range(50_000):
        deep = [deep]
    assert compact(deep) == "[[[[[[[…]]]]]]]"
    assert len(compact([{"k" * 10_000: "v" * 10_000}] * 1000)) < 1_000
    assert json.loads(compact(["a", None, True])) == ["a", None, True]
