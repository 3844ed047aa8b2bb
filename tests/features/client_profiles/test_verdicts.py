"""The verdict of each client on a server, and the sentences behind it."""

from __future__ import annotations

from typing import Any

import pytest

from desktop.features.client_profiles.profiles import all_profiles, find_profile
from desktop.features.client_profiles.verdicts import (
    ClientVerdict,
    EarlierResult,
    Surface,
    VerdictKind,
    judge,
)
from desktop.values.tool_types import Content, Metadata, ToolDefinition, ToolResult
from tests.features.client_profiles.making import profile

OBJECT: dict[str, Any] = {"type": "object"}
WELL = {"tool_name_rule": {"max": 64, "bad": "unknown", "over": "left out"}}
"""A client of which enough is known."""


def tool(name: str = "read", schema: dict[str, Any] = OBJECT, **more: Any) -> ToolDefinition:
    return ToolDefinition("notes", name, input_schema=schema, **more)


def of(client: dict[str, Any], *tools: ToolDefinition, **more: Any) -> ClientVerdict:
    rules = client.pop("rules", [])
    (verdict,) = judge(Surface("notes", tools, **more), [profile(*rules, **client)])
    return verdict


def said(verdict: ClientVerdict) -> str:
    return "\n".join(finding.message for finding in verdict.findings)


def test_a_server_that_breaks_nothing_works() -> None:
    assert of({**WELL}, tool()).verdict == VerdictKind.WORKS


def test_without_data_there_is_no_verdict() -> None:
    verdict = of({}, tool())
    assert (verdict.verdict, verdict.findings) == (VerdictKind.UNKNOWN, ())
    declaring = of({**WELL}, tool(output_schema=OBJECT))
    assert (declaring.verdict, "structured_content" in declaring.unknown) == (
        VerdictKind.UNKNOWN,
        True,
    )


def test_what_is_known_to_fail_fails_however_much_else_is_unknown() -> None:
    limit = {"max": 1, "per": "request", "over": "refused"}
    assert of({"max_tools": limit}, tool("a"), tool("b")).verdict == VerdictKind.REFUSED


@pytest.mark.parametrize(
    ("over", "bad", "name", "verdict"),
    [
        ("left out", "unknown", "a" * 65, VerdictKind.NOT_SHOWN),
        ("refused", "unknown", "a" * 65, VerdictKind.REFUSED),
        ("cut", "unknown", "a" * 65, VerdictKind.RENAMED),
        ("hashed", "unknown", "a" * 65, VerdictKind.RENAMED),
        ("unknown", "unknown", "a" * 65, VerdictKind.UNKNOWN),
        ("cut", "replaced", "a.b", VerdictKind.RENAMED),
        ("cut", "left out", "a.b", VerdictKind.NOT_SHOWN),
        ("cut", "unknown", "a.b", VerdictKind.UNKNOWN),
    ],
)
def test_a_name_that_breaks_the_rule_has_the_fate_that_is_known(
    over: str, bad: str, name: str, verdict: VerdictKind
) -> None:
    rule = {"max": 64, "allowed": "A-Za-z0-9_-", "over": over, "bad": bad}
    found = of({"tool_name_rule": rule}, tool(name), tool("fine"))
    assert found.verdict == verdict
    (finding,) = found.findings
    assert finding.tools == (name,)
    assert not found.of("fine")


def test_two_tools_that_get_one_name_are_said() -> None:
    rule = {"max": 10, "over": "cut", "bad": "unknown"}
    found = of({"tool_name_rule": rule}, tool("a" * 12), tool("a" * 13))
    assert found.verdict == VerdictKind.NOT_SHOWN
    assert "one name for its model" in said(found)


def test_long_descriptions_and_instructions_are_cut() -> None:
    limit = {"tool": 20, "instructions": 10}
    client = {**WELL, "description_limit": limit}
    found = of(client, tool(description="x" * 21), instructions="y" * 11)
    assert found.verdict == VerdictKind.CUT
    assert "20 characters" in said(found)
    assert "10 characters of 11" in said(found)


def test_keywords_that_are_dropped_are_named_with_their_tools() -> None:
    schema = {"type": "object", "properties": {"n": {"minimum": 1, "title": "N"}}}
    found = of(
        {**WELL, "schema_keywords_dropped": ["minimum", "format"]}, tool("a", schema), tool()
    )
    assert (found.verdict, found.findings[0].tools) == (VerdictKind.CUT, ("a",))
    assert said(found) == "Its model is not told minimum of arguments: a."


