"""Arithmetic that is bounded, exact where it can be, and speaks when it cannot."""

from __future__ import annotations

import operator

import pytest

from builtin_servers.arithmetic import apply, divide, power, show, simplify
from builtin_servers.call import ToolError


def test_whole_numbers_stay_exact() -> None:
    assert apply(operator.mul, 10**20, 10**20) == 10**40
    assert apply(power, 2, 1000) == 2**1000


def test_division_by_zero_is_said() -> None:
    with pytest.raises(ToolError, match="Division by zero"):
        apply(divide, 1, 0)
    with pytest.raises(ToolError, match="Division by zero"):
        apply(power, 0, -1)


@pytest.mark.parametrize(
    ("base", "exponent"),
    [(9, 9**9), (10, 309), (-10, 309), (2, 1024), (2.5, 10_000), (10**300, 10**300), (1e308, 2)],
)
def test_a_power_that_is_too_large_is_refused_before_it_is_computed(
    base: float, exponent: float
) -> None:
    with pytest.raises(ToolError, match="too large"):
        apply(power, base, exponent)


@pytest.mark.parametrize(
    ("base", "exponent", "result"),
    [(1, 10**300, 1), (-1, 10**300 + 1, -1), (0, 10**300, 0), (2, -1, 0.5), (2, -(10**300), 0.0)],
)
def test_a_power_that_fits_is_computed_however_large_its_exponent(
    base: int, exponent: int, result: float
) -> None:
    assert apply(power, base, exponent) == result


def test_a_product_that_is_too_large_is_refused() -> None:
    for product in ((1e308, 10.0), (10**308, 10)):
        with pytest.raises(ToolError, match="too large"):
            apply(operator.mul, *product)


def test_a_root_of_a_negative_number_is_no_real_number() -> None:
    with pytest.raises(ToolError, match="real number"):
        apply(power, -8, 0.5)


def test_a_whole_result_loses_its_point_and_others_keep_theirs() -> None:
    assert show(6.0) == "6"
    assert show(0.5) == "0.5"
    assert isinstance(simplify(1e300), float)
