"""What an error of a provider means."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import pytest

from desktop.base.refusal_words import find_words
from desktop.features.chat.llm.services.errors import (
    connection_error,
    http_error,
    read_retry_after,
    shorten,
)

QUOTA = {"error": {"message": "You exceeded your current quota", "code": "insufficient_quota"}}
GOOGLE = {
    "error": {
        "code": 429,
        "message": "You exceeded your current quota, see billing",
        "status": "RESOURCE_EXHAUSTED",
        "details": [{"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "26.5s"}],
    }
}
TOO_LONG = "The input token count (1196265) exceeds the maximum number of tokens allowed"
GOOGLE_KEY = {"error": {"code": 400, "message": "API key not valid.", "status": "INVALID_ARGUMENT"}}


def anthropic(kind: str) -> Any:
    return {"type": "error", "error": {"type": kind, "message": "said so"}}


@pytest.mark.parametrize(
    ("status", "body", "kind", "is_transient"),
    [
        (400, {"message": "no", "code": "context_length_exceeded"}, "context", False),
        (400, {"error": {"message": "input exceeds the available context size"}}, "context", False),
        (400, {"error": {"message": TOO_LONG}}, "context", False),
        (400, "input length and `max_tokens` exceed context limit: 1 + 2 > 3", "context", False),
        (400, GOOGLE_KEY, "key", False),
        (402, None, "rate", False),
        (422, ["?"], "request", False),
        (429, QUOTA, "rate", False),
        (429, GOOGLE, "rate", True),
        (408, None, "provider", True),
        (504, "<html>", "provider", True),
        (529, anthropic("overloaded_error"), "overloaded", True),
        # inside a stream, where the status said that all was well
        (200, anthropic("overloaded_error"), "overloaded", True),
        (0, {"code": "rate_limit_exceeded", "message": "slow"}, "rate", True),
        (0, {"code": "server_error", "message": "sorry"}, "provider", True),
        (0, [{"error": {"code": 503, "message": "x"}}], "overloaded", True),
        (0, {"error": {"code": "502", "message": "upstream died"}}, "provider", True),
        (0, {"error": "this model does not support tools"}, "request", False),
        (0, {"object": "error", "message": "maximum context length is 9"}, "context", False),
        (0, None, "provider", True),
    ],
)
def test_the_kind_is_read_from_status_and_body(
    status: int, body: object, kind: str, is_transient: bool
) -> None:
    error = http_error("Them", status, body)
    assert (error.kind, error.is_transient) == (kind, is_transient)
    assert "Them" in error.message


@pytest.mark.parametrize(
    "body",
    [
        "It is WHY.",
        {"error": "It is WHY."},
        {"error": {"message": "It is WHY.", "code": None}},
        {"error": {"message": {"detail": "It is WHY."}}},
        {"detail": "It is WHY."},
        {"detail": [{"msg": "It is WHY.", "type": "value_error"}]},
        {"errors": [{"code": 7003, "message": "It is WHY."}], "messages": []},
        {"errors": {"model": {"a": {}}}, "title": "It is WHY."},
        {"error_code": 17, "error_msg": "It is WHY."},
        {"msg": "It is WHY.", "code": 1002},
        [{"error": {"message": "It is WHY."}}],
        {"error": {"message": "", "metadata": {"raw": '{"detail": "It is WHY."}'}}},
        "<!doctype html><html><head><title> It is WHY. </title></head><body>x</body></html>",
        "<html><body><h1>It is WHY.</h1><hr>nginx</body></html>",
        "<b>It is WHY.</b>",
    ],
)
def test_the_words_of_a_provider_are_found_wherever_they_are(body: object) -> None:
    assert http_error("Them", 400, body).message == "Them refused the request: It is WHY."


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"detail": [{"loc": ["body", "tools"], "msg": "is required"}]}, "body.tools: is required"),
        ({"errors": {"model": ["?"]}, "title": "It is wrong."}, "It is wrong. model: ?"),
        ({"error": {"details": [{"field": "top_p", "reason": "too large"}]}}, "top_p: too large"),
        ({"errors": [{"message": "one"}, {"message": "two"}, {"message": "one"}]}, "one; two"),
    ],
)
def test_the_part_that_is_wrong_is_told_where_a_provider_names_it(body: object, words: str) -> None:
    assert http_error("Them", 400, body).message == f"Them refused the request: {words}"


def test_the_words_behind_a_proxy_are_told_with_its_own() -> None:
    raw = {"metadata": {"raw": "bad schema", "provider_name": "X"}, "message": "Provider failed"}
    assert find_words({"error": raw}) == "Provider failed: bad schema"


@pytest.mark.parametrize("body", [None, {}, [], {"error": None}, {"message": 7}, {"id": "x"}, 4])
def test_a_body_without_words_has_none(body: object) -> None:
    assert find_words(body) == ""


def test_words_are_looked_for_to_a_depth() -> None:
    body: Any = "too deep"
    for _ in range(100):
        body = {"error": body}
    assert find_words(body) == ""


def test_a_server_may_say_whether_to_come_back() -> None:
    assert not http_error("x", 503, None, {"x-should-retry": "false"}).is_transient
    assert http_error("x", 400, None, {"x-should-retry": "true"}).is_transient


def test_a_server_may_say_when_to_come_back() -> None:
    assert read_retry_after({"retry-after-ms": "1500", "retry-after": "9"}) == 1.5
    assert read_retry_after({"retry-after": "0"}) == 0
    assert read_retry_after({"retry-after": "-5"}) == 0
    assert read_retry_after({"retry-after": "nan"}) is None
    assert read_retry_after({"retry-after": "soon"}) is None
    assert read_retry_after({}) is None
    soon = read_retry_after(
        {"retry-after": format_datetime(datetime.now(UTC) + timedelta(hours=1))}
    )
    assert soon is not None
    assert 3500 < soon <= 3600
    assert http_error("x", 429, GOOGLE).retry_after == 26.5


def test_words_of_a_provider_are_one_short_line_without_a_secret() -> None:
    assert shorten("a\n\n b\x1b[31m\u0000") == "a b[31m"
    assert len(shorten("x" * 10_000)) == 500
    assert "hunter22" not in shorten("password=hunter22")


def test_a_lost_connection_says_why() -> None:
    assert "refused" in connection_error("x", OSError("refused")).message
    assert "OSError" in connection_error("x", OSError()).message


def test_an_address_that_nothing_listens_at_is_named() -> None:
    address = "http://127.0.0.1:1/v1"
    refused = connection_error("smol", OSError("All connection attempts failed"), address)
    assert refused.message == "Nothing listens at http://127.0.0.1:1/v1."
    assert refused.remedy == "Is the model's server running?"
    elsewhere = connection_error("X", OSError(), "https://x.example/v1")
    assert "X (https://x.example/v1)" in elsewhere.message
    broken = connection_error("smol", OSError("incomplete chunked read"), was_open=True)
    assert broken.message == "The connection to smol broke off."


def test_the_hour_of_a_long_wait_is_told() -> None:
    error = http_error("Anthropic", 429, {"error": {"message": "x"}}, {"retry-after": "3600"})
    hour = time.strftime("%H:%M", time.localtime(time.time() + 3600))
    later = time.strftime("%H:%M", time.localtime(time.time() + 3601))
    assert error.remedy in {
        f"It answers again in 60 minutes, at {at}. Or choose another model." for at in (hour, later)
    }
    assert "Wait a little" in http_error("A", 429, None, {"retry-after": "5"}).remedy
