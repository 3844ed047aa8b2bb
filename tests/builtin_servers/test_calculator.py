"""How the calculator answers: as a bare number to read, and as data."""

from __future__ import annotations

from builtin_servers import calculator
from builtin_servers.framework.tool import CallContext
from tests.builtin_command import ignore


def test_the_text_is_the_bare_number() -> None:
    reply = calculator.calculate(CallContext({"operation": "divide", "a": 6, "b": 2}, ignore))
    assert (reply.text, reply.structured) == ("3", {"result": 3})


def test_an_expression_answers_as_an_operation_does() -> None:
    reply = calculator.evaluate(CallContext({"expression": "6 / 4"}, ignore))
    assert (reply.text, reply.structured) == ("1.5", {"result": 1.5})
