from __future__ import annotations

from typing import Any

import pytest

from desktop.gui.form.json_shape import list_of, names_of, object_of, same

VALUES: list[Any] = [0, 0.0, False, "", None, [], {}, [1], [True], {"a": 1}, {"a": 1.0}, {"b": 1}]


@pytest.mark.parametrize("one", VALUES)
def test_a_value_is_the_same_as_itself_alone(one: Any) -> None:
    assert [same(one, other) for other in VALUES].count(True) == 1


def test_what_is_of_another_shape_counts_as_empty() -> None:
    assert (object_of([1]), list_of({"a": 1}), names_of("ab")) == ({}, [], [])
    assert names_of(["a", 1, "a", None, "b"]) == ["a", "b"]
