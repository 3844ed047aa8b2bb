"""Whatever one value in a list, a resource, a prompt or a completion is, the rest is there."""

from __future__ import annotations

import copy
import json
from typing import TYPE_CHECKING, Any

import mcp_types as types
import pytest
from mcp_types import methods
from pydantic import BaseModel, ValidationError

from desktop.servers.repair.answer_repair import (
    MAX_ODD_BLOCK,
    MAX_VALUES,
    repairing_notifications,
    repairing_results,
)
from desktop.servers.repair.oddities import Oddities
from tests.odd_values import is_list, wronged

if TYPE_CHECKING:
    from tests.conftest import ExpectedLogs

validate = repairing_results(methods.validate_server_result)
VERSIONS = ("2025-11-25", "2026-07-28")
CACHE: dict[str, Any] = {"ttlMs": 0, "cacheScope": "private", "resultType": "complete"}
EXTRAS: dict[str, Any] = {
    "title": "T",
    "description": "D",
    "icons": [{"src": "data:,", "mimeType": "image/png", "sizes": ["1x1"], "theme": "dark"}],
    "_meta": {"x/y": 1},
}
ANNOTATED: dict[str, Any] = EXTRAS | {
    "mimeType": "text/plain",
    "annotations": {"audience": ["user"], "priority": 1, "lastModified": "2026-01-01"},
}
ARGUMENT: dict[str, Any] = {"name": "a", "title": "A", "description": "D", "required": True}
LISTS: list[Any] = [
    pytest.param(
        "resources/list",
        "resources",
        "uri",
        ANNOTATED | {"uri": "rich", "name": "n", "size": 1},
        types.ListResourcesResult,
        id="resources",
    ),
    pytest.param(
        "resources/templates/list",
        "resourceTemplates",
        "uriTemplate",
        ANNOTATED | {"uriTemplate": "rich", "name": "n"},
        types.ListResourceTemplatesResult,
        id="templates",
    ),
    pytest.param(
        "prompts/list",
        "prompts",
        "name",
        EXTRAS | {"name": "rich", "arguments": [ARGUMENT, {"name": "b"}]},
        types.ListPromptsResult,
        id="prompts",
    ),
]
EMPTY: dict[str, Any] = {}
ANSWERS: list[Any] = [
    pytest.param(
        "resources/read",
        {
            "contents": [
                {"uri": "a:b", "text": "x", "mimeType": "text/plain", "_meta": EMPTY},
                {"uri": "a:b", "blob": "AAAA"},
            ],
            "_meta": EMPTY,
        },
        "contents",
        types.ReadResourceResult,
        id="read",
    ),
    pytest.param(
        "prompts/get",
        {
            "description": "D",
            "messages": [
                {"role": "user", "content": {"type": "text", "text": "x", "annotations": EMPTY}},
                {
                    "role": "assistant",
                    "content": {"type": "image", "data": "AAAA", "mimeType": "image/png"},
                },
            ],
            "_meta": EMPTY,
        },
        "messages",
        types.GetPromptResult,
        id="prompt",
    ),
    pytest.param(
        "completion/complete",
        {"completion": {"values": ["a", "b"], "total": 2, "hasMore": False}, "_meta": EMPTY},
        "",
        types.CompleteResult,
        id="completion",
    ),
]


def repaired(method: str, version: str, data: Any, model: type[BaseModel]) -> Any:
    """What the SDK makes of the answer after the repair; its words where it still refuses it."""
    data = copy.deepcopy(data)
    try:
        validate(method, version, data)
        return model.model_validate(data, by_name=False)
    except ValidationError as error:
        return str(error)


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize(("method", "member", "key", "rich", "model"), LISTS)
def test_no_value_in_an_entry_takes_another_entry_away(
    method: str, member: str, key: str, rich: Any, model: type[BaseModel], version: str
) -> None:
    good = {key: "good", "name": "good"}
    wrong: list[str] = []
    for where, entry in wronged(rich):
        page = repaired(method, version, {member: [entry, good], **CACHE}, model)
        if isinstance(page, str):
            wrong.append(f"{where}: {page}")
            continue
        listed: Any = page.model_dump(by_alias=True)[member]
        asked_by = entry.get(key)
        expected = [asked_by, "good"] if isinstance(asked_by, str) else ["good"]
        if [one[key] for one in listed] != expected:
            wrong.append(f"{where}: {[one[key] for one in listed]}")
    assert wrong == []


