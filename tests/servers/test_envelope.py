"""A message is told from another by its own members, however long the rest is."""

from __future__ import annotations

import json

import pytest

from desktop.servers.envelope import READ_WHOLE, UNREADABLE, MessageHeader, envelope

LONG = {"text": 'x", "id": 7}' * READ_WHOLE, "id": 5}


def text(**members: object) -> bytes:
    return json.dumps({"jsonrpc": "2.0", **members}).encode()


@pytest.mark.parametrize("payload", [{}, LONG], ids=["short", "long"])
def test_each_kind_is_known(payload: object) -> None:
    assert envelope(text(id=1, method="a/b", params=payload)) == MessageHeader("request", "a/b", 1)
    assert envelope(text(method="a/b", params=payload)) == MessageHeader("notification", "a/b")
    assert envelope(text(id="x", result=payload)) == MessageHeader("response", "", "x")
    assert envelope(text(id=2, error=payload)) == MessageHeader("error", "", 2)
    assert envelope(text(id=None, error=payload)) == MessageHeader("error")


@pytest.mark.parametrize("payload", [{}, LONG], ids=["short", "long"])
def test_the_members_may_come_after_the_payload(payload: object) -> None:
    body = json.dumps({"result": payload, "jsonrpc": "2.0", "id": 3}, indent=1).encode()
    assert envelope(body) == MessageHeader("response", "", 3)
    body = json.dumps({"method": "m", "params": payload, "jsonrpc": "2.0", "id": 4}).encode()
    assert envelope(body) == MessageHeader("request", "m", 4)


def test_what_a_request_is_about_is_known_where_it_is_short() -> None:
    assert envelope(text(id=1, method="tools/call", params={"name": "add"})).subject == "add"
    assert envelope(text(id=1, method="resources/read", params={"uri": "a://b"})).subject == "a://b"
    assert envelope(text(id=1, method="m", params={"name": 7})).subject == ""
    assert envelope(text(id=1, method="m", params=["name"])).subject == ""
    assert len(envelope(text(method="m", params={"name": "x" * 9000})).subject) == 200


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"Starting",
        b"[]",
        b"7",
        b"{}",
        b'{"jsonrpc": "2.0"}',
        b'{"jsonrpc": "1.0", "method": "a"}',
        b"[" * 10_000,
        b"\xff",
        b"x" * (READ_WHOLE + 1),
        b"{" + b" " * READ_WHOLE + b"}",
        b'{"jsonrpc": "2.0", "id": 1, "result": ' + b"x" * READ_WHOLE,
    ],
)
def test_anything_else_is_unreadable(body: bytes) -> None:
    assert envelope(body) == UNREADABLE
