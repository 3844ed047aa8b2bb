"""Both eras, answer by answer."""

from __future__ import annotations

from typing import Any

import pytest

from builtin_servers.call import Call, Reply
from builtin_servers.declaration import Server, Tool
from builtin_servers.protocol import Session
from builtin_servers.rpc import (
    INVALID_PARAMS,
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    UNSUPPORTED_PROTOCOL_VERSION,
    Request,
    RpcError,
)
from tests.builtin_command import ignore
from tests.raw_client import MODERN_META

TOOL = Tool(
    "echo",
    lambda _: Reply("x"),
    title="Echo",
    description="Echoes.",
    input_schema={"type": "object"},
)
SERVER = Server("test", title="Test", version="3", instructions="Be brief.", tools=[TOOL])


def ask(session: Session, method: str, **params: Any) -> dict[str, Any]:
    return session.answer(Request(1, method, params))


def refuse(session: Session, method: str, **params: Any) -> RpcError:
    with pytest.raises(RpcError) as caught:
        ask(session, method, **params)
    return caught.value


def initialized() -> Session:
    session = Session(SERVER)
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
    result = ask(Session(SERVER), "initialize", protocolVersion=wanted)
    assert result == {
        "protocolVersion": spoken,
        "capabilities": {"tools": {}},
        "serverInfo": {"name": "test", "title": "Test", "version": "3"},
        "instructions": "Be brief.",
    }


def test_initialize_without_a_version_is_refused() -> None:
    assert refuse(Session(SERVER), "initialize").code == INVALID_PARAMS


def test_nothing_but_ping_comes_before_initialize() -> None:
    session = Session(SERVER)
    assert ask(session, "ping") == {}
    assert refuse(session, "tools/list").code == INVALID_REQUEST


def test_an_unknown_method_is_not_found_in_either_era() -> None:
    assert refuse(Session(SERVER), "resources/list").code == METHOD_NOT_FOUND
    assert refuse(initialized(), "x" * 9999).code == METHOD_NOT_FOUND
    assert refuse(Session(SERVER), "no/such", _meta=MODERN_META).code == METHOD_NOT_FOUND


def test_results_of_the_handshake_era_carry_nothing_new() -> None:
    assert set(ask(initialized(), "tools/list")) == {"tools"}


def test_discover_answers_the_envelope_era_with_its_marks() -> None:
    result = ask(Session(SERVER), "server/discover", _meta=MODERN_META)
    assert result["supportedVersions"] == ["2026-07-28"]
    assert result["resultType"] == "complete"
    assert result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"] == "test"
    assert {"ttlMs", "cacheScope", "capabilities", "instructions"} <= set(result)


def test_discover_without_an_envelope_is_refused() -> None:
    assert refuse(initialized(), "server/discover").code == INVALID_PARAMS


def test_an_unknown_version_in_the_envelope_is_refused_with_those_that_are_spoken() -> None:
    meta = MODERN_META | {"io.modelcontextprotocol/protocolVersion": "2031-01-01"}
    error = refuse(Session(SERVER), "tools/list", _meta=meta)
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
    assert refuse(Session(SERVER), "tools/list", _meta=meta).code == INVALID_PARAMS


def test_an_unknown_cursor_is_refused() -> None:
    assert refuse(initialized(), "tools/list", cursor="2").code == INVALID_PARAMS


@pytest.mark.parametrize(
    "params", [{}, {"name": 3}, {"name": "nope"}, {"name": "echo", "arguments": []}]
)
def test_a_call_that_names_no_tool_or_brings_no_object_is_refused(params: dict[str, Any]) -> None:
    with pytest.raises(RpcError) as caught:
        initialized().find_tool(Request(1, "tools/call", params))
    assert caught.value.code == INVALID_PARAMS


def test_a_result_has_text_structure_and_the_mark_of_its_era() -> None:
    session = initialized()
    request = Request(1, "tools/call", {"name": "echo", "_meta": MODERN_META})
    result = session.to_result(request, Reply("t", {"a": 1}), is_error=False)
    assert result["content"] == [{"type": "text", "text": "t"}]
    assert result["structuredContent"] == {"a": 1}
    assert result["resultType"] == "complete"
    assert result["isError"] is False


def test_a_call_knows_its_arguments() -> None:
    assert Call({"a": 1}, ignore).arguments == {"a": 1}
