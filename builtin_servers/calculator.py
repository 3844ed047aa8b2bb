"""The calculator: two tools, and the worked example of everything that a tool can declare."""

from __future__ import annotations

from builtin_servers.framework.tool import BuiltinServer, BuiltinTool, ToolReply

TYPE_CHECKING = False
if TYPE_CHECKING:
    from builtin_servers.arithmetic import Number
    from builtin_servers.framework.tool import CallContext


def calculate(call: CallContext) -> ToolReply:
    from builtin_servers.arithmetic import OPERATIONS, apply_operation

    arguments = call.arguments
    operation = OPERATIONS[arguments["operation"]]
    return _reply(apply_operation(operation, arguments["a"], arguments["b"]))


def evaluate(call: CallContext) -> ToolReply:
    from builtin_servers.arithmetic import evaluate_expression  # imports `ast`: not at start-up

    return _reply(evaluate_expression(call.arguments["expression"]))


def _reply(number: Number) -> ToolReply:
    from builtin_servers.arithmetic import format_number, simplify_number

    # The text is the bare number, not the JSON of the structure: people read it in a terminal.
    return ToolReply(format_number(number), {"result": simplify_number(number)})


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

SERVER = BuiltinServer(
    "calculator",
    title="Calculator",
    version="1.0.0",
    instructions="Use calculate for one operation on two numbers, evaluate for an expression.",
    tools=[
        BuiltinTool(
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
                        "enum": ["add", "subtract", "multiply", "divide", "power"],
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
        BuiltinTool(
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