def test_a_keyword_that_tells_a_model_nothing_is_not_missed() -> None:
    schema = {"$schema": "x", "type": "object", "additionalProperties": False}
    lost = {"schema_keywords_dropped": ["$schema", "additionalProperties"]}
    assert of({**WELL, **lost}, tool("a", schema)).verdict == VerdictKind.WORKS
    told = {"type": "object", "additionalProperties": {"type": "string"}}
    assert of({**WELL, **lost}, tool("a", told)).verdict == VerdictKind.CUT


UNION: dict[str, Any] = {"anyOf": [OBJECT]}
DRAFT_07 = {"$schema": "http://json-schema.org/draft-07/schema#"}
NEWEST = {"$schema": "https://json-schema.org/draft/2020-12/schema"}


@pytest.mark.parametrize(
    ("where", "when", "more", "broken", "fine"),
    [
        ("inputSchema", "top-level union", {}, UNION, OBJECT),
        ("inputSchema", "top-level union of no object", {}, UNION, OBJECT | UNION),
        ("inputSchema", "list of types", {}, {"properties": {"a": {"type": ["null"]}}}, OBJECT),
        ("inputSchema", "property name", {"pattern": "[a-z]+"}, {"properties": {"A": {}}}, OBJECT),
        ("inputSchema", "larger than", {"bytes": 20}, {"title": "x" * 20}, OBJECT),
        ("outputSchema", "type is no object", {}, {"type": "array"}, OBJECT),
        ("outputSchema", "has anyOf", {}, {"properties": {"a": UNION}}, OBJECT),
        ("outputSchema", "older dialect", {}, OBJECT | DRAFT_07, OBJECT | NEWEST),
        ("outputSchema", "older dialect", {}, OBJECT | DRAFT_07, OBJECT),
    ],
)
def test_a_schema_that_a_client_cannot_take_is_found(
    where: str, when: str, more: dict[str, Any], broken: dict[str, Any], fine: dict[str, Any]
) -> None:
    rule: dict[str, object] = {"where": where, "when": when, "then": "all refused", **more}
    client = {
        "tool_name_rule": WELL["tool_name_rule"],
        "structured_content": {"model_sees": "both"},
    }

    def made(name: str, schema: dict[str, Any]) -> ToolDefinition:
        is_input = where == "inputSchema"
        return tool(name, schema) if is_input else tool(name, output_schema=schema)

    found = of({**client, "rules": [rule]}, made("bad", broken), made("good", fine))
    assert (found.verdict, found.findings[0].tools) == (VerdictKind.REFUSED, ("bad",)), said(found)


def test_a_rule_of_servers_with_apps_leaves_others_alone() -> None:
    rule: dict[str, object] = {
        "where": "outputSchema", "when": "has anyOf", "then": "server refused", "with_app": True
    }  # fmt: skip
    client = {**WELL, "structured_content": {"model_sees": "both"}, "rules": [rule]}
    plain, app = tool(output_schema=OBJECT | UNION), {"ui": {"resourceUri": "ui://a"}}
    assert of({**client}, plain).verdict == VerdictKind.WORKS
    assert (
        of({**client}, plain, tool("b", metadata=Metadata(raw=app))).verdict == VerdictKind.REFUSED
    )


def called(result: ToolResult) -> dict[str, Any]:
    return {"results": [EarlierResult("read", result)]}


BOTH = ToolResult(True, "2 notes", structured={"notes": ["milk", "eggs"]})


@pytest.mark.parametrize(
    ("sees", "verdict", "words"),
    [
        ("text", VerdictKind.NOT_SHOWN, "The text of read lacks 2."),
        ("structured", VerdictKind.NOT_SHOWN, "and not the text, which has words of its own"),
        ("both", VerdictKind.WORKS, ""),
    ],
)
def test_a_recorded_result_says_which_half_is_lost(
    sees: str, verdict: VerdictKind, words: str
) -> None:
    client = {**WELL, "structured_content": {"model_sees": sees}}
    found = of({**client}, tool(), **called(BOTH))
    assert (found.verdict, words in said(found)) == (verdict, True)


def test_without_results_the_half_that_counts_is_a_remark() -> None:
    client = {**WELL, "structured_content": {"model_sees": "text"}}
    found = of({**client}, tool(output_schema=OBJECT))
    assert (found.verdict, "not structuredContent" in said(found)) == (VerdictKind.WORKS, True)


