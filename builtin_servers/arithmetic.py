"""Arithmetic whose work and results are bounded: whole numbers stay exact, all fit into a double.

Raises `ToolError` with a sentence for a person, never a Python error, never NaN or infinity.
"""

from __future__ import annotations

import sys
from math import isfinite

from builtin_servers.call import ToolError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

Number = int | float

_BITS = sys.float_info.max_exp
_LARGEST = int(sys.float_info.max)
_EXACT = 2**53


def apply(operation: Callable[..., object], *operands: Number) -> Number:
    """The bounded result of `operation`."""
    try:
        return check(operation(*operands))
    except ZeroDivisionError as error:
        raise ToolError("Division by zero") from error
    except OverflowError as error:
        raise ToolError(_TOO_LARGE) from error
    except (ValueError, TypeError) as error:
        shown = ", ".join(show(operand) for operand in operands)
        raise ToolError(f"Not defined for {shown}") from error


def check(number: object) -> Number:
    """The number itself, unless it is none or does not fit."""
    if isinstance(number, bool) or not isinstance(number, int | float):
        raise ToolError("The result is not a real number")
    if isinstance(number, int):
        if abs(number) > _LARGEST:
            raise ToolError(_TOO_LARGE)
    elif not isfinite(number):
        raise ToolError(_TOO_LARGE)
    return number


def power(base: Number, exponent: Number) -> Number:
    """`base ** exponent`; a result that cannot fit is refused before it is computed."""
    if isinstance(base, int) and isinstance(exponent, int) and abs(base) > 1:
        if exponent * (abs(base).bit_length() - 1) > _BITS:
            raise ToolError(_TOO_LARGE)
        if exponent < 0:
            return float(base) ** exponent
    return base**exponent


def divide(dividend: Number, divisor: Number) -> Number:
    return dividend / divisor


def divide_whole(dividend: Number, divisor: Number) -> Number:
    return dividend // divisor


def simplify(number: Number) -> Number:
    """6.0 becomes 6 where nothing is lost by it."""
    if isinstance(number, float) and number.is_integer() and abs(number) < _EXACT:
        return int(number)
    return number


def show(number: Number) -> str:
    return str(simplify(number))


_TOO_LARGE = "The result is too large (the limit is about 1.8e308)"
