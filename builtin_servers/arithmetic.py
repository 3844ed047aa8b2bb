"""Arithmetic with bounded work and results, and expressions evaluated with it.

Integers stay exact and every result fits into a double: never NaN, never infinity. An expression is
parsed with `ast` and walked node by node, never passed to `eval`; whatever is not on the lists at
the end of this file is refused with its name and column. Raises `ToolCallError` with a sentence for
a person, never an arithmetic error of Python.
"""

from __future__ import annotations

import ast
import math
import operator
import sys
from math import isfinite

from builtin_servers.framework.tool import ToolCallError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

Number = int | float

_MAX_BITS = sys.float_info.max_exp
_MAX_NUMBER = int(sys.float_info.max)
_MAX_EXACT_INTEGER = 2**53
MAX_LENGTH = 1000
MAX_DEPTH = 200
_MAX_DIGITS = 300
_TOO_LARGE = "The result is too large (the limit is about 1.8e308)"


def apply_operation(operation: Callable[..., object], *operands: Number) -> Number:
    """The result of `operation`, checked. Raises `ToolCallError`."""
    try:
        return check_number(operation(*operands))
    except ZeroDivisionError as error:
        raise ToolCallError("Division by zero") from error
    except OverflowError as error:
        raise ToolCallError(_TOO_LARGE) from error
    except (ValueError, TypeError) as error:
        operands_text = ", ".join(format_number(operand) for operand in operands)
        raise ToolCallError(f"Not defined for {operands_text}") from error


def check_number(number: object) -> Number:
    """`number` itself. Raises `ToolCallError` unless it is a real number within the limit."""
    if isinstance(number, bool) or not isinstance(number, int | float):
        raise ToolCallError("The result is not a real number")
    if isinstance(number, int):
        if abs(number) > _MAX_NUMBER:
            raise ToolCallError(_TOO_LARGE)
    elif not isfinite(number):
        raise ToolCallError(_TOO_LARGE)
    return number


def power(base: Number, exponent: Number) -> Number:
    """`base ** exponent`; a result that is too large is refused before it is computed."""
    if isinstance(base, int) and isinstance(exponent, int) and abs(base) > 1:
        if exponent * (abs(base).bit_length() - 1) > _MAX_BITS:
            raise ToolCallError(_TOO_LARGE)
        if exponent < 0:
            return float(base) ** exponent
    return base**exponent


def divide(dividend: Number, divisor: Number) -> Number:
    return dividend / divisor


def floor_divide(dividend: Number, divisor: Number) -> Number:
    return dividend // divisor


def simplify_number(number: Number) -> Number:
    """6.0 becomes 6, where the integer is exact."""
    if isinstance(number, float) and number.is_integer() and abs(number) < _MAX_EXACT_INTEGER:
        return int(number)
    return number


def format_number(number: Number) -> str:
    return str(simplify_number(number))


def evaluate_expression(expression: str) -> Number:
    """The value of `expression`.

    Raises:
        ToolCallError: It is too long or too deep, does not parse, uses something that is not
            allowed, or has no finite real value.
    """
    if len(expression) > MAX_LENGTH:
        raise ToolCallError(f"The expression is longer than {MAX_LENGTH} characters")
    if not expression.strip():
        raise ToolCallError("The expression is empty")
    try:
        tree = ast.parse(expression.strip(), mode="eval")
    except SyntaxError as error:
        raise ToolCallError(
            f"The expression does not parse: {error.msg}{_format_column(error.offset)}"
        ) from error
    except (ValueError, MemoryError, RecursionError) as error:
        raise ToolCallError("The expression does not parse") from error
    return _evaluate_node(tree.body, 0)


def _evaluate_node(node: ast.expr, depth: int) -> Number:
    if depth > MAX_DEPTH:
        raise ToolCallError(f"The expression is nested deeper than {MAX_DEPTH} levels")
    depth += 1
    match node:
        case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
            return check_number(number)
        case ast.Name(id=name):
            return _find_constant(name, node)
        case ast.UnaryOp(op=sign, operand=operand) if type(sign) in _SIGNS:
            return apply_operation(_SIGNS[type(sign)], _evaluate_node(operand, depth))
        case ast.BinOp(left=left, op=sign, right=right):
            return apply_operation(
                _find_operator(sign, node),
                _evaluate_node(left, depth),
                _evaluate_node(right, depth),
            )
        case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]):
            function = _find_function(name, node)
            return apply_operation(
                function, *[_evaluate_node(argument, depth) for argument in arguments]
            )
        case _:
            raise ToolCallError(f"{type(node).__name__} is not allowed{_position_of(node)}")


def _find_constant(name: str, node: ast.expr) -> Number:
    if name not in _CONSTANTS:
        known = ", ".join(_CONSTANTS)
        raise ToolCallError(f"{name!r} is not known{_position_of(node)}; there are {known}")
    return _CONSTANTS[name]


def _find_function(name: str, node: ast.expr) -> Callable[..., object]:
    if name not in _FUNCTIONS:
        known = ", ".join(_FUNCTIONS)
        raise ToolCallError(
            f"{name!r} is not a function here{_position_of(node)}; there are {known}"
        )
    return _FUNCTIONS[name]


def _find_operator(sign: ast.operator, node: ast.expr) -> Callable[..., object]:
    if isinstance(sign, ast.BitXor):
        raise ToolCallError(f"^ is not a power{_position_of(node)}; write **")
    if type(sign) not in _OPERATORS:
        raise ToolCallError(f"{type(sign).__name__} is not allowed{_position_of(node)}")
    return _OPERATORS[type(sign)]


def _round(number: Number, digits: Number = 0) -> Number:
    if not isinstance(digits, int) or abs(digits) > _MAX_DIGITS:
        raise ToolCallError(f"round takes at most {_MAX_DIGITS} digits, a whole number")
    return round(number, digits)


def _position_of(node: ast.expr) -> str:
    return _format_column(node.col_offset + 1)


def _format_column(column: int | None) -> str:
    return f" (column {column})" if column else ""


OPERATIONS: dict[str, Callable[..., object]] = {
    "add": operator.add,
    "subtract": operator.sub,
    "multiply": operator.mul,
    "divide": divide,
    "power": power,
}
"""What `calculate` offers."""
_CONSTANTS: dict[str, Number] = {"pi": math.pi, "e": math.e, "tau": math.tau}
_SIGNS: dict[type, Callable[..., object]] = {ast.UAdd: operator.pos, ast.USub: operator.neg}
_OPERATORS: dict[type, Callable[..., object]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: divide,
    ast.FloorDiv: floor_divide,
    ast.Mod: operator.mod,
    ast.Pow: power,
}
_FUNCTIONS: dict[str, Callable[..., object]] = {
    "abs": abs,
    "round": _round,
    "floor": math.floor,
    "ceil": math.ceil,
    "min": min,
    "max": max,
    "sqrt": math.sqrt,
    "exp": math.exp,
    "ln": math.log,
    "log": math.log,
    "log10": math.log10,
    "log2": math.log2,
    "sin": math.sin,
    "cos": math.cos,
    "tan": math.tan,
    "asin": math.asin,
    "acos": math.acos,
    "atan": math.atan,
    "radians": math.radians,
    "degrees": math.degrees,
}
