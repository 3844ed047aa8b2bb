"""Lines, messages and requests: limits, faults and their codes, and the answers in both eras."""

from __future__ import annotations

import json
import os
import threading
from typing import TYPE_CHECKING, Any

import pytest

from builtin_servers.framework.protocol import (
    INVALID_PARAMS,
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    PARSE_ERROR,
    UNSUPPORTED_PROTOCOL_VERSION,
    ProtocolSession,
    RpcAnswer,
    RpcError,
    RpcRequest,
    RpcWriter,
    parse_message,
    read_lines,
)
from builtin_servers.framework.tool import BuiltinServer, BuiltinTool, ToolReply
from tests.raw_client import MODERN_META

if TYPE_CHECKING:
    from collections.abc import Sequence


def read(chunks: Sequence[bytes], limit: int = 10) -> list[bytes | None]:
    reader, writer = os.pipe()

    def write() -> None:
        for chunk in chunks:
            os.write(writer, chunk)
        os.close(writer)

    thread = threading.Thread(target=write)
    thread.start()
    try:
        return list(read_lines(reader, limit))
    finally:
        thread.join()
        os.close(reader)


def code_of(line: bytes) -> int:
    with pytest.raises(RpcError) as caught:
        parse_message(line)
    return caught.value.code


def test_lines_are_found_wherever_the_chunks_end() -> None:
    assert read([b"one\ntw", b"o\n", b"\nthree"]) == [b"one", b"two", b"", b"three"]


def test_a_line_of_exactly_the_limit_passes() -> None:
    assert read([b"0123456789\n"]) == [b"0123456789"]


def test_a_line_over_the_limit_is_reported_once_and_the_next_is_read() -> None:
    assert read([b"0123456789x\nnext\n"]) == [None, b"next"]
    assert read([b"x" * 1_000_000 + b"\nnext\n"]) == [None, b"next"]
    assert read([b"x" * 1_000_000]) == [None]


@pytest.mark.parametrize(
    "line",
    [b"{", b"nonsense", b"\xff\xfe", b'{"jsonrpc": NaN}', b"[" * 100_000, b"9" * 10_000],
)
def test_what_is_no_json_is_a_parse_error(line: bytes) -> None:
    assert code_of(line) == PARSE_ERROR


@pytest.mark.parametrize(
    "line",
    [
        b"[]",
        b"7",
        b'{"id": 1, "method": "ping"}',
        b'{"jsonrpc": "2.0", "id": 1}',
        b'{"jsonrpc": "2.0", "id": null, "method": "ping"}',
        b'{"jsonrpc": "2.0", "id": true, "method": "ping"}',
        b'{"jsonrpc": "2.0", "id": 1.5, "method": "ping"}',
        b'{"jsonrpc": "2.0", "id": 1, "method": 5}',
        b'{"jsonrpc": "2.0", "id": 1, "method": "ping", "params": []}',
    ],
)
def test_what_is_no_message_is_an_invalid_request(line: bytes) -> None:
    assert code_of(line) == INVALID_REQUEST


def test_an_empty_line_is_passed_over_and_an_answer_is_told_apart() -> None:
    assert parse_message(b"  \r") is None
    answer = parse_message(b'{"jsonrpc": "2.0", "id": 1, "result": {"a": 1}}')
    assert isinstance(answer, RpcAnswer)
    assert (answer.id, answer.result) == (1, {"a": 1})
    refusal = parse_message(b'{"jsonrpc": "2.0", "id": 2, "error": {"code": 1, "message": ""}}')
    assert isinstance(refusal, RpcAnswer)
    assert (refusal.id, refusal.result) == (2, None)


def test_a_request_keeps_its_id_method_and_params() -> None:
    request = parse_message(b'{"jsonrpc": "2.0", "id": "a", "method": "m", "params": {"x": 1}}')
    assert isinstance(request, RpcRequest)
    assert (request.id, request.method, request.params) == ("a", "m", {"x": 1})


def test_a_meta_that_is_no_object_counts_as_none() -> None:
    request = parse_message(b'{"jsonrpc": "2.0", "id": 1, "method": "m", "params": {"_meta": [1]}}')
    assert isinstance(request, RpcRequest)
    assert request.meta == {}


def test_a_message_is_one_line_of_ascii_even_with_a_lone_surrogate() -> None:
    reader, writer = os.pipe()
    RpcWriter(writer).send({"text": "\ud800 \n ü"})
    os.close(writer)
    with os.fdopen(reader, "rb") as source:
        line = source.read()
    assert line.count(b"\n") == 1
    assert json.loads(line) == {"text": "\ud800 \n ü"}


TOOL = BuiltinTool(
    "echo",
    lambda _: ToolReply("x"),
    title="Echo",
    description="Echoes.",
    input_schema={"type": "object"},
)
SERVER = BuiltinServer("test", title="Test", version="3", instructions="Be brief.", tools=[TOOL])


def ask(session: ProtocolSession, method: str, **params: Any) -> dict[str, Any]:
    return session.answer(RpcRequest(1, method, params))


