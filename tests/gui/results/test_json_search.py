from __future__ import annotations

import pytest

from desktop.gui.results.json_search import Path, places

VALUE: dict[str, object] = {"name": "Ada", "items": [{"Name": None}, ["x", 12, True]], "ada": {}}


def found(value: object, words: str) -> list[Path]:
    return [place for place in places(value, words) if place is not None]


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
def test_keys_and_values_are_found_from_the_top(words: str, paths: list[Path]) -> None:
    assert found(VALUE, words) == paths


def test_a_value_of_any_depth_is_searched() -> None:
    deep: list[object] = ["end"]
    for _ in range(2_000):
        deep = [deep]
    assert len(found(deep, "end")[0]) == 2_001


def test_a_plain_value_is_found_at_the_root() -> None:
    assert found("some text", "TEXT") == [()]


def test_it_can_be_interrupted() -> None:
    assert None in list(places(list(range(1000)), "no"))
