"""Expressions: what they may say, and that none of them takes long or gets out."""

from __future__ import annotations

import pytest

from builtin_servers.call import ToolError
from builtin_servers.expression import LENGTH_LIMIT, evaluate


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
    assert evaluate(expression) == pytest.approx(value)


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
    with pytest.raises(ToolError, match=reason):
        evaluate(expression)


@pytest.mark.parametrize(
    "expression",
    [
        "9**9**9",
        "9**9**9**9",
        "(9**9)**(9**9)",
        "2**1023*2",
        "9" * LENGTH_LIMIT,
        "-" * (LENGTH_LIMIT - 1) + "1",
        "(" * 499 + "1" + ")" * 499,
        "1" * 600 + "**" + "1" * 300,
        "round(1, -" + "9" * 300 + ")",
        "1" + "+1" * 499,
        "1" * (LENGTH_LIMIT + 1),
    ],
)
def test_no_expression_blows_up(expression: str) -> None:
    with pytest.raises(ToolError):
        evaluate(expression)
