"""The official client against the built-in servers, in both eras, over real stdio."""

from __future__ import annotations

import base64
import json
from typing import TYPE_CHECKING
from urllib.parse import unquote
from xml.etree import ElementTree

import pytest
from mcp import Client, MCPError, StdioServerParameters
from mcp.types import Implementation, TextContent

from tests.builtin_command import builtin

if TYPE_CHECKING:
    from mcp.types import CallToolResult

MODES = ["legacy", "auto", "2026-07-28"]
pytestmark = pytest.mark.parametrize("mode", MODES)


def connect(name: str, mode: str) -> Client:
    command, args = builtin(name)
    return Client(
        StdioServerParameters(command=command, args=args),
        mode=mode,
        read_timeout_seconds=15,
        client_info=Implementation(name="tests", version="1"),
    )


def text_of(result: CallToolResult) -> str:
    (content,) = result.content
    assert isinstance(content, TextContent)
    return content.text


async def test_the_eras_are_negotiated(mode: str) -> None:
    async with connect("calculator", mode) as client:
        expected = "2025-11-25" if mode == "legacy" else "2026-07-28"
        assert client.protocol_version == expected
        if mode != "2026-07-28":  # adopted without asking the server
            assert client.server_info is not None
            assert client.server_info.name == "calculator"


async def test_the_calculator_says_all_that_a_tool_can_say(mode: str) -> None:
    async with connect("calculator", mode) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    assert set(tools) == {"calculate", "evaluate"}
    tool = tools["calculate"]
    assert tool.title == "Calculate"
    assert tool.description
    assert tool.input_schema["required"] == ["operation", "a", "b"]
    assert tool.output_schema is not None
    assert tool.annotations is not None
    assert tool.annotations.read_only_hint is True
    assert tool.meta == {
        "version": "1.0.0",
        "author": "mcp-desktop",
        "category": "math",
        "tags": ["arithmetic", "numbers"],
    }
    assert tool.icons
    kind, _, drawing = tool.icons[0].src.partition(",")
    assert kind.startswith("data:image/svg+xml")
    svg = base64.b64decode(drawing) if kind.endswith("base64") else unquote(drawing)
    assert ElementTree.fromstring(svg).tag == "{http://www.w3.org/2000/svg}svg"


@pytest.mark.parametrize(
    ("operation", "result"),
    [("add", 10), ("subtract", 6), ("multiply", 16), ("divide", 4), ("power", 64)],
)
async def test_calculate_applies_each_operation(mode: str, operation: str, result: float) -> None:
    async with connect("calculator", mode) as client:
        arguments = {"operation": operation, "a": 8, "b": 2}
        answer = await client.call_tool("calculate", arguments)
        assert answer.structured_content == {"result": result}
        assert text_of(answer) == str(result)
        assert not answer.is_error


@pytest.mark.parametrize(
    ("tool", "arguments", "reason"),
    [
        ("calculate", {"operation": "divide", "a": 1, "b": 0}, "Division by zero"),
        ("calculate", {"operation": "power", "a": 9, "b": 9e9}, "too large"),
        ("calculate", {"operation": "add", "a": 1}, "b: is required"),
        ("calculate", {"operation": "root", "a": 1, "b": 1}, "must be one of"),
        ("calculate", {"operation": "add", "a": True, "b": 1}, "not boolean"),
        ("evaluate", {"expression": "9**9**9"}, "too large"),
        ("evaluate", {"expression": "__import__('os')"}, "not a function here"),
        ("evaluate", {"expression": "1", "more": 1}, "'more': is not a parameter"),
    ],
)
async def test_what_cannot_be_calculated_is_a_tool_error_and_the_next_call_works(
    mode: str, tool: str, arguments: dict[str, object], reason: str
) -> None:
    async with connect("calculator", mode) as client:
        answer = await client.call_tool(tool, arguments)
        assert answer.is_error
        assert reason in text_of(answer)
        after = await client.call_tool("evaluate", {"expression": "(1 + 2) * 3"})
        assert text_of(after) == "9"


async def test_an_unknown_tool_is_a_protocol_error(mode: str) -> None:
    async with connect("calculator", mode) as client:
        with pytest.raises(MCPError, match="unknown tool") as caught:
            await client.call_tool("nothing", {})
        assert caught.value.code == -32602


async def test_time_answers_what_it_declares(mode: str) -> None:
    async with connect("time", mode) as client:
        now = await client.call_tool("get_current_time", {"timezone": "Asia/Shanghai"})
        arguments = {
            "source_timezone": "Asia/Tokyo",
            "time": "16:30",
            "target_timezone": "Asia/Kolkata",
        }
        there = await client.call_tool("convert_time", arguments)
    assert now.structured_content == json.loads(text_of(now))
    assert now.structured_content is not None
    assert now.structured_content["datetime"].endswith("+08:00")
    assert there.structured_content is not None
    assert there.structured_content["time_difference"] == "-3.5h"
    assert there.structured_content["target"]["datetime"].endswith("T13:00:00+05:30")


async def test_an_unknown_zone_is_a_tool_error_that_names_a_near_one(mode: str) -> None:
    async with connect("time", mode) as client:
        answer = await client.call_tool("get_current_time", {"timezone": "Europe/Pari"})
    assert answer.is_error
    assert "Did you mean Europe/Paris" in text_of(answer)
