"""What a server at a URL refuses is said with its words and its status.

A session that it forgot is begun anew. Each case is a real connection to a server on this machine.
"""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING

import pytest

from desktop.base.tasks import spawn
from desktop.servers.requests import Accepted, ServerRequests
from desktop.servers.transport import http_transport
from desktop.servers.transport.http_transport import MAX_STREAM_PAUSE, ServerStreams
from desktop.values.tool_types import ErrorCode
from tests.http_stub import HTML, JSON, TEXT, Answer, Request, error, serving, serving_sse
from tests.live_servers import QUICK, connected, error_of, phases, reached, surroundings
from tests.patience import LIMIT

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop.servers.requests import PendingRequest
    from tests.conftest import ExpectedLogs


@pytest.fixture(autouse=True)
def sdk_may_log(expected_logs: ExpectedLogs) -> None:
    """The SDK warns of a session that cannot be ended, because it is gone."""
    expected_logs.allow("mcp")


def to_calls(answer: Answer) -> Callable[[Request], Answer | None]:
    return lambda request: answer if request.rpc == "tools/call" else None


async def refused_call(answer: Answer) -> tuple[ErrorCode, str]:
    """How a call ends that the server answers so."""
    async with serving() as stub, connected(stub.config()) as connection:
        assert connection.is_connected, connection.state.error
        stub.refuse = to_calls(answer)
        async with asyncio.timeout(LIMIT):
            return error_of(await connection.call_tool("echo", {}))


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (Answer(413, b"<html>", HTML), "web:echo: its address answered 413 "),
        (Answer(429, b"", TEXT, {"retry-after": "30"}), "it asks to wait 30 s"),
        (
            Answer(429, b"", TEXT, {"retry-after": "Wed, 21 Oct 2026 07:28:00 GMT"}),
            "it asks to wait until Wed, 21 Oct 2026 07:28:00 GMT",
        ),
        (
            Answer(500, b"oops", TEXT),
            "answered 500 Internal Server Error: oops. The call may have had",
        ),
        (Answer(502, b"<html>", HTML), "answered 502 Bad Gateway. The call may have had effects."),
        (Answer(504, b"<html>", HTML), "answered 504 Gateway Timeout. The call may have had"),
        (Answer(504, b'{"message": "late"}', JSON), "answered 504 Gateway Timeout"),
        (error(400, -32602, "no such city"), "web:echo: no such city (code -32602, 400 Bad Requ"),
        (error(401, -32001, "bad key"), "web:echo: bad key (code -32001, 401 Unauthorized)"),
        (
            Answer(200, b"<html>", HTML),
            "its address answered with a web page, not as an MCP server",
        ),
        (Answer(200, b"", ""), "its address answered without content"),
        (
            Answer(200, b'{"a": 1}', JSON),
            "its address answered with JSON that is not an MCP message",
        ),
    ],
)
async def test_a_refused_call_says_what_the_server_said(answer: Answer, words: str) -> None:
    code, message = await refused_call(answer)
    assert words in message
    assert "\n" not in message
    assert code == ErrorCode.PROTOCOL


async def test_an_error_of_a_call_keeps_the_code_and_the_words_of_the_server() -> None:
    """Whatever the SDK uses the same code for."""

    def refuse(request: Request) -> Answer | None:
        if request.rpc != "tools/call":
            return None
        words = {"code": -32001, "message": "Unauthorized: bad key"}
        reply = {"jsonrpc": "2.0", "id": request.message["id"], "error": words}
        return Answer(200, json.dumps(reply).encode())

    async with serving() as stub, connected(stub.config()) as connection:
        stub.refuse = refuse
        _, message = error_of(await connection.call_tool("echo", {}))
        assert message == "web:echo: Unauthorized: bad key (code -32001)"


async def test_what_an_error_says_beside_its_words_reaches_whoever_reads_it() -> None:
    """A refusal whose data names an address to visit first: the person is asked about it."""
    url = {"mode": "url", "message": "m", "url": "https://a.example/", "elicitationId": "e"}
    words = {"code": -32042, "message": "sign in", "data": {"elicitations": [url]}}
    asked: list[PendingRequest] = []

    def refuse(request: Request) -> Answer | None:
        if request.rpc != "tools/call" or asked:
            return None
        reply = {"jsonrpc": "2.0", "id": request.message["id"], "error": words}
        return Answer(400, json.dumps(reply).encode())

    def accept(pending: PendingRequest) -> Accepted:
        asked.append(pending)
        return Accepted()

    requests = ServerRequests()
    requests.answerer = accept
    around = surroundings(requests=requests)
    async with serving() as stub, connected(stub.config(), around) as connection:
        stub.refuse = refuse
        result = await connection.call_tool("echo", {})
    assert result.success, result.error
    assert len(asked) == 1