def test_pictures_large_results_and_slow_calls_are_found_in_results() -> None:
    image = Content("image", data=b"x", mime="image/png")
    result = ToolResult(True, "x" * 101, content=(image,), execution_time=61)
    no_images = {"content": False, "embedded_resource": False, "linked_resource": False}
    client = {
        **WELL,
        "images_to_model": no_images,
        "result_limit": {"characters": 100, "over": "file"},
        "timeout_default": 60,
    }
    found = of({**client}, tool(), **called(result))
    assert [each.verdict for each in found.findings] == [
        VerdictKind.REFUSED,
        VerdictKind.NOT_SHOWN,
        VerdictKind.CUT,
    ]


def test_remarks_do_not_change_a_verdict() -> None:
    client = {**WELL, "list_changed": {"tools": False}, "mcp_apps": False}
    app = {"ui": {"resourceUri": "ui://a"}}
    found = of({**client}, tool(metadata=Metadata(raw=app)), tells_changes=True)
    assert (found.verdict, len(found.findings)) == (VerdictKind.WORKS, 2)


def test_a_server_that_a_client_cannot_reach_is_refused() -> None:
    client = {**WELL, "transports": ["http"]}
    assert of({**client}, tool(), transport="stdio").verdict == VerdictKind.REFUSED
    assert of({**client}, tool()).verdict == VerdictKind.WORKS


def test_one_tool_alone_is_judged_with_the_number_of_all() -> None:
    tools = [tool(f"t{number}") for number in range(129)]
    surface = Surface("notes", tools).of(tools[0])
    (verdict,) = judge(surface, [find_profile("vscode")])
    assert (verdict.verdict, "there are 129" in said(verdict)) == (VerdictKind.REFUSED, True)


LONG = "GOOGLESHEETS_SPREADSHEETS_VALUES_BATCH_CLEAR_BY_DATA_FILTER"
REPORTS = [
    # ComposioHQ/composio#2788: server g, a tool of 59 characters, "length (60) exceeds 60".
    ("cursor", "g", [tool(LONG)], "not shown"),
    # microsoft/vscode#337428: "502 Cannot have more than 128 tools per request".
    ("vscode", "s", [tool(f"t{number}") for number in range(129)], "refused"),
    # anthropics/claude-code#56174: 400, "does not support oneOf, allOf, or anyOf at the top level".
    ("claude-code", "s", [tool("ads", UNION)], "refused"),
    # Wynelson94/longhand#10: an outputSchema of type array, and one of oneOf without a type.
    ("claude-code", "s", [tool("search", output_schema={"type": "array"})], "not shown"),
    # anthropics/claude-code#86142: "declares an unsupported dialect", in Claude Desktop 1.28929.0;
    # sweetrb/apple-mail-mcp#147: the same tools work without that line.
    ("claude-desktop-local", "s", [tool("status", output_schema=OBJECT | DRAFT_07)], "refused"),
    ("claude-desktop-local", "s", [tool("status", output_schema=OBJECT)], "unknown"),
    # anthropics/claude-code#86142: the same schema, in Claude Code 2.1.233.
    ("claude-code", "s", [tool("status", output_schema=OBJECT | DRAFT_07)], "works"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("client", "server", "tools", "verdict"),
    REPORTS,
    ids=[f"{each[0]} {each[3]}" for each in REPORTS],
)
def test_what_people_reported_is_what_is_said(
    client: str, server: str, tools: list[ToolDefinition], verdict: str
) -> None:
    (found,) = judge(Surface(server, tools), [find_profile(client)])
    assert found.verdict == verdict, said(found)


def test_the_text_that_claude_code_drops_is_the_one_of_the_report() -> None:
    """anthropics/claude-code#79944: other words in `content` than in `structuredContent`."""
    result = ToolResult(True, "CONTENT-MARKER", structured={"marker": "STRUCTURED-MARKER"})
    surface = Surface("s", [tool("both")], [EarlierResult("both", result)])
    verdicts = {each.profile.id: each for each in judge(surface, all_profiles())}
    assert verdicts["claude-code"].verdict == VerdictKind.NOT_SHOWN
    assert verdicts["gemini-cli"].verdict == VerdictKind.NOT_SHOWN
    assert verdicts["cline"].verdict == VerdictKind.WORKS
