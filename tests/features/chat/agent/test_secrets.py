"""What stands in a secret argument is not written, wherever it comes up again."""

from __future__ import annotations

import json
from typing import Any

import pytest

from desktop.features.chat.agent.secrets import SessionSecrets
from desktop.features.models.formats import ApiFormat, make_wire_tools
from desktop.features.models.messages import AssistantMessage, ToolRequest
from desktop.redaction.policy import PLACEHOLDER
from desktop.tools.registry import ToolRegistry
from desktop.values.tool_types import ToolCall, ToolResult
from tests.tools.definitions import tool
from tests.tools.one_tool import OneTool

SCHEMA = {"type": "object", "properties": {"pin": {"type": "string", "format": "password"}}}


def secrets(schema: dict[str, Any] = SCHEMA) -> SessionSecrets:
    registry = ToolRegistry()
    one = OneTool("bank", "login")
    one.definition = tool("login", "bank", input_schema=schema)
    registry.set_server("bank", [one])
    return SessionSecrets(registry)


def expect(known: SessionSecrets, *requests: ToolRequest) -> None:
    table = make_wire_tools([tool("login", "bank", input_schema=SCHEMA)], ApiFormat.OPENAI)
    known.expect(AssistantMessage("", requests), table)


def request(arguments: Any) -> ToolRequest:
    return ToolRequest("1", "mcp__bank__login", arguments)


def test_the_schema_says_what_is_secret_in_an_object_and_in_a_text() -> None:
    for arguments in ({"pin": "246810", "x": 1}, json.dumps({"pin": "246810", "x": 1})):
        known, one = secrets(), request(arguments)
        expect(known, one)
        assert known.arguments_of(one) == {"pin": PLACEHOLDER, "x": 1}
        assert known.hides_in(one)
        assert known.cover("the pin 246810") == f"the pin {PLACEHOLDER}"


@pytest.mark.parametrize("reference", ["#/$defs/My%20Pin", "#pin"])
def test_a_referred_schema_says_it_too(reference: str) -> None:
    known = secrets(
        {
            "type": "object",
            "properties": {"pin": {"$ref": reference}},
            "$defs": {"My Pin": {"$anchor": "pin", "type": "string", "writeOnly": True}},
        }
    )
    expect(known, request({"pin": "246810"}))
    assert known.arguments_of(request({"pin": "246810"})) == {"pin": PLACEHOLDER}


def test_a_name_says_it_too_where_there_is_no_such_tool() -> None:
    known, one = secrets(), ToolRequest("1", "unknown", {"api_key": "abcdef1"})
    expect(known, one)
    assert known.arguments_of(one) == {"api_key": PLACEHOLDER}
    assert known.values == ("abcdef1",)


def test_a_text_that_is_no_object_is_covered_by_what_is_known() -> None:
    known = secrets()
    expect(known, request({"pin": "246810"}))
    assert known.arguments_of(request('{"pin": "246810')) == f'{{"pin": "{PLACEHOLDER}'
    assert known.arguments_of(request('["246810"]')) == f'["{PLACEHOLDER}"]'


def test_what_a_person_corrected_is_learned_too() -> None:
    known = secrets()
    known.learn(ToolCall("bank:login", {"pin": "999000"}), ToolResult(True))
    assert known.cover("999000") == PLACEHOLDER


def test_ordinary_arguments_are_left_alone() -> None:
    known, one = secrets(), request({"x": 1})
    expect(known, one)
    assert known.arguments_of(one) == {"x": 1}
    assert not known.hides_in(one)
    assert known.values == ()


def test_what_is_nested_too_deeply_is_left_out() -> None:
    deep: dict[str, Any] = {}
    for _ in range(100_000):
        deep = {"a": deep}
    assert secrets().arguments_of(request(deep)) == "(nested too deeply to be kept)"
    while deep:
        deep = deep.pop("a")
