"""Only what is on the wire is heard of HTTP, however it is packed; nothing of it is changed."""

from __future__ import annotations

import gzip
import json
import zlib
from typing import TYPE_CHECKING

import httpx2
import pytest

from desktop.servers import listening
from desktop.servers.traffic import MessageLog

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

REQUEST = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
ANSWER = json.dumps({"jsonrpc": "2.0", "id": 1, "result": {}}).encode()
EVENTS = (
    b": hello\r\nevent: endpoint\r\ndata: /messages\r\n\r\nid: 7\ndata: %s\n\ndata:\n\n" % ANSWER
)


class Pieces(httpx2.AsyncByteStream):
    """A body that comes a few bytes at a time."""

    def __init__(self, body: bytes) -> None:
        self._body = body

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for at in range(0, len(self._body), 7):
            yield self._body[at : at + 7]


async def exchange(
    body: bytes, kind: str, *, coding: str = "", status: int = 200, method: str = "POST"
) -> tuple[bytes, list[tuple[str, str]]]:
    """What a client reads of this answer, and what was noted of it all."""
    traffic = MessageLog()
    tap = traffic.tap("web")
    headers = {"content-type": kind} | ({"content-encoding": coding} if coding else {})

    def answer(_: httpx2.Request) -> httpx2.Response:
        return httpx2.Response(status, headers=headers, stream=Pieces(body))

    async def on_request(request: httpx2.Request) -> None:
        listening.note_request(tap, request)

    async def on_response(response: httpx2.Response) -> None:
        listening.note_response(tap, response)

    hooks = {"request": [on_request], "response": [on_response]}
    transport = httpx2.MockTransport(answer)
    async with httpx2.AsyncClient(transport=transport, event_hooks=hooks) as client:
        sent = REQUEST if method == "POST" else None
        response = await client.request(method, "http://host/mcp", json=sent)
    return response.content, [(one.direction, one.kind) for one in traffic.after(0)]


SENT, RECEIVED = ("sent", "request"), ("received", "response")


async def test_a_request_and_its_answer() -> None:
    assert await exchange(ANSWER, "application/json") == (ANSWER, [SENT, RECEIVED])


async def test_events_that_are_messages() -> None:
    read, noted = await exchange(EVENTS, "text/event-stream; charset=utf-8")
    assert (read, noted) == (EVENTS, [SENT, RECEIVED])


@pytest.mark.parametrize("coding", ["gzip", "deflate"])
@pytest.mark.parametrize("kind", ["application/json", "text/event-stream"])
async def test_packed_answers(coding: str, kind: str) -> None:
    body = ANSWER if kind == "application/json" else EVENTS
    packed = gzip.compress(body) if coding == "gzip" else zlib.compress(body)
    assert await exchange(packed, kind, coding=coding) == (body, [SENT, RECEIVED])


async def test_a_coding_that_is_not_known_is_left_to_the_client() -> None:
    _, noted = await exchange(ANSWER, "application/json", coding="unheard-of")
    assert noted == [SENT]


async def test_what_is_said_beside_messages_is_not_noted() -> None:
    assert (await exchange(b"Accepted", "text/plain", status=202))[1] == [SENT]
    assert (await exchange(b"", "application/json"))[1] == [SENT]
    assert (await exchange(b"No", "text/plain", status=405, method="GET"))[1] == []
    assert (await exchange(ANSWER, "application/json", method="DELETE"))[1] == []


async def test_a_page_instead_of_an_answer_is_noted() -> None:
    _, noted = await exchange(b"<html>", "text/html", status=502)
    assert noted == [SENT, ("received", "unreadable")]


async def test_an_event_longer_than_the_limit_is_left_to_the_client(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(listening, "LINE_LIMIT", 10)
    assert await exchange(EVENTS, "text/event-stream") == (EVENTS, [SENT])
