"""Whatever one value in an answer is, the rest of the answer is there, in both eras."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

import mcp_types as types
import pytest
from mcp_types import methods
from mcp_types.version import KNOWN_PROTOCOL_VERSIONS, MODERN_PROTOCOL_VERSIONS
from pydantic import BaseModel, ValidationError

from desktop.servers.repair.answer_repair import (
    MAX_ODD_BLOCK,
    MAX_PARTS,
    OddTool,
    repairing_notifications,
    repairing_results,
)
from desktop.servers.repair.oddities import MAX_ODDITIES, Oddities
from tests.odd_values import ODD, is_list, wronged

if TYPE_CHECKING:
    from tests.conftest import ExpectedLogs

validate = repairing_results(methods.validate_server_result)
VERSIONS = ("2025-11-25", "2026-07-28")
CACHE: dict[str, Any] = {"ttlMs": 0, "cacheScope": "private", "resultType": "complete"}
GOOD: dict[str, Any] = {"name": "good", "inputSchema": {"type": "object"}}
RICH: dict[str, Any] = {
    "name": "rich",
    "title": "Rich",
    "description": "Does things.",
    "inputSchema": {
        "type": "object",
        "properties": {"a": {"type": "string"}},
        "required": ["a"],
        "$schema": "https://json-schema.org/draft/2020-12/schema",
    },
    "outputSchema": {"type": "object", "properties": {}, "required": []},
    "annotations": {
        "title": "R",
        "readOnlyHint": True,
        "destructiveHint": False,
        "idempotentHint": True,
        "openWorldHint": False,
    },
    "icons": [{"src": "data:,", "mimeType": "image/png", "sizes": ["1x1"], "theme": "dark"}],
    "execution": {"taskSupport": "optional"},
    "_meta": {"version": "1"},
}
BLOCKS: list[Any] = [
    {"type": "text", "text": "x", "annotations": {"audience": ["user"], "priority": 1}},
    {"type": "image", "data": "AAAA", "mimeType": "image/png", "_meta": {}},
    {"type": "audio", "data": "AAAA", "mimeType": "audio/wav"},
    {"type": "resource", "resource": {"uri": "a://b", "text": "x", "mimeType": "text/plain"}},
    {"type": "resource", "resource": {"uri": "a://b", "blob": "AAAA"}},
    {"type": "resource_link", "uri": "a://b", "name": "b", "title": "t", "size": 1, "icons": []},
]
RESULT: dict[str, Any] = {
    "content": BLOCKS,
    "structuredContent": {"a": 1},
    "isError": False,
    "_meta": {},
}
GREETING: dict[str, Any] = {
    "protocolVersion": "2025-11-25",
    "serverInfo": {"name": "s", "version": "1", "title": "t", "websiteUrl": "x", "icons": []},
    "capabilities": {
        "tools": {"listChanged": True},
        "prompts": {"listChanged": True},
        "resources": {"subscribe": True, "listChanged": True},
        "logging": {},
        "completions": {},
        "experimental": {"x": {}},
        "tasks": {"list": {}, "requests": {"tools": {"call": {}}}},
        "extensions": {"x/y": {}},
    },
    "instructions": "Do.",
    "_meta": {},
}


def refused(method: str, version: str, data: Any, model: type[BaseModel]) -> str:
    """What the SDK still refuses after the repair; empty when it takes it."""
    data = copy.deepcopy(data)
    try:
        validate(method, version, data)
        model.model_validate(data, by_name=False)
    except ValidationError as error:
        return str(error)
    return ""


@pytest.mark.parametrize("version", VERSIONS)
def test_no_value_in_a_tool_takes_another_tool_away(version: str) -> None:
    wrong: list[str] = []
    for where, tool in wronged(RICH):
        page: Any = {"tools": [copy.deepcopy(tool), GOOD], **CACHE}
        try:
            validate("tools/list", version, page)
            listed = types.ListToolsResult.model_validate(page, by_name=False).tools
        except ValidationError as error:
            wrong.append(f"{where}: {error}")
            continue
        expected = ["rich", "good"] if isinstance(tool.get("name"), str) else ["good"]
        if where == "name=odd":
            expected[0] = "odd"
        if [tool.name for tool in listed] != expected:
            wrong.append(f"{where}: {[tool.name for tool in listed]}")
    assert wrong == []


PLAIN = {key: value for key, value in RICH.items() if key not in {"icons", "execution"}}


@pytest.mark.parametrize("version", KNOWN_PROTOCOL_VERSIONS)
def test_what_is_taken_without_the_model_is_what_the_model_takes(version: str) -> None:
    asked: list[str] = []

    def ask(method: str, version: str, data: dict[str, Any], /) -> None:
        asked.append(method)
        methods.validate_server_result(method, version, data)

    look = repairing_results(ask)
    pages: list[Any] = [{"tools": [tool, GOOD]} for _, tool in wronged(PLAIN)]
    pages += [{"tools": [PLAIN | {key: "\ud800"}]} for key in ("name", "title", "description")]
    pages += [{"tools": [PLAIN], "nextCursor": 5}, {"tools": [PLAIN], "nextCursor": "\ud800"}]
    pages += [{"tools": [PLAIN]}]
    for page in copy.deepcopy(pages):
        before = len(asked)
        try:
            look("tools/list", version, page)
        except ValidationError:
            continue
        if len(asked) == before:
            methods.validate_server_result("tools/list", version, page)
            types.ListToolsResult.model_validate(page, by_name=False)
    is_old = version not in MODERN_PROTOCOL_VERSIONS
    assert (len(asked) < len(pages)) == is_old


@pytest.mark.parametrize("version", VERSIONS)
def test_no_value_beside_the_tools_takes_them_away(version: str) -> None:
    page: dict[str, Any] = {"tools": [GOOD], "nextCursor": "x", "_meta": {}}
    if version in MODERN_PROTOCOL_VERSIONS:  # of an older answer the SDK drops these
        page |= CACHE
    wrong = [
        f"{where}: {words}"
        for where, changed in wronged(page)
        if (words := refused("tools/list", version, changed, types.ListToolsResult))
    ]
    assert wrong == []


@pytest.mark.parametrize("version", VERSIONS)
def test_no_value_in_a_result_takes_the_other_blocks_away(version: str) -> None:
    wrong: list[str] = []
    for where, given in wronged(RESULT | {"resultType": "complete"}):
        if where.startswith("resultType="):
            continue  # another kind of result
        result = copy.deepcopy(given)
        try:
            validate("tools/call", version, result)
            read = types.CallToolResult.model_validate(result, by_name=False)
        except ValidationError as error:
            wrong.append(f"{where}: {error}")
            continue
        content: object = given.get("content")
        if is_list(content) and len(read.content) != len(content):
            wrong.append(f"{where}: {len(read.content)} blocks")
    assert wrong == []


def test_no_value_in_a_greeting_but_an_unknown_version_keeps_a_server_away() -> None:
    wrong = [
        f"{where}: {words}"
        for where, changed in wronged(GREETING)
        if (words := refused("initialize", "2025-11-25", changed, types.InitializeResult))
    ]
    assert wrong == []


@pytest.mark.parametrize("version", KNOWN_PROTOCOL_VERSIONS)
def test_what_the_models_take_is_not_touched(version: str) -> None:
    for method, good in (("tools/list", {"tools": [RICH], **CACHE}), ("tools/call", RESULT)):
        data = copy.deepcopy(good | CACHE)
        validate(method, version, data)
        assert data == good | CACHE


def test_two_odd_tools_are_odd_each_for_itself() -> None:
    page: Any = {"tools": [GOOD | {"title": 1}, RICH | {"execution": 1}, GOOD], **CACHE}
    assert refused("tools/list", "2026-07-28", page, types.ListToolsResult) == ""


def test_the_schema_of_an_odd_tool_is_its_own_without_what_no_object_could_fit() -> None:
    schema: dict[str, Any] = {"type": "string", "properties": {"a": {}}}
    page: Any = {"tools": [RICH | {"inputSchema": schema}]}
    validate("tools/list", "2025-11-25", page)
    (tool,) = page["tools"]
    assert isinstance(tool, OddTool)
    assert tool.input_schema == {"properties": {"a": {}}}
    assert tool.problems[0].startswith("inputSchema.type ")


def test_a_tool_cannot_declare_its_own_problems() -> None:
    page: Any = {"tools": [GOOD | {"problems": ["x"], "description": 1}]}
    validate("tools/list", "2025-11-25", page)
    assert page["tools"][0].problems == ("description is not a string",)


def test_an_odd_block_is_shown_bounded() -> None:
    result: Any = {"content": [{"type": "hologram", "data": "x" * 1_000_000}]}
    validate("tools/call", "2025-11-25", result)
    assert len(result["content"][0]["text"]) <= MAX_ODD_BLOCK + 2


def test_an_answer_to_any_other_request_is_refused_as_before() -> None:
    with pytest.raises(ValidationError):
        validate("server/discover", "2026-07-28", {"supportedVersions": 1})


def test_a_malformed_notification_is_warned_of_once_with_the_name_of_the_server(
    expected_logs: ExpectedLogs,
) -> None:
    expected_logs.expect("server files: notifications/progress: ")
    parse = repairing_notifications(methods.parse_server_notification)
    found: list[str] = []
    oddities = Oddities("files", found.append)
    with oddities.collecting():
        for value in ODD:
            with pytest.raises(KeyError):
                parse("notifications/progress", "2025-11-25", {"progress": value})
    assert len(found) == len(oddities.texts) == 1


def test_the_oddities_of_a_session_are_bounded_and_each_is_kept_once() -> None:
    found: list[str] = []
    oddities = Oddities("files", found.append)
    for number in range(2 * MAX_ODDITIES):
        oddities.add("tools/list", f"x{number % 150}" * 1000)
    assert len(oddities.texts) == len(found) == MAX_ODDITIES
    assert max(map(len, found)) <= 300
    oddities.forget("tools/list")
    assert oddities.texts == ()


PARTS: dict[str, tuple[str, Any]] = {
    "tools/call": ("content", {"type": "image", "data": "AAAA", "mimeType": "image/png"}),
    "resources/read": ("contents", {"uri": "a://b", "text": "x"}),
    "prompts/get": ("messages", {"role": "user", "content": {"type": "text", "text": "x"}}),
}


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("method", PARTS)
def test_of_an_endless_answer_the_first_parts_are_taken_and_the_rest_is_said(
    method: str, version: str, expected_logs: ExpectedLogs
) -> None:
    expected_logs.allow("further parts")
    name, part = PARTS[method]
    answer: dict[str, Any] = {**CACHE, name: [part] * 1_000_000}
    oddities = Oddities("server", lambda _: None)
    with oddities.collecting():
        validate(method, version, answer)
    assert answer[name][:MAX_PARTS] == [part] * MAX_PARTS
    assert [one.get("text") for one in answer[name][MAX_PARTS:]] == (
        ["[995,000 further parts were left out]"] if method == "tools/call" else []
    )
    assert "995,000 further parts" in str(oddities.texts)
