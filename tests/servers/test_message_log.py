"""Every message is noted as it was on the wire, whatever the wire; the ring keeps its bounds.

What is shown and exported of a message is readable, and without a secret of its server.

A message is told from another by its own members, however long the rest is.
"""

from __future__ import annotations

import asyncio
import json
import logging
from typing import TYPE_CHECKING, Any

import pytest

from desktop.base.tasks import spawn
from desktop.redaction.policy import PLACEHOLDER
from desktop.servers import message_log
from desktop.servers.message_log import (
    BODY,
    READ_WHOLE,
    UNREADABLE,
    MessageHeader,
    MessageLog,
    RecordedMessage,
    document,
    envelope,
    json_lines,
    pretty,
)
from desktop.servers.transport import message_stream
from desktop.servers.transport.launch import LaunchResolver
from desktop.servers.transport.prestart import Prestarter
from tests.live_servers import connected, stdio, surroundings
from tests.patience import LIMIT

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from desktop.servers.context import ConnectionContext
    from tests.web_servers import WebServer

TOKEN = "s3cr3t-t0ken/42"


def noted(body: bytes, *secrets: str) -> RecordedMessage:
    ring = MessageLog()
    ring.tap("server", secrets).note("received", body)
    return ring.after(0)[0]


def shown(messages: Iterable[RecordedMessage]) -> str:
    """All that can come to a person's eye or into a file."""
    kept = list(messages)
    return "".join(json_lines(kept)) + "".join(map(pretty, kept)) + repr(kept)


def test_a_message_is_indented_for_the_eye_and_a_line_in_a_file() -> None:
    message = noted('{"jsonrpc":"2.0","id":1,"method":"m","params":{"a":"ä"}}'.encode())
    assert '    "a": "ä"' in pretty(message)
    (line,) = json_lines([message])
    assert line.endswith("}\n")
    told = json.loads(line)
    assert told["message"]["params"] == {"a": "ä"}
    assert {name: told[name] for name in ("number", "server", "direction", "kind", "method")} == {
        "number": 1,
        "server": "server",
        "direction": "received",
        "kind": "request",
        "method": "m",
    }
    assert told["at"].endswith("+00:00")


@pytest.mark.parametrize("body", [b"Starting ...", b"\xff{", b"7", b'"text"', b"[" * 9000])
def test_what_is_no_message_is_shown_as_text(body: bytes) -> None:
    message = noted(body)
    assert "text" in document(message)
    assert pretty(message) == body.decode("utf-8", "replace")


def test_a_long_message_is_cut_and_says_so() -> None:
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "result": "x" * BODY}).encode()
    text = pretty(noted(body))
    assert len(text) < BODY + 100
    assert text.endswith(f"[{len(body) - BODY} more bytes were not kept]")


def test_a_message_nested_beyond_reason_is_shown_all_the_same() -> None:
    body = b'{"jsonrpc": "2.0", "method": "m", "params": ' + b"[" * 900 + b"]" * 900 + b"}"
    assert "[[[[" in pretty(noted(body)).replace("\n", "").replace(" ", "")


@pytest.mark.parametrize("gap", range(0, 20, 3))
def test_a_secret_where_a_long_message_is_cut_is_not_shown_in_part(gap: int) -> None:
    head = b'{"jsonrpc": "2.0", "id": 1, "result": "'
    body = head + b"x" * (BODY - len(head) - gap) + TOKEN.encode() + b'x"}' * 100
    assert TOKEN[:5] not in shown([noted(body, TOKEN)])


