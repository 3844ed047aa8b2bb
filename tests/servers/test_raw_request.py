"""A person's own request: any method goes out as it was written, bounded and marked as theirs."""

from __future__ import annotations

import json

import pytest

from desktop.base.errors import UsageError
from desktop.servers import raw_request
from desktop.servers.message_log import BY_HAND, MessageLog, RecordedMessage
from desktop.servers.raw_request import RawRequest, read_request, request_of, request_text, send_raw
from desktop.values.tool_types import ErrorCode
from tests.live_servers import connected, stdio, surroundings

SECRET = "s3cr3t-t0ken"


def recorded(**members: object) -> RecordedMessage:
    traffic = MessageLog()
    body = json.dumps({"jsonrpc": "2.0", **members}).encode()
    traffic.tap("server", [SECRET]).note("sent", body)
    return traffic.after(0)[0]


def test_a_request_is_taken_without_the_token_of_its_progress() -> None:
    params = {"name": "a", "arguments": {}, "_meta": {"progressToken": 3, "kept": 1}}
    request = request_of(recorded(id=3, method="tools/call", params=params))
    assert request == RawRequest("tools/call", {"name": "a", "arguments": {}, "_meta": {"kept": 1}})
    bare = request_of(recorded(id=3, method="ping", params={"_meta": {"progressToken": 3}}))
    assert bare == RawRequest("ping", {})


@pytest.mark.parametrize(
    "members",
    [
        {"method": "notifications/initialized"},
        {"id": 1, "result": {}},
        {"id": 1, "method": "initialize", "params": {}},
        {"id": 1, "method": "tools/call", "params": {"text": "x" * 100_000}},
    ],
)
def test_nothing_else_can_be_sent_again(members: dict[str, object]) -> None:
    assert request_of(recorded(**members)) is None


@pytest.mark.parametrize(
    ("method", "text", "words"),
    [
        (" ", "{}", "Name a method"),
        ("m" * 201, "{}", "Name a method"),
        ("initialize", "{}", "only once"),
        ("ping", "{", r"not JSON \(line 1, column 2\): Expecting"),
        ("ping", "[1]", "JSON object"),
        ("ping", "[" * 100_000, "nested too deeply"),
        ("ping", " " * 1_000_001, "too long"),
        ("ping", '{"other": "‹redacted›"}', "Write the secret"),
    ],
)
def test_what_cannot_be_sent_is_said(method: str, text: str, words: str) -> None:
    before = RawRequest("ping", {"token": SECRET})
    with pytest.raises(UsageError, match=words):
        read_request(method, text, before, recorded(id=1, method="ping", params=before.params))


def test_a_hidden_secret_that_was_left_alone_is_sent_as_it_was() -> None:
    params = {"name": "a", "arguments": {"key": SECRET, "list": [f"x{SECRET}", 1], "n": 1}}
    message = recorded(id=1, method="tools/call", params=params)
    request = request_of(message)
    assert request is not None
    text = request_text(request, message)
    assert SECRET not in text
    changed = text.replace('"n": 1', '"n": 2')
    read = read_request(" tools/call ", changed, request, message)
    arguments = {"key": SECRET, "list": [f"x{SECRET}", 1], "n": 2}
    assert read == RawRequest("tools/call", {"name": "a", "arguments": arguments})


@pytest.mark.parametrize("era", ["legacy", "auto"])
async def test_it_goes_over_the_connection_and_is_marked_with_its_answer(era: str) -> None:
    around = surroundings()
    async with connected(stdio("plain", era=era), around) as server:
        before = around.traffic.last
        params = {"name": "echo", "arguments": {"message": "hi", "extra": None}}
        call_id, error = await send_raw(server, RawRequest("tools/call", params))
        assert error is None
        assert call_id.startswith(BY_HAND)
        request, answer = around.traffic.after(before)
        assert (request.call_id, answer.call_id) == (call_id, call_id)
        sent = json.loads(request.body)["params"]
        assert (sent["name"], sent["arguments"]) == ("echo", params["arguments"])
        assert json.loads(answer.body)["result"]["content"][0]["text"] == "hi"


async def test_what_a_server_does_not_know_is_an_answer_and_no_failure_of_the_app() -> None:
    around = surroundings()
    async with connected(stdio("plain"), around) as server:
        before = around.traffic.last
        _, error = await send_raw(server, RawRequest("no/such", None))
        assert error is not None
        assert error.code == ErrorCode.PROTOCOL
        assert [message.kind for message in around.traffic.after(before)] == ["request", "error"]


async def test_it_ends_with_the_limit_of_its_server() -> None:
    async with connected(stdio("plain", timeout=1)) as server:
        params = {"name": "slow", "arguments": {"seconds": 60, "steps": 1}}
        _, error = await send_raw(server, RawRequest("tools/call", params))
        assert error is not None
        assert error.code == ErrorCode.TIMEOUT


def test_what_only_the_app_may_send_is_named_once() -> None:
    assert "initialize" in raw_request.NOT_BY_HAND
