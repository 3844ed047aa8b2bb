"""What is packed comes back as it was, is small, and can be compared without being unpacked."""

from __future__ import annotations

import json
from typing import Any

import pytest

from desktop.values.packed_json import JsonPacker, PackedJson

SCHEMA = {"type": "object", "properties": {"b": {"type": "string"}, "a": {"enum": [1, None]}}}


def packed(value: Any, *, compress: bool = False) -> Any:
    packer = JsonPacker()
    (only,) = packer.pack([value])
    if compress:
        packer.compress()
    return only


@pytest.mark.parametrize("compress", [False, True])
@pytest.mark.parametrize(
    "text",
    [
        '{"b": 1, "a": {"d": [], "c": null}}',
        '{"maximum": 123456789012345678901234567890, "minimum": -0.0, "step": 1e-7}',
        '{"1": true, "0": false, "": 1.0}',
        '["\\ud83d\\ude00", "\\ud800", "\\u0000", "ünï"]',
        '{"huge": 1e400}',
    ],
)
def test_a_value_comes_back_to_the_letter(text: str, compress: bool) -> None:
    value = json.loads(text)
    back = packed(value, compress=compress)
    assert isinstance(back, PackedJson)
    assert json.dumps(back.value) == json.dumps(value)


def test_integers_longer_than_json_may_have_come_back() -> None:
    value = {"maximum": 10**5_000}
    assert packed(value).value == value


def test_what_is_too_deep_to_be_packed_stays_as_it_is() -> None:
    value: Any = {}
    for _ in range(10_000):
        value = {"not": value}
    assert packed(value) is value


def test_nothing_and_what_is_empty_stay_as_they_are() -> None:
    empty: dict[str, Any] = {}
    assert JsonPacker().pack([None, empty]) == [None, {}]


def test_who_asks_twice_gets_the_same_object() -> None:
    schema = packed(SCHEMA, compress=True)
    assert schema.value is schema.value


def test_equal_values_are_equal_packed_and_not() -> None:
    one, other = packed(SCHEMA, compress=True), packed(json.loads(json.dumps(SCHEMA)))
    assert one == other
    assert hash(one) == hash(other)
    assert one == SCHEMA
    assert one != packed(SCHEMA | {"required": ["a"]})


def test_thousands_of_schemas_that_are_alike_take_a_tenth_of_their_text() -> None:
    schemas: list[Any] = [SCHEMA | {"title": f"Number {number}"} for number in range(20_000)]
    packer = JsonPacker()
    kept = packer.pack(schemas)
    assert packer.is_large
    before = packer.size
    packer.compress()
    assert packer.size < before / 10
    assert [each.value for each in kept[::999]] == schemas[::999]