async def test_a_token_that_a_program_repeats_is_nowhere(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    around = surroundings()
    config = stdio("plain", env={"API_TOKEN": TOKEN})
    async with connected(config, around) as connection:
        said = await connection.call_tool("env", {"names": ["API_TOKEN"]})
        assert TOKEN in said.output
        await connection.call_tool("echo", {"message": f"it is {TOKEN}"})
        await connection.call_tool("fail", {"message": TOKEN})
        await connection.call_tool("echo", {"message": TOKEN * 10_000})
    messages = around.traffic.after(0)
    assert PLACEHOLDER in shown(messages)
    assert TOKEN not in shown(messages)
    assert TOKEN not in around.traffic.redaction("plain").text(said.output)
    ours = [record.getMessage() for record in caplog.records if record.name.startswith("desktop")]
    assert not [text for text in ours if TOKEN in text]


async def test_a_header_that_a_web_server_repeats_is_nowhere(web: WebServer) -> None:
    around = surroundings()
    config = web.config(headers={"Authorization": f"Bearer {TOKEN}"})
    async with connected(config, around) as connection:
        said = await connection.call_tool("header", {"name": "authorization"})
        assert TOKEN in said.output
    messages = around.traffic.after(0)
    assert PLACEHOLDER in shown(messages)
    assert TOKEN not in shown(messages)


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


def line(**members: object) -> bytes:
    return json.dumps({"jsonrpc": "2.0", **members}).encode()


def told(messages: list[RecordedMessage]) -> list[tuple[str, str, str]]:
    return [(message.direction, message.kind, message.method) for message in messages]


@pytest.fixture
def ring() -> MessageLog:
    return MessageLog()


def test_an_answer_knows_its_request_and_how_long_it_took(ring: MessageLog) -> None:
    tap = ring.tap("a")
    tap.note("sent", line(id=1, method="tools/call"))
    tap.note("received", line(id=1, method="roots/list"))
    tap.note("received", line(method="notifications/progress"))
    tap.note("received", line(id=1, result={}))
    tap.note("sent", line(id=1, error={}))
    call, ask, progress, answer, refusal = ring.after(0)
    assert (answer.request, answer.method) == (call.number, "tools/call")
    assert (refusal.request, refusal.method, refusal.kind) == (ask.number, "roots/list", "error")
    assert answer.duration == answer.moment - call.moment
    assert call.duration is progress.duration is None


def test_the_same_id_on_another_connection_is_another_request(ring: MessageLog) -> None:
    ring.tap("a").note("sent", line(id=1, method="ping"))
    ring.tap("a").note("received", line(id=1, result={}))
    assert [one.request for one in ring.after(0)] == [None, None]


def test_an_answer_is_found_though_its_request_is_not_kept_any_more() -> None:
    ring = MessageLog(kept=2)
    tap = ring.tap("a")
    tap.note("sent", line(id=1, method="slow"))
    ring.after(0)
    for _ in range(5):
        tap.note("received", line(method="notifications/progress"))
    tap.note("received", line(id=1, result={}))
    answer = ring.after(0)[-1]
    assert (answer.method, answer.request) == ("slow", 1)
    assert answer.duration is not None


def test_the_ring_is_bounded_by_count_and_by_bytes() -> None:
    few, small = MessageLog(kept=10), MessageLog(kept_bytes=1000)
    for ring in (few, small):
        tap = ring.tap("a")
        for number in range(100):
            tap.note("sent", line(id=number, method="m" * 50))
            ring.after(ring.last - 1)
    assert (len(few), few.first, few.last) == (10, 91, 100)
    assert 0 < sum(len(one.body) for one in small.after(0)) <= 1000
    assert [one.number for one in few.after(0)] == list(range(91, 101))
    assert [one.number for one in few.after(97)] == [98, 99, 100]
    assert few.after(100) == []


def test_many_are_read_a_part_at_a_time(ring: MessageLog, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(message_log, "MAX_READ_AT_ONCE", 4)
    tap = ring.tap("a")
    for number in range(10):
        tap.note("sent", line(id=number, method="m"))
    assert [one.number for one in ring.after(0)] == [1, 2, 3, 4]
    assert [one.number for one in ring.after(8)] == [9, 10]
    assert [one.id for one in ring.after(4)] == [4, 5, 6, 7]


def test_a_long_body_is_cut_and_still_known(ring: MessageLog) -> None:
    tap = ring.tap("a")
    body = json.dumps({"result": "x" * 100_000, "jsonrpc": "2.0", "id": 1}).encode()
    tap.note("sent", line(id=1, method="big"))
    tap.note("received", body)
    _, answer = ring.after(0)
    assert (answer.size, len(answer.body), answer.is_cut) == (len(body), message_log.BODY, True)
    assert (answer.kind, answer.method) == ("response", "big")


def test_a_burst_is_one_piece_of_news(ring: MessageLog) -> None:
    news: list[int] = []
    ring.grew.connect(lambda: news.append(ring.last))
    tap = ring.tap("a")
    for _ in range(5):
        tap.note("sent", line(method="m"))
    assert news == [1]
    ring.after(0)
    tap.note("sent", line(method="m"))
    assert news == [1, 6]


def test_what_is_cleared_is_gone_and_the_count_goes_on(ring: MessageLog) -> None:
    tap = ring.tap("a")
    tap.note("sent", line(id=1, method="m"))
    ring.after(0)
    ring.clear()
    assert (len(ring), ring.after(0)) == (0, [])
    tap.note("received", line(id=1, result={}))
    assert [(one.number, one.request) for one in ring.after(0)] == [(2, 1)]


def test_requests_that_are_never_answered_are_forgotten(
    ring: MessageLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(message_log, "UNANSWERED", 2)
    tap = ring.tap("a")
    for number in range(3):
        tap.note("sent", line(id=number, method="m"))
    for number in range(3):
        tap.note("received", line(id=number, result={}))
    assert [one.request for one in ring.after(3)] == [None, 2, 3]


def test_a_message_does_not_tell_its_body_by_accident(ring: MessageLog) -> None:
    ring.tap("a").note("sent", line(id=1, method="m", params={"a": "confidential"}))
    assert "confidential" not in repr(ring.after(0))


# --- real servers -----------------------------------------------------------------------------

_LEGACY = [
    ("sent", "request", "initialize"),
    ("received", "response", "initialize"),
    ("sent", "notification", "notifications/initialized"),
    ("sent", "request", "tools/list"),
    ("received", "response", "tools/list"),
]


@pytest.fixture
def around() -> ConnectionContext:
    return surroundings()


def bodies(ring: MessageLog) -> list[Any]:
    return [document(one)["message"] for one in ring.after(0)]


async def test_a_connection_is_heard_from_the_handshake_on(around: ConnectionContext) -> None:
    async with connected(stdio("plain"), around) as connection:
        assert told(around.traffic.after(0)) == _LEGACY
        await connection.call_tool("slow", {"seconds": 0.01, "steps": 1})
        await connection.call_tool("missing", {})
    call, progress, answer, missing, refusal = around.traffic.after(5)
    assert (call.method, answer.request, refusal.request) == (
        "tools/call",
        call.number,
        missing.number,
    )
    assert (progress.kind, progress.method) == ("notification", "notifications/progress")
    assert (refusal.kind, refusal.method) == ("error", "tools/call")
    assert answer.duration is not None
    assert answer.duration >= 0.01
    assert document(call)["message"]["params"]["arguments"] == {"seconds": 0.01, "steps": 1}
    assert {one.server for one in around.traffic.after(0)} == {"plain"}


async def test_the_newer_greeting_is_heard_too(around: ConnectionContext) -> None:
    async with connected(stdio("list_changes", "--era", "modern", era="auto"), around):
        assert told(around.traffic.after(0))[:2] == [
            ("sent", "request", "server/discover"),
            ("received", "response", "server/discover"),
        ]


async def test_what_is_no_message_is_shown_as_such(around: ConnectionContext) -> None:
    async with connected(stdio("garbage"), around):
        unreadable = [one for one in around.traffic.after(0) if one.kind == "unreadable"]
    assert unreadable
    assert all(one.direction == "received" and "text" in document(one) for one in unreadable)


async def test_a_server_that_was_started_early_is_heard_in_full(around: ConnectionContext) -> None:
    assert isinstance(around.launcher, LaunchResolver)
    around.launcher = early = Prestarter(around.launcher, around.tracker)
    await early.start(stdio("plain"))
    async with connected(stdio("plain"), around):
        assert told(around.traffic.after(0)) == _LEGACY


async def test_pages_that_the_app_makes_itself_are_not_on_the_wire(
    around: ConnectionContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(message_stream, "LARGE", 10_000)
    async with connected(stdio("many_tools", "--count", 450), around) as connection:
        assert len(connection.tools) == 450
        assert told(around.traffic.after(0)) == _LEGACY


@pytest.mark.parametrize("era", ["auto", "legacy"])
async def test_a_server_at_a_url_is_heard_as_well(
    web: WebServer, era: str, around: ConnectionContext
) -> None:
    async with connected(web.config(era=era), around) as connection:
        result = await connection.call_tool("echo", {"message": "hällo"})
        assert result.output == "hällo"
    messages = around.traffic.after(0)
    listed = told(messages)
    first = "initialize" if era == "legacy" else "server/discover"
    assert listed[0] == ("sent", "request", first)
    for method in (first, "tools/list", "tools/call"):
        asked = [
            message for message in messages if (message.kind, message.method) == ("request", method)
        ]
        answers = [message for message in messages if message.request == asked[0].number]
        assert [one.direction for one in (*asked, *answers)] == ["sent", "received"]
    call = next(body for body in bodies(around.traffic) if body.get("method") == "tools/call")
    assert call["params"]["arguments"] == {"message": "hällo"}


async def test_a_large_answer_over_http_is_known_by_its_head(
    around: ConnectionContext, web_servers: Mapping[str, WebServer]
) -> None:
    async with connected(web_servers["http"].config(), around) as connection:
        await connection.call_tool("big", {"size": 300_000})
    call, answer = around.traffic.after(0)[-2:]
    assert (answer.request, answer.is_cut) == (call.number, True)
    assert answer.size > 300_000


async def test_what_an_http_server_answers_instead_is_unreadable(around: ConnectionContext) -> None:
    async def refuse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        page = b"<html>Bad gateway</html>"
        head = f"HTTP/1.1 502 Bad\r\ncontent-type: text/html\r\ncontent-length: {len(page)}\r\n\r\n"
        writer.write(head.encode() + page)
        await writer.drain()
        writer.close()

    web = await asyncio.start_server(refuse, "127.0.0.1", 0)
    async with web, asyncio.timeout(LIMIT):
        port = web.sockets[0].getsockname()[1]
        url = f"http://127.0.0.1:{port}/mcp"
        config = stdio("plain").changed(transport="http", command="", args=(), url=url)
        async with connected(config, around):
            texts = [document(one).get("text") for one in around.traffic.after(0)]
            assert "HTTP/1.1 502 Bad" in texts


async def test_each_message_of_a_call_has_its_id_however_calls_overlap(
    around: ConnectionContext,
) -> None:
    async with connected(stdio("plain"), around) as connection:
        before = around.traffic.last
        slow = {"seconds": 0.02, "steps": 2}
        async with asyncio.TaskGroup() as calls:
            for call_id in ("one", "two"):
                calls.create_task(connection.call_tool("slow", slow, call_id=call_id))
        endless = {"seconds": 60, "steps": 600}
        cut_short = spawn(connection.call_tool("slow", endless, call_id="three"), "three")
        while not _of_call(around, "three"):  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        cut_short.cancel()
        await asyncio.wait({cut_short})
        while _of_call(around, "three")[-1:] != ["notifications/cancelled"]:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    whole = ["tools/call", "notifications/progress", "notifications/progress", "tools/call"]
    assert _of_call(around, "one") == _of_call(around, "two") == whole
    assert _of_call(around, "three")[0] == "tools/call"
    assert {message.call_id for message in around.traffic.after(0)[:before]} == {""}


def _of_call(around: ConnectionContext, call_id: str) -> list[str]:
    return [one.method for one in around.traffic.after(0) if one.call_id == call_id]


@pytest.mark.parametrize("era", ["auto", "legacy"])
async def test_a_call_at_a_url_is_known_by_its_id_too(
    web: WebServer, era: str, around: ConnectionContext
) -> None:
    async with connected(web.config(era=era), around) as connection:
        await connection.call_tool("echo", {"message": "hi"}, call_id="one")
    assert _of_call(around, "one") == ["tools/call", "tools/call"]
