from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop.gui.form.model.json_text import (
    MAX_JSON_LENGTH,
    JsonTextError,
    find_invalid_token,
    find_places,
    is_exact,
    read_json,
    read_number,
    survives_editing,
    write_json,
)

if TYPE_CHECKING:
    from desktop.values.tool_types import JsonPath

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
def test_a_path_leads_to_its_value_or_to_the_nearest_around_it(path: JsonPath, at: str) -> None:
    assert TEXT[find_places(TEXT, [path])[path] :].startswith(at)


def every_path(value: Any, path: JsonPath = ()) -> list[JsonPath]:
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
    assert find_places(" " * (MAX_JSON_LENGTH + 1) + "{}", [("a",)]) == {("a",): 0}


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
    assert find_invalid_token(text) == at


@pytest.mark.parametrize(
    "value", [2**53 + 1, 10**400, 0.1, 1e300, "é\u00a0中", "\ud800", "a\rb", None, [], {}]
)
def test_a_value_comes_back_as_it_was(value: object) -> None:
    assert read_json(write_json(value)) == value


def test_a_number_beyond_floats_stays_exact() -> None:
    assert read_json("1e400") == 10**400
    assert read_number(" 12 ") == 12
    assert isinstance(read_number("1.0"), float)


@pytest.mark.parametrize("text", ["", "x", '"1"', "true", "NaN", "1e999999999", "0x10", "9" * 5000])
def test_what_is_no_number_is_none(text: str) -> None:
    assert read_number(text) is None


def test_lost_digits_are_noticed() -> None:
    assert is_exact("0.1", 0.1)
    assert not is_exact("0.12345678901234567890123", 0.12345678901234567890123)
    assert not is_exact("1e-400", 0.0)


def test_a_mistake_has_its_line_and_column() -> None:
    with pytest.raises(JsonTextError) as caught:
        read_json('{"a": 1,\n "b": ]}')
    assert (caught.value.line, caught.value.column) == (2, 7)


@pytest.mark.parametrize("text", ['{"a": 1, "a": 2}', "Infinity", "[" * 100_000])
def test_what_cannot_be_kept_is_refused(text: str) -> None:
    with pytest.raises(JsonTextError):
        read_json(text)


def test_text_that_an_editor_would_change_is_known() -> None:
    assert survives_editing("a\nb\u00a0\u2028")
    assert not any(survives_editing(text) for text in ("\r\n", "\ud800", "\ufeff", "\0"))
