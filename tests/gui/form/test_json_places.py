from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop.gui.form.json_places import LONGEST, Path, find_places, find_unkept

TEXT = """{
  "name": "a, b: {c}",
  "deep": {
    "list": [1, "two", {"x": null}],
    "empty": {}
  },
  "q\\"uote": []
}"""
JSON = st.recursive(
    st.none() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@pytest.mark.parametrize(
    ("path", "at"),
    [
        ((), "{"),
        (("name",), '"name"'),
        (("deep", "list", 1), '"two"'),
        (("deep", "list", 2, "x"), '"x"'),
        (('q"uote',), '"q\\"uote"'),
        (("deep", "list", 9), '"list"'),
        (("missing",), "{"),
        (("deep", "empty", "missing"), '"empty"'),
    ],
)
def test_a_path_leads_to_its_value_or_to_the_nearest_around_it(path: Path, at: str) -> None:
    assert TEXT[find_places(TEXT, [path])[path] :].startswith(at)


def every_path(value: Any, path: Path = ()) -> list[Path]:
    inner: list[tuple[str | int, Any]] = []
    if isinstance(value, dict):
        inner = list(value.items())  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
    if isinstance(value, list):
        inner = list(enumerate(value))  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
    return [path, *(found for key, each in inner for found in every_path(each, (*path, key)))]


@given(JSON)
def test_every_value_of_every_json_is_found_at_its_own_place(value: Any) -> None:
    text = json.dumps(value, indent=2)
    paths = every_path(value)
    places = find_places(text, paths)
    assert len(set(places.values())) == len(paths)
    for path in paths:
        if path and isinstance(path[-1], str):
            assert text[places[path] :].startswith(json.dumps(path[-1]))


def test_a_text_of_any_length_takes_its_time_by_length_only() -> None:
    text = json.dumps({"a": ["x" * 10] * 60_000})
    assert find_places(text, [("a", 59_999)])[("a", 59_999)] > len(text) - 20
    assert find_places("[" * 900_000, [(0, 0)]) == {(0, 0): 2}
    assert find_places(" " * (LONGEST + 1) + "{}", [("a",)]) == {("a",): 0}


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ('{"a": {"b": 1}, "b": [{"b": 2}], "a": 3}', 33),
        ('{"a": [1, NaN]}', 10),
        ("[[], {}, Infinity]", 9),
        ('{"a": 1}', 0),
    ],
)
def test_what_json_cannot_keep_is_found(text: str, at: int) -> None:
    assert find_unkept(text) == at
