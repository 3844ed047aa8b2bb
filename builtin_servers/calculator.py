"""The calculator: two tools, and the worked example of everything a tool can say of itself."""

from __future__ import annotations

import operator

from builtin_servers.arithmetic import apply, divide, power, show, simplify
from builtin_servers.call import Reply
from builtin_servers.declaration import Server, Tool

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from builtin_servers.arithmetic import Number
    from builtin_servers.call import Call

_OPERATIONS: dict[str, Callable[..., object]] = {
    "add": operator.add,
    "subtract": operator.sub,
    "multiply": operator.mul,
    "divide": divide,
    "power": power,
}


def calculate(call: Call) -> Reply:
    arguments = call.arguments
    return _reply(apply(_OPERATIONS[arguments["operation"]], arguments["a"], arguments["b"]))


def evaluate(call: Call) -> Reply:
    from builtin_servers.expression import evaluate as value_of  # `ast` costs start-up time

    return _reply(value_of(call.arguments["expression"]))


def _reply(number: Number) -> Reply:
    # The text is the bare number, not the JSON of the structure: it is read in a terminal.
    return Reply(show(number), {"result": simplify(number)})


_OUTPUT = {
    "type": "object",
    "properties": {"result": {"type": "number", "description": "The value of the calculation."}},
    "required": ["result"],
    "additionalProperties": False,
}
_ANNOTATIONS = {
    "readOnlyHint": True,
    "destructiveHint": False,
    "idempotentHint": True,
    "openWorldHint": False,
}
_ICONS = (
    {
        "src": "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24' "
        "fill='none' stroke='%23646f7d' stroke-width='2' stroke-linecap='round'%3E"
        "%3Crect x='5' y='3' width='14' height='18' rx='2'/%3E"
        "%3Cpath d='M8.5 7h7M8.5 12h0M12 12h0M15.5 12h0M8.5 16.5h0M12 16.5h0M15.5 16.5h0'/%3E"
        "%3C/svg%3E".replace(" ", "%20"),
        "mimeType": "image/svg+xml",
        "sizes": ["any"],
    },
)
_META = {
    "version": "1.0.0",
    "author": "mcp-desktop",
    "category": "math",
    "tags": ["arithmetic", "numbers"],
}

SERVER = Server(
    "calculator",
    title="Calculator",
    version="1.0.0",
    instructions="Use calculate for one operation on two numbers, evaluate for an expression.",
    tools=[
        Tool(
            "calculate",
            calculate,
            title="Calculate",
            description="Applies one arithmetic operation to two numbers, a and b: a + b, a - b, "
            "a * b, a / b or a to the power of b. Whole numbers are exact. Dividing by zero and "
            "results beyond about 1.8e308 are errors.",
            input_schema={
                "type": "object",
                "properties": {
                    "operation": {
                        "type": "string",
                        "title": "Operation",
                        "description": "What to do with a and b.",
                        "enum": list(_OPERATIONS),
                    },
                    "a": {"type": "number", "title": "a", "description": "The first number."},
                    "b": {"type": "number", "title": "b", "description": "The second number."},
                },
                "required": ["operation", "a", "b"],
                "additionalProperties": False,
            },
            output_schema=_OUTPUT,
            annotations=_ANNOTATIONS,
            icons=_ICONS,
            meta=_META,
        ),
        Tool(
            "evaluate",
            evaluate,
            title="Evaluate expression",
            description="Evaluates an arithmetic expression such as (1 + 2) * 3 ** 2 / sqrt(16). "
            "Operators: + - * / // % **. Constants: pi, e, tau. Functions: abs, round, floor, "
            "ceil, min, max, sqrt, exp, ln, log, log10, log2, sin, cos, tan, asin, acos, atan, "
            "radians, degrees; angles are in radians. At most 1000 characters.",
            input_schema={
                "type": "object",
                "properties": {
                    "expression": {
                        "type": "string",
                        "title": "Expression",
                        "description": "The expression to evaluate.",
                        "examples": ["(1 + 2) * 3 ** 2 / sqrt(16)"],
                    }
                },
                "required": ["expression"],
                "additionalProperties": False,
            },
            output_schema=_OUTPUT,
            annotations=_ANNOTATIONS,
            icons=_ICONS,
            meta=_META,
        ),
    ],
)
