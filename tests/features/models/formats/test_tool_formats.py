"""One tool, and one round of results, in each provider's format."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from desktop.features.models.formats import ApiFormat, Verdict, answer_messages, convert
from desktop.features.models.formats.declaration import PROVIDERS
from desktop.features.models.formats.tool_formats import MAX_CHARACTERS, describe, estimate_tokens
from desktop.values.tool_types import Metadata, ToolDefinition
from tests.features.models.answer_cases import answer
from tests.features.models.fixtures import FIXTURES, thing

PLAIN = ToolDefinition("s", "t", description="Does it.", input_schema=thing(a={"type": "string"}))


@pytest.mark.parametrize("api_format", ApiFormat)
def test_a_plain_tool_is_ok_and_has_an_estimate(api_format: ApiFormat) -> None:
    made = convert(PLAIN, "mcp__s__t", api_format)
    assert (made.key, made.verdict, made.changes, made.reason) == ("s:t", Verdict.OK, (), "")
    assert made.tokens == estimate_tokens(dict(made.body))


@pytest.mark.parametrize("name", ["", "1t", "a.b", "x" * 64])
def test_a_name_that_a_provider_refuses_is_a_reason(name: str) -> None:
    """LibreChat #7435, 5ire #403, cherry-studio #4087: 65 characters, a digit first."""
    made = convert(PLAIN, name, ApiFormat.GEMINI)
    assert made.verdict is Verdict.REJECTED
    assert made.reason.startswith("s:t is not offered to Gemini: no provider accepts the name")
    assert made.body == {}


def test_a_description_is_never_empty() -> None:
    assert describe(PLAIN) == "Does it."
    assert describe(replace(PLAIN, description=" ", title="Title")) == "Title"
    assert describe(replace(PLAIN, description="")) == "The tool t of s."
    assert describe(replace(PLAIN, description="a\0b\ud800")) == "ab?"


def test_a_tool_that_would_fill_the_request_is_rejected() -> None:
    made = convert(replace(PLAIN, description="x" * MAX_CHARACTERS), "t", ApiFormat.OPENAI)
    assert made.verdict is Verdict.REJECTED
    assert "characters, more than 250,000" in made.reason


@pytest.mark.parametrize("api_format", ApiFormat)
def test_a_tool_that_a_server_keeps_for_its_apps_is_not_sent_and_costs_nothing(
    api_format: ApiFormat,
) -> None:
    own = replace(PLAIN, metadata=Metadata(raw={"ui": {"visibility": ["app"]}}))
    made = convert(own, "t", api_format)
    assert (made.verdict, made.body, made.tokens) == (Verdict.REJECTED, {}, 0)
    assert made.reason.endswith("its server keeps it for its own apps.")


@pytest.mark.parametrize("name", [fixture.name for fixture in FIXTURES])
@pytest.mark.parametrize("api_format", ApiFormat)
def test_a_report_names_the_rules_of_no_other_provider(name: str, api_format: ApiFormat) -> None:
    fixture = next(each for each in FIXTURES if each.name == name)
    own = PROVIDERS[api_format]
    for change in convert(fixture.tool, "t", api_format, is_kept=False).changes:
        named = {provider for provider in PROVIDERS.values() if provider in change.sentence}
        assert named <= {own}, change.sentence


def test_what_is_repaired_says_where() -> None:
    made = convert(replace(PLAIN, input_schema={"type": "object"}), "t", ApiFormat.OPENAI)
    assert made.verdict is Verdict.REPAIRED
    assert [(change.kind, change.path) for change in made.changes] == [("added", "")]


def test_a_conversion_is_remembered_by_what_the_definition_says() -> None:
    made = convert(PLAIN, "n", ApiFormat.OPENAI)
    assert convert(PLAIN, "n", ApiFormat.OPENAI) is made
    assert convert(replace(PLAIN), "n", ApiFormat.OPENAI) is made
    changed = convert(replace(PLAIN, description="Other."), "n", ApiFormat.OPENAI)
    assert changed.body["function"]["description"] == "Other."


@pytest.mark.parametrize("api_format", ApiFormat)
def test_no_answers_are_no_messages(api_format: ApiFormat) -> None:
    assert answer_messages(api_format, []) == []


@pytest.mark.parametrize("api_format", ApiFormat)
def test_a_round_of_calls_is_answered_whole(api_format: ApiFormat) -> None:
    messages = answer_messages(api_format, [answer(call_id="a"), answer(call_id="b")])
    is_one = api_format in {ApiFormat.ANTHROPIC, ApiFormat.GEMINI}
    assert len(messages) == (1 if is_one else 2)


def test_four_bytes_are_a_token() -> None:
    assert estimate_tokens("") == 0
    assert estimate_tokens("abcd") == 1
    assert estimate_tokens("abcde") == 2
    assert estimate_tokens("工具名称") == 3
    assert estimate_tokens({"a": [1, 2]}) == 3
    assert estimate_tokens("\ud800") == 1
