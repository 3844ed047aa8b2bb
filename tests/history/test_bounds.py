"""The measure of a value is rough, and takes no time for a huge one."""

from __future__ import annotations

import json
from typing import Any

import pytest

from desktop.history.bounds import json_size


@pytest.mark.parametrize(
    "value",
    [{"a": [1, 2, {"b": "text"}]}, ["x" * 100] * 50, {"key": "v" * 5000}, list(range(1000)), None],
)
def test_the_size_is_near_that_of_the_text(value: Any) -> None:
    assert len(json.dumps(value)) / 3 < json_size(value, 10**9) < 3 * len(json.dumps(value)) + 10


def test_counting_stops_beyond_the_limit() -> None:
    one, many = ["x" * 100], ["x" * 100] * 10
    assert json_size(many, 10_000) > 9 * json_size(one, 10_000)
    assert 200 < json_size(many, 100) < 400


def test_depth_is_no_danger() -> None:
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    assert json_size(deep, 10_000_000) > 100_000
