"""What a server was given in confidence is in nothing that is shown, whatever the server does.

A result is shown without secrets, and never looked through without a bound.
"""

from __future__ import annotations

import json
import time
from typing import Any

import pytest

from desktop.config.models import ServerConfig
from desktop.config.secrets import secrets_of
from desktop.redaction.policy import PLACEHOLDER
from desktop.redaction.redactor import (
    MAX_TEXT_LENGTH,
    MAX_VALUES,
    Redaction,
    redact_bounded,
    redact_result,
    redact_value,
)
from desktop.values.tool_types import Content, ErrorCode, ToolError, ToolResult

KNOWN = Redaction(["t0ken"])


def test_every_part_of_a_result_is_looked_through() -> None:
    result = ToolResult(
        success=False,
        output="t0ken",
        error=ToolError("E", "it was t0ken", ErrorCode.TOOL_ERROR),
        content=(Content("link", text="t0ken", uri="a://t0ken", name="t0ken", data=b"x"),),
        structured={"a": ["t0ken"]},
        meta={"t0ken": "t0ken"},
    )
    shown = redact_result(result, KNOWN)
    assert "t0ken" not in repr(shown)
    assert shown.content[0].data == b"x"
    assert shown.structured == {"a": ["‹redacted›"]}
    assert result.output == "t0ken"


def test_a_long_text_is_cut_and_says_so() -> None:
    text = redact_bounded("x" * (MAX_TEXT_LENGTH - 3) + "t0ken" + "y" * 100, KNOWN)
    assert "t0k" not in text
    assert text.endswith("[102 more characters are not shown here]")


def test_a_large_or_deep_value_is_left_out() -> None:
    deep: list[Any] = []
    for _ in range(5_000):
        deep = [deep]
    assert redact_value([0] * MAX_VALUES, KNOWN) is None
    assert redact_value({"a": "x" * (MAX_TEXT_LENGTH + 1)}, KNOWN) is None
    assert redact_value({"x" * (MAX_TEXT_LENGTH + 1): 1}, KNOWN) is None
    assert redact_value(["x" * MAX_TEXT_LENGTH, "x"], KNOWN) is None
    assert redact_value({str(n): n for n in range(MAX_VALUES)}, KNOWN) is None
    assert redact_value(deep, KNOWN) is None
    assert redact_value({"a": None}, KNOWN) == {"a": None}


def test_what_is_just_small_enough_is_looked_through() -> None:
    text = "x" * MAX_TEXT_LENGTH
    assert redact_bounded(text, KNOWN) == text
    assert redact_value(text, KNOWN) == text
    assert redact_value([0] * (MAX_VALUES - 1), KNOWN) is not None


TOKEN = 'xoxb-"quoted"/päss\\word'


def stdio(**fields: Any) -> ServerConfig:
    return ServerConfig.checked(name="a", transport="stdio", command="run", **fields)


def test_a_servers_secrets_are_in_its_environment_headers_arguments_and_url() -> None:
    program = stdio(
        env={"API_TOKEN": "t0ken", "LANG": "de_DE", "AUTH_MODE": "none", "PAT": "abc"},
        args=("--api-key", "k3y-value", "--password=pa55word", "--verbose", "folder"),
    )
    web = ServerConfig.checked(
        name="b",
        transport="http",
        url="https://user:p%40ss1@host/mcp?api_key=qu3ry&page=7000",
        headers={"Authorization": "Bearer b3arer", "Accept-Language": "german"},
    )

    assert secrets_of(program) == {"t0ken", "k3y-value", "pa55word"}
    assert secrets_of(web) == {"Bearer b3arer", "b3arer", "qu3ry", "p%40ss1", "p@ss1"}


@pytest.mark.parametrize("depth", [0, 1, 2])
@pytest.mark.parametrize("ascii_only", [True, False])
def test_a_known_value_is_found_however_json_writes_it(depth: int, ascii_only: bool) -> None:
    text = f"before {TOKEN} after"
    for _ in range(depth):
        text = json.dumps(text, ensure_ascii=ascii_only)
    assert Redaction([TOKEN]).text(text).strip('"\\') == f"before {PLACEHOLDER} after"


def test_a_known_value_is_found_where_json_escapes_its_slashes() -> None:
    assert Redaction(["a/b/c-value"]).text(r'"a\/b\/c-value"') == f'"{PLACEHOLDER}"'


def test_of_one_secret_within_another_nothing_is_left() -> None:
    assert Redaction(["abcd", "abcdefgh"]).text("abcdefgh abcd") == f"{PLACEHOLDER} {PLACEHOLDER}"


