"""Large values are checked beside the loop, small ones at once."""

from __future__ import annotations

import threading
from typing import Any

from desktop.tools.sizes import LARGE, is_large, off_loop_if_large


def _thread(_: Any, __: Any) -> threading.Thread:
    return threading.current_thread()


def test_the_number_of_values_counts_and_not_their_length() -> None:
    assert not is_large({"text": "x" * 5_000_000})
    assert not is_large([1] * (LARGE - 1))
    assert is_large([1] * LARGE)
    assert is_large({"rows": [{"a": n, "b": [n]} for n in range(LARGE)]})


async def test_only_a_large_value_goes_to_a_thread() -> None:
    here = threading.current_thread()
    assert await off_loop_if_large(_thread, {}, {"a": 1}) is here
    assert await off_loop_if_large(_thread, {}, list(range(LARGE))) is not here