@pytest.mark.parametrize(("method", "member", "key", "rich", "model"), LISTS)
def test_no_value_beside_the_entries_takes_them_away(
    method: str, member: str, key: str, rich: Any, model: type[BaseModel]
) -> None:
    page: dict[str, Any] = {member: [rich], "nextCursor": "x", "_meta": {}}
    for version in VERSIONS:
        for where, changed in wronged(page | (CACHE if version > "2026" else {})):
            if where.startswith(("resultType=", f"{member}.")):
                continue  # another kind of result; the entries themselves are tried above
            found = repaired(method, version, changed, model)
            assert not isinstance(found, str), (where, found)
            count = 1 if changed.get(member) == [rich] else 0
            assert len(found.model_dump(by_alias=True)[member]) == count, where


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize(("method", "good", "member", "model"), ANSWERS)
def test_no_value_in_an_answer_takes_its_other_parts_away(
    method: str, good: Any, member: str, model: type[BaseModel], version: str
) -> None:
    wrong: list[str] = []
    for where, given in wronged(good | {"resultType": "complete"}):
        if where.startswith("resultType="):
            continue  # another kind of result
        found = repaired(method, version, given, model)
        if isinstance(found, str):
            wrong.append(f"{where}: {found}")
            continue
        parts: object = given.get(member)
        if is_list(parts):
            count = len(found.model_dump(by_alias=True)[member])
            if count != len(parts):
                wrong.append(f"{where}: {count} parts")
    assert wrong == []


@pytest.mark.parametrize("version", VERSIONS)
def test_what_the_models_take_is_not_touched(version: str) -> None:
    lists = [(each.values[0], {each.values[1]: [each.values[3]]}) for each in LISTS]
    answers = [(each.values[0], each.values[1]) for each in ANSWERS]
    for method, good in (*lists, *answers):
        data = copy.deepcopy(good | CACHE)
        validate(method, version, data)
        assert data == good | CACHE


def oddities(method: str, data: Any) -> tuple[str, ...]:
    found = Oddities("s", lambda _: None)
    with found.collecting():
        validate(method, "2025-11-25", data)
    return found.texts


def test_what_is_wrong_is_said_with_the_name_of_what_has_it() -> None:
    page: Any = {
        "resources": [
            {"uri": "a:1", "size": "x"},
            {"name": "no uri"},
            {"uri": "a:3", "name": "n", "annotations": {"priority": 7, "audience": ["user"]}},
        ],
        "nextCursor": 2,
    }
    said = oddities("resources/list", page)
    assert said == (
        "resources/list: nextCursor is not a string",
        "resources/list: a:1: name is missing; size is not a number",
        "resources/list: entry 2 was skipped: uri is missing",
        "resources/list: a:3: annotations.priority Input should be less than or equal to 1",
    )
    assert page == {
        "resources": [
            {"uri": "a:1", "name": "a:1"},
            {"uri": "a:3", "name": "n", "annotations": {"audience": ["user"]}},
        ],
        "nextCursor": "2",
    }


def test_an_odd_part_of_a_resource_is_shown_bounded() -> None:
    result: Any = {"contents": [{"uri": "a:b", "data": "x" * 1_000_000}, "words"]}
    assert "resources/read: a part of it is neither text nor bytes" in oddities(
        "resources/read", result
    )
    first, second = result["contents"]
    assert (first["uri"], len(first["text"])) == ("a:b", MAX_ODD_BLOCK + 2)
    assert second == {"uri": "", "text": "words"}


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("kind", ["tools", "resources", "prompts"])
def test_a_change_that_is_told_wrongly_is_heard_all_the_same(
    kind: str, version: str, expected_logs: ExpectedLogs
) -> None:
    expected_logs.expect(f"notifications/{kind}/list_changed")
    parse = repairing_notifications(methods.parse_server_notification)
    with Oddities("s", lambda _: None).collecting():
        heard = parse(f"notifications/{kind}/list_changed", version, {"_meta": 7})
    assert heard.method == f"notifications/{kind}/list_changed"


def test_a_message_of_several_blocks_is_several_and_its_role_one_of_two() -> None:
    text = {"type": "text", "text": "x"}
    result: Any = {"messages": [{"role": "system", "content": [text, "y"]}, "z"]}
    assert 'prompts/get: a message is from "system"' in oddities("prompts/get", result)
    assert result["messages"] == [
        {"role": "user", "content": text},
        {"role": "user", "content": {"type": "text", "text": "y"}},
        {"role": "user", "content": {"type": "text", "text": "z"}},
    ]


def test_a_message_that_names_a_tool_is_shown_as_text() -> None:
    call = {"type": "tool_use", "id": "1", "name": "files:delete", "input": EMPTY}
    result: Any = {"messages": [{"role": "assistant", "content": call}]}
    oddities("prompts/get", result)
    (message,) = types.GetPromptResult.model_validate(result, by_name=False).messages
    assert isinstance(message.content, types.TextContent)
    assert json.loads(message.content.text) == call


def test_proposed_values_are_texts_and_no_more_than_the_protocol_has() -> None:
    result: Any = {"completion": {"values": [1, "b", None, *["c"] * 200], "total": "x"}}
    oddities("completion/complete", result)
    values = result["completion"]["values"]
    assert (values[:3], len(values)) == (["1", "b", "c"], MAX_VALUES)
    assert "total" not in result["completion"]
