"""When a request is sent again."""

from __future__ import annotations

import pytest

from desktop.features.chat.llm.services.limits import RetryPolicy

RETRIES = RetryPolicy(attempts=6, seconds=20, first=1, longest=5, chance=lambda: 0.5)


def test_waits_double_up_to_a_limit() -> None:
    assert [RETRIES.delay(n, None, 0) for n in range(1, 7)] == [1, 2, 4, 5, 5, None]


@pytest.mark.parametrize(("chance", "seconds"), [(0.0, 0.75), (0.999, 1.2495)])
def test_a_quarter_of_a_wait_is_left_to_chance(chance: float, seconds: float) -> None:
    assert RetryPolicy(first=1, chance=lambda: chance).delay(1, None, 0) == pytest.approx(seconds)


def test_the_wish_of_the_server_counts_unless_it_is_too_much() -> None:
    assert RETRIES.delay(1, 0.0, 0) == 0
    assert RETRIES.delay(1, 19, 1) == 19
    assert RETRIES.delay(1, 19, 2) is None
    assert RETRIES.delay(1, None, 19.5) is None
