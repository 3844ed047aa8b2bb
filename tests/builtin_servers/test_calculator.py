"""The calculator's declarations, held against the general rules of JSON Schema."""

from __future__ import annotations

import jsonschema
import pytest

from builtin_servers import calculator, clock
from builtin_servers.call import Call
from tests.builtin_command import ignore


@pytest.mark.parametrize("server", [calculator.SERVER, clock.SERVER], ids=["calculator", "time"])
def test_schemas_are_valid_and_describe_every_parameter(server: calculator.Server) -> None:
    for tool in server.tools.values():
        jsonschema.Draft202012Validator.check_schema(tool.input_schema)
        jsonschema.Draft202012Validator.check_schema(tool.output_schema or {})
        assert all(field["description"] for field in tool.input_schema["properties"].values())


def test_the_text_is_the_bare_number() -> None:
    reply = calculator.calculate(Call({"operation": "divide", "a": 6, "b": 2}, ignore))
    assert (reply.text, reply.structured) == ("3", {"result": 3})


def test_an_expression_answers_as_an_operation_does() -> None:
    reply = calculator.evaluate(Call({"expression": "6 / 4"}, ignore))
    assert (reply.text, reply.structured) == ("1.5", {"result": 1.5})
