"""The bridge carries what a client of HTTP says to a built-in server and back, in both eras."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from tests.builtin_command import builtin
from tests.conformance.bridge import serving
from tests.conformance.server_scenarios import BEYOND, command
from tests.conformance.suite import Outcome, judge

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

LIMIT = 15.0


@pytest.fixture
async def url() -> AsyncGenerator[str]:
    program, arguments = builtin("calculator")
    async with serving([program, *arguments]) as url:
        yield url


@pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
async def test_a_built_in_server_is_reached_by_http(mode: str, url: str) -> None:
    client = Client(streamable_http_client(url), mode=mode, read_timeout_seconds=LIMIT)
    async with client:
        assert client.protocol_version == ("2025-11-25" if mode == "legacy" else mode)
        assert {tool.name for tool in (await client.list_tools()).tools} == {
            "calculate",
            "evaluate",
        }
        result = await client.call_tool("evaluate", {"expression": "6*7"})
    assert result.structured_content == {"result": 42}


async def test_progress_and_answer_come_in_one_stream() -> None:
    told: list[tuple[float, float | None]] = []

    async def tell(progress: float, total: float | None, message: str | None) -> None:
        told.append((progress, total))

    program, arguments = command("examples")
    async with serving([program, *arguments]) as url:
        client = Client(streamable_http_client(url), mode="legacy", read_timeout_seconds=LIMIT)
        async with client:
            await client.call_tool("test_tool_with_progress", {}, progress_callback=tell)
    assert told == [(0, 100), (50, 100), (100, 100)]


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Origin": "http://evil.example"}, 403),
        ({"Mcp-Session-Id": "gone"}, 404),
        ({"MCP-Protocol-Version": "2026-07-28"}, 400),
        ({}, 400),
    ],
)
async def test_http_has_the_statuses_that_stdio_has_not(
    headers: dict[str, str], status: int, url: str
) -> None:
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    async with httpx2.AsyncClient() as client:
        response = await client.post(url, json=message, headers=headers)
    assert response.status_code == status
    assert response.json()["id"] == (None if status == 403 else 1)


def check(status: str, words: str = "") -> dict[str, Any]:
    return {"id": "c", "status": status, "errorMessage": words}


def test_a_failure_is_explained_only_by_words_of_the_suite() -> None:
    checks = [
        check("SUCCESS"),
        check("SKIPPED"),
        check("INFO"),
        check("FAILURE", "Not testable: server does not list the diagnostic tool"),
        check("FAILURE", "resources/list: method not found: resources/list"),
        check("FAILURE", "tools/list: method not found: tools/list"),
    ]
    assert judge(checks, BEYOND) == Outcome(1, 3, ("c: tools/list: method not found: tools/list",))
