"""Arithmetic that is bounded and exact where it can be, and expressions that cannot take long."""

from __future__ import annotations

import operator

import pytest

from builtin_servers.arithmetic import (
    MAX_LENGTH,
    apply_operation,
    divide,
    evaluate_expression,
    format_number,
    power,
    simplify_number,
)
from builtin_servers.framework.tool import ToolCallError


def test_whole_numbers_stay_exact() -> None:
    assert apply_operation(operator.mul, 10**20, 10**20) == 10**40
    assert apply_operation(power, 2, 1000) == 2**1000


def test_division_by_zero_is_said() -> None:
    with pytest.raises(ToolCallError, match="Division by zero"):
        apply_operation(divide, 1, 0)
    with pytest.raises(ToolCallError, match="Division by zero"):
        apply_operation(power, 0, -1)


@pytest.mark.parametrize(
    ("base", "exponent"),
    [(9, 9**9), (10, 309), (-10, 309), (2, 1024), (2.5, 10_000), (10**300, 10**300), (1e308, 2)],
)
def test_a_power_that_is_too_large_is_refused_before_it_is_computed(
    base: float, exponent: float
) -> None:
    with pytest.raises(ToolCallError, match="too large"):
        apply_operation(power, base, exponent)


@pytest.mark.parametrize(
    ("base", "exponent", "result"),
    [(1, 10**300, 1), (-1, 10**300 + 1, -1), (0, 10**300, 0), (2, -1, 0.5), (2, -(10**300), 0.0)],
)
def test_a_power_that_fits_is_computed_however_large_its_exponent(
    base: int, exponent: int, result: float
) -> None:
    assert apply_operation(power, base, exponent) == result


def test_a_product_that_is_too_large_is_refused() -> None:
    for product in ((1e308, 10.0), (10**308, 10)):
        with pytest.raises(ToolCallError, match="too large"):
            apply_operation(operator.mul, *product)


def test_a_root_of_a_negative_number_is_no_real_number() -> None:
    with pytest.raises(ToolCallError, match="real number"):
        apply_operation(power, -8, 0.5)


def test_a_whole_result_loses_its_point_and_others_keep_theirs() -> None:
    assert format_number(6.0) == "6"
    assert format_number(0.5) == "0.5"
    assert isinstance(simplify_number(1e300), float)


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("1 + 2 * 3", 7),
        (" (1 + 2) * 3 ", 9),
        ("-2 ** 2", -4),
        ("7 // 2 + 7 % 2", 4),
        ("1e3 / 4", 250),
        ("sqrt(16) + abs(-3)", 7),
        ("max(1, 2, 3) - min(4, 5)", -1),
        ("round(2.567, 2)", 2.57),
        ("round(2.5)", 2),
        ("log(8, 2)", 3),
        ("floor(pi) + ceil(e)", 6),
        ("+5", 5),
        ("1" + "+1" * 150, 151),
    ],
)
def test_arithmetic_is_evaluated(expression: str, value: float) -> None:
    assert evaluate_expression(expression) == pytest.approx(value)


@pytest.mark.parametrize(
    ("expression", "reason"),
    [
        ("", "empty"),
        ("   ", "empty"),
        ("1 +", "does not parse"),
        ("1 / 0", "Division by zero"),
        ("5 % 0", "Division by zero"),
        ("2 ^ 3", r"write \*\*"),
        ("x + 1", "'x' is not known .column 1.; there are pi, e, tau"),
        ("1 + open(1)", "'open' is not a function here .column 5."),
        ("sqrt(-1)", "Not defined for -1"),
        ("sqrt()", "Not defined"),
        ("min(3)", "Not defined"),
        ("sqrt(x=1)", "Call is not allowed"),
        ("(1).real", "Attribute is not allowed"),
        ("().__class__", "Attribute is not allowed"),
        ("[1][0]", "Subscript is not allowed"),
        ("[x for x in (1,)]", "ListComp is not allowed"),
        ("lambda: 1", "Lambda is not allowed"),
        ("True", "Constant is not allowed"),
        ("'a' * 9", "Constant is not allowed"),
        ("1j", "Constant is not allowed"),
        ("1 < 2", "Compare is not allowed"),
        ("1 << 99", "LShift is not allowed"),
        ("~1", "UnaryOp is not allowed"),
        ("(a := 1)", "NamedExpr is not allowed"),
        ("__import__('os')", "is not a function here"),
        ("max(*[1])", "Starred is not allowed"),
        ("1; 2", "does not parse"),
        ("1\x002", "does not parse"),
        ("1e999", "too large"),
        ("round(1, 9**300)", "at most 300 digits"),
        ("exp(1000)", "too large"),
    ],
)
def test_all_else_is_refused_with_the_reason(expression: str, reason: str) -> None:
    with pytest.raises(ToolCallError, match=reason):
        evaluate_expression(expression)


@pytest.mark.parametrize(
    "expression",
    [
        "9**9**9",
        "9**9**9**9",
        "(9**9)**(9**9)",
        "2**1023*2",
        "9" * MAX_LENGTH,
        "-" * (MAX_LENGTH - 1) + "1",
        "(" * 499 + "1" + ")" * 499,
        "1" * 600 + "**" + "1" * 300,
        "round(1, -" + "9" * 300 + ")",
        "1" + "+1" * 499,
        "1" * (MAX_LENGTH + 1),
    ],
)
def test_no_expression_blows_up(expression: str) -> None:
    with pytest.raises(ToolCallError):
        evaluate_expression(expression)