def test_members_named_like_secrets_are_hidden_at_any_depth() -> None:
    value = {
        "apiKey": "a1",
        "credentials": {"user": "u1", "pin": 1234, "on": True, "more": [["m1"]], "none": None},
        "list": [{"password": "p1", "name": "n1"}],
        "variables": [{"name": "GITHUB_TOKEN", "value": "v1"}, {"name": "LANG", "value": "de"}],
    }
    hidden = {
        "user": PLACEHOLDER,
        "pin": PLACEHOLDER,
        "on": True,
        "more": [[PLACEHOLDER]],
        "none": None,
    }
    assert Redaction().value(value) == {
        "apiKey": PLACEHOLDER,
        "credentials": hidden,
        "list": [{"password": PLACEHOLDER, "name": "n1"}],
        "variables": [
            {"name": "GITHUB_TOKEN", "value": PLACEHOLDER},
            {"name": "LANG", "value": "de"},
        ],
    }


def test_a_schema_keeps_what_describes_a_secret() -> None:
    described = {"token": {"type": "string", "description": "Yours"}, "auth": True}
    for place in ("properties", "patternProperties", "$defs", "definitions"):
        assert Redaction().value({place: described}) == {place: described}


def test_what_the_protocol_calls_a_token_stays() -> None:
    value = {"_meta": {"progressToken": 12345}, "maxTokens": 4000, "author": "Jane", "keywords": 1}
    assert Redaction().value(value) == value
    assert Redaction().text(json.dumps(value)) == json.dumps(value)


@pytest.mark.parametrize(
    "text",
    [
        "API_KEY=h1dden-value",
        'he said {"access_token": "h1dden-value"}',
        r'"{\"access_token\": \"h1dden-value\"}"',
        "Authorization: Bearer h1dden-value",
        "a bearer h1dden-value",
        "https://me:h1dden-value@host/path",
        '{"cut": 1, "password":"h1dden-val',
    ],
)
def test_credentials_in_prose_are_hidden(text: str) -> None:
    shown = Redaction().text(text)
    assert "h1dden" not in shown
    assert PLACEHOLDER in shown


def test_prose_without_credentials_is_left_alone() -> None:
    text = "The tool: reads a file. Key points: none. 12:30 a=1; see https://host/path?page=2"
    assert Redaction(["secret value"]).text(text) == text


def test_half_a_secret_at_the_end_of_a_cut_text_is_hidden_too() -> None:
    redaction = Redaction(["0123456789"])
    assert redaction.cut_text("it is 01234567") == f"it is {PLACEHOLDER}"
    assert redaction.cut_text("it is 012") == f"it is {PLACEHOLDER}"
    assert redaction.cut_text("01234") == PLACEHOLDER
    assert redaction.cut_text("it is 123") == "it is 123"
    assert redaction.text("it is 01234567") == "it is 01234567"


def test_one_or_two_characters_at_the_end_of_a_cut_text_are_no_half_secret() -> None:
    assert Redaction(["0123456789"]).cut_text("version 0, 01") == "version 0, 01"


def test_of_two_secrets_that_may_be_cut_the_longer_part_is_hidden_in_any_order() -> None:
    # A set of texts has another order with each pair of them, and in each process.
    for number in range(50):
        secrets = f"Zq7-a{number:03}cdefgh", f"a{number:03}xyz1234"
        for given in (secrets, secrets[::-1]):
            cut = Redaction(given).cut_text(f"value Zq7-a{number:03}")
            assert cut == f"value {PLACEHOLDER}"


@pytest.mark.parametrize(
    ("secrets", "text"),
    [
        (("abcdef", "defghi"), "value abcdef"),
        (("abcdef", "efghij"), "value abcdefgh"),
        (('a"quoted"one',), 'value a\\"quo'),
    ],
    ids=["whole one longer", "one over another", "as JSON writes it"],
)
def test_no_part_of_a_secret_is_left_before_one_that_was_cut(
    secrets: tuple[str, ...], text: str
) -> None:
    assert Redaction(secrets).cut_text(text) == f"value {PLACEHOLDER}"


@pytest.mark.parametrize(
    "text", ["a" * 300_000, "a " * 150_000, "token" + " " * 300_000, "\\" * 9999]
)
def test_hostile_text_takes_linear_time(text: str) -> None:
    began = time.process_time()
    Redaction(["abcdef"]).text(text)
    assert time.process_time() - began < 5  # quadratic would take minutes


def test_a_redaction_does_not_tell_its_secrets() -> None:
    assert TOKEN not in repr(Redaction([TOKEN]))


def test_a_value_nested_too_deeply_is_refused() -> None:
    value: list[Any] = []
    for _ in range(100_000):
        value = [value]
    with pytest.raises(RecursionError):
        Redaction().value(value)
