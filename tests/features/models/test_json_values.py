"""Values from strangers: read without trust, copied or refused."""

from __future__ import annotations

import json
from typing import Any

import pytest

from desktop.features.models.json_values import (
    MAX_DEPTH,
    NotSerializableError,
    as_count,
    as_index,
    as_list,
    as_object,
    as_objects,
    as_text,
    copy_json,
    is_encodable,
    plain_text,
)
from tests.features.models.fixtures import nested_value


def test_a_copy_is_equal_and_shares_nothing() -> None:
    value = json.loads('{"a": [1, 2.5, null, true, "ü", {"b": []}], "big": 1152921504606846976}')
    copy = copy_json(value)
    assert copy == value
    assert copy["a"][5] is not value["a"][5]


@pytest.mark.parametrize(
    ("value", "why"),
    [
        (float("nan"), "finite"),
        ([float("inf")], "finite"),
        ({"\ud800": 1}, "encoded"),
        ("\ud800", "encoded"),
        (10**400, "too large"),
        (nested_value(MAX_DEPTH + 1, 1), "deeply"),
        ([0] * 30_000, "too large"),
        ({1, 2}, "not JSON"),
    ],
)
def test_what_no_request_can_carry_is_refused_with_the_reason(value: Any, why: str) -> None:
    with pytest.raises(NotSerializableError, match=why):
        copy_json(value)


def test_text_loses_only_what_cannot_be_sent() -> None:
    assert plain_text("Größe 名\n\tx") == "Größe 名\n\tx"
    assert plain_text("a\x00b\x1bc\x7f\ud800") == "abc?"
    assert not is_encodable("\ud800")


def test_what_is_of_another_kind_counts_as_not_there() -> None:
    assert (as_object([1]), as_list({}), as_text(None)) == ({}, [], "")
    assert as_objects([{"a": 1}, 2, None]) == [{"a": 1}]
    assert [as_index(each) for each in (2, [2], None)] == [2, -1, -1]
    assert [as_count(each) for each in (3, -3, True, "3", None, 3.5)] == [3, 0, 0, 0, 0, 0]