def refuse(session: ProtocolSession, method: str, **params: Any) -> RpcError:
    with pytest.raises(RpcError) as caught:
        ask(session, method, **params)
    return caught.value


def initialized() -> ProtocolSession:
    session = ProtocolSession(SERVER)
    ask(session, "initialize", protocolVersion="2025-11-25")
    return session


@pytest.mark.parametrize(
    ("wanted", "spoken"),
    [
        ("2024-11-05", "2024-11-05"),
        ("2025-11-25", "2025-11-25"),
        ("2026-07-28", "2025-11-25"),
        ("1.0", "2025-11-25"),
    ],
)
def test_initialize_answers_the_version_or_the_newest_of_the_handshake_era(
    wanted: str, spoken: str
) -> None:
    result = ask(ProtocolSession(SERVER), "initialize", protocolVersion=wanted)
    assert result == {
        "protocolVersion": spoken,
        "capabilities": {"tools": {}},
        "serverInfo": {"name": "test", "title": "Test", "version": "3"},
        "instructions": "Be brief.",
    }


def test_initialize_without_a_version_is_refused() -> None:
    assert refuse(ProtocolSession(SERVER), "initialize").code == INVALID_PARAMS


def test_nothing_but_ping_comes_before_initialize() -> None:
    session = ProtocolSession(SERVER)
    assert ask(session, "ping") == {}
    assert refuse(session, "tools/list").code == INVALID_REQUEST


def test_an_unknown_method_is_not_found_in_either_era() -> None:
    assert refuse(ProtocolSession(SERVER), "resources/list").code == METHOD_NOT_FOUND
    assert refuse(initialized(), "x" * 9999).code == METHOD_NOT_FOUND
    assert refuse(ProtocolSession(SERVER), "no/such", _meta=MODERN_META).code == METHOD_NOT_FOUND


@pytest.mark.parametrize("method", ["initialize", "ping"])
def test_what_only_the_handshake_era_has_is_not_found_in_an_envelope(method: str) -> None:
    params: dict[str, Any] = {"protocolVersion": "2025-11-25", "_meta": MODERN_META}
    session = ProtocolSession(SERVER)
    assert refuse(session, method, **params).code == METHOD_NOT_FOUND
    assert refuse(session, "tools/list").code == INVALID_REQUEST


def test_results_of_the_handshake_era_carry_nothing_new() -> None:
    assert set(ask(initialized(), "tools/list")) == {"tools"}


def test_discover_answers_the_envelope_era_with_its_marks() -> None:
    result = ask(ProtocolSession(SERVER), "server/discover", _meta=MODERN_META)
    assert result["supportedVersions"] == ["2026-07-28"]
    assert result["resultType"] == "complete"
    assert result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"] == "test"
    assert {"ttlMs", "cacheScope", "capabilities", "instructions"} <= set(result)


def test_discover_without_an_envelope_is_refused() -> None:
    assert refuse(initialized(), "server/discover").code == INVALID_PARAMS


def test_an_unknown_version_in_the_envelope_is_refused_with_those_that_are_spoken() -> None:
    meta = MODERN_META | {"io.modelcontextprotocol/protocolVersion": "2031-01-01"}
    error = refuse(ProtocolSession(SERVER), "tools/list", _meta=meta)
    assert error.code == UNSUPPORTED_PROTOCOL_VERSION
    assert error.data == {"supported": ["2026-07-28"], "requested": "2031-01-01"}


@pytest.mark.parametrize(
    "meta",
    [
        {"io.modelcontextprotocol/protocolVersion": "2026-07-28"},
        MODERN_META | {"io.modelcontextprotocol/protocolVersion": 7},
        MODERN_META | {"io.modelcontextprotocol/clientCapabilities": None},
    ],
)
def test_an_incomplete_envelope_is_refused(meta: dict[str, object]) -> None:
    assert refuse(ProtocolSession(SERVER), "tools/list", _meta=meta).code == INVALID_PARAMS


def test_an_unknown_cursor_is_refused() -> None:
    assert refuse(initialized(), "tools/list", cursor="2").code == INVALID_PARAMS


@pytest.mark.parametrize(
    "params", [{}, {"name": 3}, {"name": "nope"}, {"name": "echo", "arguments": []}]
)
def test_a_call_that_names_no_tool_or_brings_no_object_is_refused(params: dict[str, Any]) -> None:
    with pytest.raises(RpcError) as caught:
        initialized().find_tool(RpcRequest(1, "tools/call", params))
    assert caught.value.code == INVALID_PARAMS


def test_a_result_has_text_structure_and_the_mark_of_its_era() -> None:
    session = initialized()
    request = RpcRequest(1, "tools/call", {"name": "echo", "_meta": MODERN_META})
    result = session.to_result(request, ToolReply("t", {"a": 1}), is_error=False)
    assert result["content"] == [{"type": "text", "text": "t"}]
    assert result["structuredContent"] == {"a": 1}
    assert result["resultType"] == "complete"
    assert result["isError"] is False
