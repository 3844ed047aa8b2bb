"""Evaluates an arithmetic expression: parsed with `ast`, walked node by node, never `eval`.

What is not on the white list below is refused by name and column. Length, depth and every single
step are bounded, so that no expression can take more than a moment.
"""

from __future__ import annotations

import ast
import math
import operator

from builtin_servers.arithmetic import Number, apply, check, divide, divide_whole, power
from builtin_servers.call import ToolError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

LENGTH_LIMIT = 1000
DEPTH_LIMIT = 200
_DIGITS_LIMIT = 300


def evaluate(expression: str) -> Number:
    """The value of `expression`.

    Raises:
        ToolError: It is too long or too deep, does not parse, uses what is not on the list, or has
            no finite real value.
    """
    if len(expression) > LENGTH_LIMIT:
        raise ToolError(f"The expression is longer than {LENGTH_LIMIT} characters")
    if not expression.strip():
        raise ToolError("The expression is empty")
    try:
        tree = ast.parse(expression.strip(), mode="eval")
    except SyntaxError as error:
        raise ToolError(f"The expression does not parse: {error.msg}{_at(error.offset)}") from error
    except (ValueError, MemoryError, RecursionError) as error:
        raise ToolError("The expression does not parse") from error
    return _value(tree.body, 0)


def _value(node: ast.expr, depth: int) -> Number:
    if depth > DEPTH_LIMIT:
        raise ToolError(f"The expression is nested deeper than {DEPTH_LIMIT} levels")
    depth += 1
    match node:
        case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
            return check(number)
        case ast.Name(id=name):
            return _constant(name, node)
        case ast.UnaryOp(op=sign, operand=operand) if type(sign) in _SIGNS:
            return apply(_SIGNS[type(sign)], _value(operand, depth))
        case ast.BinOp(left=left, op=sign, right=right):
            return apply(_operator(sign, node), _value(left, depth), _value(right, depth))
        case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]):
            function = _function(name, node)
            return apply(function, *[_value(argument, depth) for argument in arguments])
        case _:
            raise ToolError(f"{type(node).__name__} is not allowed{_of(node)}")


def _constant(name: str, node: ast.expr) -> Number:
    if name not in _CONSTANTS:
        known = ", ".join(_CONSTANTS)
        raise ToolError(f"{name!r} is not known{_of(node)}; there are {known}")
    return _CONSTANTS[name]


def _function(name: str, node: ast.expr) -> Callable[..., object]:
    if name not in _FUNCTIONS:
        known = ", ".join(_FUNCTIONS)
        raise ToolError(f"{name!r} is not a function here{_of(node)}; there are {known}")
    return _FUNCTIONS[name]


def _operator(sign: ast.operator, node: ast.expr) -> Callable[..., object]:
    if isinstance(sign, ast.BitXor):
        raise ToolError(f"^ is not a power{_of(node)}; write **")
    if type(sign) not in _OPERATORS:
        raise ToolError(f"{type(sign).__name__} is not allowed{_of(node)}")
    return _OPERATORS[type(sign)]


def _round(number: Number, digits: Number = 0) -> Number:
    if not isinstance(digits, int) or abs(digits) > _DIGITS_LIMIT:
        raise ToolError(f"round takes at most {_DIGITS_LIMIT} digits, a whole number")
    return round(number, digits)


def _of(node: ast.expr) -> str:
    return _at(node.col_offset + 1)


def _at(column: int | None) -> str:
    return f" (column {column})" if column else ""


_CONSTANTS: dict[str, Number] = {"pi": math.pi, "e": math.e, "tau": math.tau}
_SIGNS: dict[type, Callable[..., object]] = {ast.UAdd: operator.pos, ast.USub: operator.neg}
_OPERATORS: dict[type, Callable[..., object]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: divide,
    ast.FloorDiv: divide_whole,
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