async def test_a_refusal_without_an_end_is_said_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither its length nor its time is left to the server."""
    monkeypatch.setattr(http_transport, "REFUSAL_WAIT", 0.05)
    unfinished = Answer(500, b"x" * 100_000, TEXT, {"content-length": "200000"})
    _, message = await refused_call(unfinished)
    assert "500 Internal Server Error" in message


async def test_calls_side_by_side_keep_their_own_refusals() -> None:
    def refuse(request: Request) -> Answer | None:
        if request.rpc != "tools/call":
            return None
        return Answer(request.message["params"]["arguments"]["status"], b"", TEXT)

    async with serving() as stub, connected(stub.config()) as connection:
        stub.refuse = refuse
        statuses = [413, 500, 502, 503, 504] * 4
        calls = (connection.call_tool("echo", {"status": status}) for status in statuses)
        for status, result in zip(statuses, await asyncio.gather(*calls), strict=True):
            assert f"its address answered {status} " in error_of(result)[1]


FORGETFUL = {
    "404 of the TypeScript SDK": error(404, -32001, "Session not found"),
    "plain 404": Answer(404, b"Not Found", TEXT),
    "400 of the TypeScript examples": error(
        400, -32000, "Bad Request: No valid session ID provided"
    ),
    "400 in plain text": Answer(400, b"Invalid or missing session ID", TEXT),
}


@pytest.mark.parametrize("answer", FORGETFUL.values(), ids=FORGETFUL.keys())
async def test_a_call_in_a_forgotten_session_is_carried_out_in_a_new_one(answer: Answer) -> None:
    async with serving() as stub, connected(stub.config()) as connection:
        seen = phases(connection)

        def refuse(request: Request) -> Answer | None:
            session = request.headers.get("mcp-session-id")
            return answer if session == "session-1" and request.method == "POST" else None

        stub.refuse = refuse
        async with asyncio.timeout(LIMIT):
            calls = (connection.call_tool("echo", {}) for _ in range(3))
            results = await asyncio.gather(*calls)
        assert [result.output for result in results] == ["session-2"] * 3
        assert seen == ["reconnecting", "connected"]


async def test_a_refused_call_over_sse_is_answered_and_the_next_one_goes_through() -> None:
    """The SDK stops to send at the first refusal, without a word to whoever waits."""
    async with serving_sse() as stub, connected(stub.config(transport="sse")) as connection:
        assert connection.is_connected, connection.state.error
        seen = phases(connection)
        stub.refuse = to_calls(Answer(413, b"<html>", HTML))
        async with asyncio.timeout(LIMIT):
            code, message = error_of(await connection.call_tool("echo", {}))
        assert message.startswith("web:echo: its address answered 413 ")
        assert code == ErrorCode.PROTOCOL
        stub.refuse = lambda _: None
        async with asyncio.timeout(LIMIT):
            assert (await connection.call_tool("echo", {})).success
        assert seen == []


async def test_a_server_that_forgets_each_session_is_asked_twice() -> None:
    around = surroundings(pauses=QUICK)
    async with serving() as stub, connected(stub.config(), around) as connection:
        stub.refuse = to_calls(error(404, -32001, "Session not found"))
        async with asyncio.timeout(LIMIT):
            _, message = error_of(await connection.call_tool("echo", {}))
        assert "Session not found (code -32001, 404 Not Found)" in message
        assert stub.calls() == 2
        await reached(connection, "connected")


async def test_an_unknown_method_is_no_forgotten_session() -> None:
    """The newer protocol answers so with a 404, and nothing is lost by it."""
    async with serving() as stub, connected(stub.config()) as connection:
        stub.refuse = to_calls(error(404, -32601, "Method not found"))
        _, message = error_of(await connection.call_tool("echo", {}))
        assert "Method not found (code -32601" in message
        assert connection.is_connected
        assert stub.calls() == 1


async def test_a_server_without_a_listening_address_stays_connected() -> None:
    """Express answers 404 where only POST is served; that is no word on the session."""

    def refuse(request: Request) -> Answer | None:
        return Answer(404, b"Cannot GET /mcp", HTML) if request.method == "GET" else None

    async with serving() as stub:
        stub.refuse = refuse
        async with connected(stub.config()) as connection:
            seen = phases(connection)
            while not any(request.method == "GET" for request in stub.seen):
                assert (await connection.call_tool("echo", {})).output == "session-1"
            for _ in range(3):
                assert (await connection.call_tool("echo", {})).output == "session-1"
            assert seen == []


async def test_a_header_that_cannot_be_sent_is_told_before_anything_is_sent() -> None:
    around = surroundings({"NAME": "zwölf"})
    async with serving() as stub:
        config = stub.config(headers={"X-Name": "${NAME}"})
        async with connected(config, around) as connection:
            assert (
                "in the value of X-Name, which HTTP headers cannot carry" in connection.state.error
            )
            assert "zwölf" not in connection.state.error
        assert stub.seen == []


@pytest.mark.parametrize(
    ("answer", "headers", "words", "remedy"),
    [
        (
            Answer(401, b"", TEXT, {"www-authenticate": 'Bearer resource_metadata="http://a"'}),
            {},
            "",
            "web requires you to sign in (401).\n"
            "Sign in on the Servers page, or with mcp-desktop login web. "
            "Or add a token to its headers.",
        ),
        (
            Answer(401, b"", TEXT, {"www-authenticate": 'Bearer resource_metadata="http://a"'}),
            {"Authorization": "Bearer old"},
            "its address answered 401 Unauthorized",
            "Check the credentials in its HTTP headers.",
        ),
        (
            error(403, -32000, "plan has ended"),
            {},
            "plan has ended (code -32000, 403 Forbidden)",
            "Check the credentials in its HTTP headers.",
        ),
        (
            Answer(421, b"Invalid Host header", TEXT),
            {},
            "its address answered 421 Misdirected Request: Invalid Host header",
            "Use an address that the server allows, or add this one to its list.",
        ),
        (
            error(403, -32000, "Invalid Origin: http://evil.example"),
            {"Authorization": "Bearer good"},
            "Invalid Origin: http://evil.example (code -32000, 403 Forbidden)",
            "Use an address that the server allows, or add this one to its list.",
        ),
        (
            Answer(429, b"", TEXT, {"retry-after": "5"}),
            {},
            "its address answered 429 Too Many Requests; it asks to wait 5 s",
            "Wait a while, then restart it.",
        ),
        (
            Answer(200, b"<html>", HTML),
            {},
            "its address answered with a web page, not as an MCP server",
            "Check the URL, and that the server is running there.",
        ),
        (
            Answer(204, b"", ""),
            {},
            "its address answered without content",
            "Check the URL, and that the server is running there.",
        ),
        (
            Answer(200, b'{"swagger": "2.0"}', JSON),
            {},
            "its address answered with JSON that is not an MCP message",
            "Check the URL, and that the server is running there.",
        ),
    ],
)
@pytest.mark.parametrize("era", ["legacy", "auto"])
async def test_a_refused_connect_says_what_to_do(
    answer: Answer, headers: dict[str, str], words: str, remedy: str, era: str
) -> None:
    async with serving() as stub:
        stub.refuse = lambda _: answer
        async with connected(stub.config(headers=headers, era=era)) as connection:
            assert connection.state.phase == "failed"
            assert connection.state.error == (f"web: {words}\n{remedy}" if words else remedy)


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b'{"title": "Bad Request", "detail": "no such city"}', "application/problem+json"),
        (b'{"error": "invalid_request", "error_description": "no such city"}', JSON),
        (b'{"message": "no such city", "statusCode": 400, "error": "Bad Request"}', JSON),
        (b'{"errors": [{"message": "no such city"}]}', TEXT),
        (b'{"error": {"details": [{"reason": "no such city"}]}}', JSON),
        (b"no\n such   city", TEXT),
        (b"<html><title>no such city</title></html>", HTML),
    ],
)
async def test_what_the_body_of_a_refusal_says_is_told_in_one_line(body: bytes, kind: str) -> None:
    _, message = await refused_call(Answer(400, body, kind))
    assert message == "web:echo: its address answered 400 Bad Request: no such city"


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"detail": [{"loc": ["body", "city"], "msg": "field required"}]}, "body.city: field requ"),
        (
            {"errors": {"city": ["is required"], "day": "is past"}},
            "city: is required; day: is past",
        ),
        ({"errors": [{"instancePath": "/city", "message": "is long"}, "no"]}, "city: is long; no"),
        ({"error": {"details": [{"field": "city", "reason": "unknown"}]}}, "city: unknown"),
    ],
)
async def test_the_part_that_a_refusal_is_about_is_told(body: object, words: str) -> None:
    _, message = await refused_call(Answer(422, json.dumps(body).encode(), JSON))
    assert f"422 Unprocessable Entity: {words}" in message


@pytest.mark.parametrize(
    ("status", "words"),
    [(200, "an error without a reason (code -32603)"), (400, "its address answered 400 Bad Req")],
)
async def test_an_error_without_words_is_said_to_have_none(status: int, words: str) -> None:
    def refuse(request: Request) -> Answer | None:
        if request.rpc != "tools/call":
            return None
        error = {"code": -32603, "message": ""}
        reply = {"jsonrpc": "2.0", "id": request.message["id"], "error": error}
        return Answer(status, json.dumps(reply).encode())

    async with serving() as stub, connected(stub.config()) as connection:
        stub.refuse = refuse
        _, message = error_of(await connection.call_tool("echo", {}))
        assert words in message


async def test_a_secret_in_a_refusal_is_not_told() -> None:
    _, message = await refused_call(Answer(403, b"token=sk-live-0123456789abcdef0123 is bad", TEXT))
    assert "sk-live" not in message
    assert "is bad" in message


@pytest.mark.parametrize(
    ("error", "words"),
    [
        ({"code": -32602, "message": "Invalid params", "data": [{"path": ["city"]}]}, '"city"'),
        ({"code": -32602, "message": "Invalid params", "data": "city: required"}, "city: required"),
        ({"code": -32603, "message": "", "data": {"why": "busy"}}, "busy"),
        ({"code": 1, "message": "bad city", "data": "bad city"}, "web:echo: bad city (code 1"),
        (
            {"code": 1, "message": "no", "data": [{"path": ["a"], "message": "api is too long"}]},
            "no [a: api is too long] (code 1",
        ),
        (
            {"code": 1, "message": "no", "data": [{"loc": ["b"], "msg": "x"}, {"msg": "y"}]},
            "no [b: x; y] (code 1",
        ),
        (
            {"code": 1, "message": "no", "data": {"key": "token=sk-live-0123456789abcdef"}},
            "‹redact",
        ),
    ],
)
@pytest.mark.parametrize("status", [200, 400, 403])
async def test_the_data_of_an_error_are_told(
    error: dict[str, object], words: str, status: int
) -> None:
    def refuse(request: Request) -> Answer | None:
        if request.rpc != "tools/call":
            return None
        reply = {"jsonrpc": "2.0", "id": request.message["id"], "error": error}
        return Answer(status, json.dumps(reply).encode())

    async with serving() as stub, connected(stub.config()) as connection:
        stub.refuse = refuse
        _, message = error_of(await connection.call_tool("echo", {}))
        assert words in message
        assert "\n" not in message
        assert "sk-live" not in message


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        ({"id": None, "error": {"code": -32700, "message": "no such city"}}, "no such city"),
        ({"id": 9999, "error": {"code": -32700, "message": "no such city"}}, "no such city"),
        ({"id": 9999, "result": {"content": []}}, "the id of another request"),
        ({"id": None, "result": {}}, "the id of another request"),
        ({"method": "notifications/tools/list_changed"}, "the id of another request"),
    ],
)
async def test_a_whole_answer_to_another_request_ends_the_wait(
    reply: dict[str, object], words: str
) -> None:
    _, message = await refused_call(Answer(200, json.dumps({"jsonrpc": "2.0", **reply}).encode()))
    assert words in message


@pytest.mark.parametrize("era", ["auto", "legacy"])
async def test_an_id_of_another_type_is_the_same(era: str) -> None:
    def answer(request: Request) -> Answer | None:
        if request.rpc != "tools/call":
            return None
        result = {"content": [{"type": "text", "text": "x" * 2000}]}
        reply = {"result": result, "id": str(request.message["id"]), "jsonrpc": "2.0"}
        return Answer(200, json.dumps(reply).encode())

    async with serving() as stub, connected(stub.config(era=era)) as connection:
        stub.refuse = answer
        assert (await connection.call_tool("echo", {})).success


async def test_an_address_that_drops_the_newer_greeting_is_greeted_in_the_older_way() -> None:
    async with serving() as stub:
        usual = stub.answer

        def answer(request: Request) -> Answer:
            if request.rpc == "server/discover":
                raise ConnectionResetError  # the stub closes the connection
            return usual(request)

        stub.answer = answer
        async with connected(stub.config(era="auto")) as connection:
            assert connection.is_connected, connection.state.error


def test_streams_that_bring_nothing_are_asked_for_ever_more_slowly() -> None:
    now = 0.0
    streams = ServerStreams(lambda: now)
    pauses: list[float] = []
    for _ in range(12):
        pauses.append(streams.pause())
        now += pauses[-1]
        streams.opened()
        assert streams.may_bring
        streams.closed()
        assert not streams.may_bring
    assert pauses[:4] == [0, 2, 4, 8]
    assert pauses == sorted(pauses)
    assert pauses[-1] == MAX_STREAM_PAUSE


def test_a_stream_that_brought_something_or_was_steady_may_begin_again_at_once() -> None:
    now = 0.0
    streams = ServerStreams(lambda: now)
    for _ in range(5):
        streams.pause()
    streams.brought()
    assert streams.pause() == 0
    assert streams.pause() > 0
    now += 1000
    assert streams.pause() == 0


@pytest.mark.parametrize(
    "endpoint",
    ["/messages?session=7", "http://10.255.255.1:9/messages", "https://inner.example/messages?a=b"],
)
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
async def test_the_endpoint_of_a_server_behind_a_proxy_is_looked_for_at_its_address(
    endpoint: str, mark: bytes, expected_logs: ExpectedLogs
) -> None:
    expected_logs.allow("its endpoint is named at another host")
    async with serving_sse(endpoint, mark) as stub:
        config = stub.config("/sse", transport="sse")
        async with connected(config) as connection:
            assert connection.is_connected, connection.state.error
            assert {request.path.partition("?")[0] for request in stub.seen} == {"/messages"}


async def test_an_endpoint_that_is_not_there_says_at_which_host_it_is_named(
    expected_logs: ExpectedLogs,
) -> None:
    expected_logs.expect("its endpoint is named at another host")
    async with serving_sse("https://inner.example/messages") as stub:
        stub.refuse = lambda _: Answer(404, b"", TEXT)
        async with connected(stub.config("/sse", transport="sse")) as connection:
            assert "its endpoint is named at inner.example" in connection.state.error


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf", b": hello\n\n"])
async def test_an_answer_on_the_servers_own_stream_is_waited_for(mark: bytes) -> None:
    async with serving_sse("", mark) as stub, connected(stub.config()) as connection:
        assert connection.is_connected, connection.state.error
        async with asyncio.timeout(LIMIT):
            await stub.is_heard.wait()
            result = await connection.call_tool("echo", {})
        assert result.success, result.error


async def test_an_answer_is_waited_for_on_a_stream_that_has_not_begun() -> None:
    async with serving_sse("", begins_late=True) as stub, connected(stub.config()) as connection:
        async with asyncio.timeout(LIMIT):
            await stub.is_heard.wait()
            calling = spawn(connection.call_tool("echo", {}), "call")
            await stub.is_called.wait()
            await connection.list_tools()
            result = await calling
        assert result.success, result.error


async def test_a_stream_that_is_refused_brings_no_answer_that_was_waited_for() -> None:
    def refuse(request: Request) -> Answer | None:
        if request.rpc != "tools/call":
            return None
        asyncio.get_running_loop().call_soon(stub.end_streams)
        return Answer(202, b"", TEXT)

    async with serving_sse("", begins_late=True) as stub, connected(stub.config()) as connection:
        stub.refuse = refuse
        async with asyncio.timeout(LIMIT):
            await stub.is_heard.wait()
            _, message = error_of(await connection.call_tool("echo", {}))
        assert "202 Accepted" in message


def test_a_stream_is_expected_from_its_request_on_until_it_is_refused_or_ends() -> None:
    streams = ServerStreams()
    assert not streams.may_bring
    streams.is_asked = True
    assert streams.may_bring
    streams.is_asked = False
    assert not streams.may_bring
    streams.is_asked = True
    streams.opened()
    streams.closed()
    assert not streams.may_bring


async def test_a_request_that_is_only_accepted_is_not_waited_for_without_a_stream() -> None:
    _, message = await refused_call(Answer(202, b"", TEXT))
    assert "202 Accepted" in message
