"""What a stranger sent is read as what it should be, or as nothing."""

from __future__ import annotations

import pytest

from desktop.llm.services.untyped import (
    as_count,
    as_event,
    as_index,
    as_list,
    as_object,
    as_objects,
    as_text,
)


def test_what_is_of_another_kind_counts_as_not_there() -> None:
    assert (as_object([1]), as_list({}), as_text(None)) == ({}, [], "")
    assert as_objects([{"a": 1}, 2, None]) == [{"a": 1}]
    assert [as_index(each) for each in (2, [2], None)] == [2, -1, -1]
    assert [as_count(each) for each in (3, -3, True, "3", None, 3.5)] == [3, 0, 0, 0, 0, 0]


def test_an_event_is_an_object() -> None:
    assert as_event({"a": 1}) == {"a": 1}
    with pytest.raises(ValueError, match="list"):
        as_event([1])
