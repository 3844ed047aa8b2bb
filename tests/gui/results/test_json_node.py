from __future__ import annotations

import pytest

from desktop.gui.results.json_node import RANGE, JsonTreeNode


def test_children_have_keys_and_paths() -> None:
    root = JsonTreeNode({"a": [10], "b c": None})
    first, second = root.open()
    assert (first.key, first.path, first.summary()) == ("a", "a", "[1]")
    assert (second.path, second.summary()) == ('["b c"]', "null")
    assert first.open()[0].path == "a[0]"


def test_a_long_array_is_opened_in_ranges() -> None:
    root = JsonTreeNode(list(range(100_000)))
    ranges = root.open()
    assert root.child_count == len(ranges) == 100_000 // RANGE
    assert (ranges[3].key, ranges[3].is_range, ranges[3].summary()) == ("1500 … 1999", True, "")
    assert ranges[3].open()[5].path == "[1505]"
    assert ranges[3].shown_value()[:2] == [1500, 1501]


def test_a_huge_array_has_ranges_of_ranges() -> None:
    root = JsonTreeNode([0] * 1_000_000)
    assert root.child_count <= RANGE
    inner = root.open()[1].open()
    assert inner[0].is_range
    assert inner[0].open()[0].path == f"[{RANGE * RANGE}]"


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
