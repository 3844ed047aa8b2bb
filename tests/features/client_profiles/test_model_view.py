"""What the model of a client gets, by its profile: names, schemas and results."""

from __future__ import annotations

import json
from typing import Any

import pytest

from desktop.features.client_profiles.model_view import (
    ModelView,
    keywords,
    lost_without_structured,
    lost_without_text,
)
from desktop.features.client_profiles.profiles import find_profile
from desktop.values.tool_types import (
    Content,
    ErrorCode,
    Metadata,
    ToolDefinition,
    ToolError,
    ToolResult,
)
from tests.features.client_profiles.making import profile

LONG = "a" * 80


@pytest.mark.parametrize(
    ("client", "server", "tool", "name", "fate"),
    [
        ("cline", "notes", "read", "notes__read", "kept"),
        ("cline", "notes", "read it", "notes__read_it_b93ee715", "hashed"),
        ("cline", "my notes", "read", "my_notes__read_a8b7778d", "hashed"),
        ("cline", "notes", LONG, f"notes__{'a' * 48}_e3582cd8", "hashed"),
        ("cursor", "g", "a" * 58, "a" * 58, "kept"),
        ("cursor", "g", "a" * 59, "", "left out"),
        ("cursor", "g", "files.read", "files_read", "replaced"),
        ("vscode", "My Notes Of The Day", "read", "mcp_my_notes_of_thread", "kept"),
        ("vscode", "notes", LONG, ("mcp_notes_" + LONG)[:64], "cut"),
        ("gemini-cli", "notes", LONG, f"mcp_notes_{'a' * 18}___{'a' * 32}", "cut"),
        ("claude-code", "notes", "read", "mcp__notes__read", "kept"),
        ("claude-code", "notes", "a" * 120, "", "left out"),
        ("continue", "My Notes!", "read", "my_notes_read", "kept"),
        ("codex", "notes", "a-b", "mcp__notes__a_b", "replaced"),
        ("zed", "notes", LONG, LONG, "unknown"),
        ("jan", "notes", LONG, LONG, "kept"),
    ],
)
def test_a_name_is_made_as_the_client_makes_it(
    client: str, server: str, tool: str, name: str, fate: str
) -> None:
    made = ModelView(find_profile(client)).name(server, tool)
    assert (made.name, made.fate) == (name, fate)


SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "minimum": {"type": "integer", "minimum": 1},
        "list": {"type": "array", "items": {"anyOf": [{"pattern": "x"}, {"const": {"format": 1}}]}},
    },
}


def test_keywords_are_told_from_the_names_of_properties_and_from_values() -> None:
    assert keywords(SCHEMA) == {
        "type",
        "properties",
        "minimum",
        "items",
        "anyOf",
        "pattern",
        "const",
    }


def test_dropped_keywords_are_gone_and_the_servers_schema_is_as_it_was() -> None:
    view = ModelView(profile(schema_keywords_dropped=["minimum", "pattern", "format"]))
    made = view.schema(SCHEMA)
    assert made["properties"]["minimum"] == {"type": "integer"}
    assert made["properties"]["list"]["items"] == {"anyOf": [{}, {"const": {"format": 1}}]}
    assert SCHEMA["properties"]["minimum"]["minimum"] == 1
    assert ModelView(profile()).schema(SCHEMA) is SCHEMA


@pytest.mark.parametrize(("honours", "is_shown"), [(True, False), (False, True)])
def test_a_tool_for_apps_alone_is_shown_where_nobody_minds(honours: bool, is_shown: bool) -> None:
    tool = ToolDefinition("s", "t", metadata=Metadata(raw={"ui": {"visibility": ["app"]}}))
    view = ModelView(profile(tool_visibility_honoured=honours))
    assert (view.tool(tool) is not None) is is_shown


IMAGE = Content("image", data=b"x", mime="image/png")
MANY_LINES = {"lines": [f"{number} {'x' * 1000}" for number in range(300)]}
BOTH = ToolResult(True, "2 notes", content=(Content("text", "2 notes"),), structured={"n": ["a"]})


def result(client: dict[str, Any], given: ToolResult) -> tuple[ToolResult, list[str]]:
    seen, issues = ModelView(profile(**client)).result(given)
    return seen, [issue.message for issue in issues]


def test_a_client_of_text_alone_loses_what_only_the_structured_half_says() -> None:
    seen, said = result({"structured_content": {"model_sees": "text"}}, BOTH)
    assert (seen.output, seen.structured) == ("2 notes", None)
    assert said == ["Theirs: the model does not get structuredContent"]


def test_a_client_of_the_structured_half_loses_the_text() -> None:
    seen, said = result({"structured_content": {"model_sees": "structured"}}, BOTH)
    assert (seen.output, seen.structured) == ("", {"n": ["a"]})
    assert said == ["Theirs: the model gets structuredContent, and not the text"]


def test_of_an_error_another_half_may_count() -> None:
    error = ToolError("ToolError", "no", ErrorCode.TOOL_ERROR)
    given = ToolResult(False, "no", error, (Content("text", "no"),), structured={"why": "full"})
    rule = {"model_sees": "structured", "of_errors": "text"}
    seen, _ = result({"structured_content": rule}, given)
    assert (seen.output, seen.structured) == ("no", None)


def test_where_nobody_knows_which_half_counts_both_stay_and_that_is_said() -> None:
    seen, said = result({}, BOTH)
    assert seen is BOTH
    assert said == ["Theirs: nobody says whether the model gets structuredContent"]


def test_pictures_stay_where_they_are_shown_and_go_where_they_are_not() -> None:
    given = ToolResult(True, "red", content=(Content("text", "red"), IMAGE))
    rule = {"embedded_resource": True, "linked_resource": True}
    seen, said = result({"images_to_model": {"content": False, **rule}}, given)
    assert (seen.content, said) == (
        given.content[:1],
        ["Theirs: the model does not get the picture"],
    )
    assert result({"images_to_model": {"content": True, **rule}}, given) == (given, [])


@pytest.mark.parametrize(
    ("limit", "most"),
    [({"characters": 100}, 100), ({"tokens": 10}, 40), ({"characters": 100, "tokens": 10}, 40)],
)
def test_a_long_result_ends_at_the_limit(limit: dict[str, int], most: int) -> None:
    given = ToolResult(True, "x" * 200, content=(Content("text", "x" * 200),))
    seen, said = result({"result_limit": {**limit, "over": "cut"}}, given)
    assert (len(seen.output), said) == (most, ["Theirs: the model gets the beginning alone"])


@pytest.mark.parametrize(
    ("text", "structured", "lost", "loses_text"),
    [
        ('{"a": 1, "b": [true, "x"]}', {"b": [True, "x"], "a": 1}, 0, False),
        ("5 items", {"items": ["milk", "eggs"]}, 2, True),
        ("milk\neggs", {"items": ["milk", "eggs"]}, 0, False),
        ("milk", {"result": "milk"}, 0, False),
        ("", {"a": 1}, 1, False),
        ("hello\n", {"content": "hello\n"}, 0, False),
        ("x" * 300_000, {"content": "x" * 300_000}, 0, False),
        ("page " * 60_000, {"status": 200}, 0, True),
        (json.dumps(MANY_LINES), MANY_LINES, 0, False),
        ('{"a": 1, "hint": "read on"}', {"a": 1}, 0, True),
    ],
)
def test_the_two_halves_are_compared_by_what_they_say(
    text: str, structured: object, lost: int, loses_text: bool
) -> None:
    given = ToolResult(True, text, structured=structured)
    assert (lost_without_structured(given), lost_without_text(given)) == (lost, loses_text)
