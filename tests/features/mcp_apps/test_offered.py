"""Who is told of apps, and to whom the tools of apps are offered."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from desktop.features.mcp_apps.gui import early
from desktop.features.mcp_apps.resource import AppError, read_app, read_origin
from desktop.values.media_types import APP as APP_MIME
from desktop.values.tool_types import Metadata, ToolCall, ToolDefinition
from tests.features.mcp_apps.looking import looking, script
from tests.live_servers import connected, stdio, surroundings

if TYPE_CHECKING:
    from pathlib import Path

URI = "ui://x/page"


@pytest.mark.parametrize("era", ["legacy", "modern"])
async def test_a_server_is_told_of_apps_where_they_can_be_shown(era: str) -> None:
    config = stdio("hostile_app", "--era", era, era="auto" if era == "modern" else "legacy")
    for extensions in (early.extensions(), {}):
        async with connected(config, surroundings(extensions=extensions)) as connection:
            assert connection.is_connected, connection.state
            told = json.loads((await connection.call_tool("declared", {})).output)
        expected = {"io.modelcontextprotocol/ui": {"mimeTypes": [APP_MIME]}}
        assert told == (expected if extensions else None)


async def test_a_tool_for_apps_is_offered_to_no_model(tmp_path: Path) -> None:
    async with looking(
        tmp_path, with_browser=False, hostile=script("hostile_app", "--what", "still")
    ) as person:
        core = person.core
        offered = {
            tool.definition.name for tool in core.registry.all() if tool.definition.is_for_models
        }
        assert offered == {"echo", "show", "secret", "declared"}
        result = await core.executor.run(ToolCall("hostile:inner", {}))
        assert result.output == "inner"  # a person may try it


@pytest.mark.parametrize(
    ("meta", "uri", "for_models", "for_apps"),
    [
        ({}, "", True, True),
        ({"ui": {"resourceUri": URI}}, URI, True, True),
        ({"ui/resourceUri": URI}, URI, True, True),
        ({"ui": {"resourceUri": "https://x.example"}}, "", True, True),
        ({"ui": {"resourceUri": 7, "visibility": "app"}}, "", True, True),
        ({"ui": {"visibility": ["app"]}}, "", False, True),
        ({"ui": {"visibility": ["model"]}}, "", True, False),
        ({"ui": {"visibility": []}}, "", False, False),
        ({"ui": None}, "", True, True),
    ],
)
def test_what_a_tool_says_of_its_app_is_read(
    meta: dict[str, Any], uri: str, for_models: bool, for_apps: bool
) -> None:
    tool = ToolDefinition("server", "tool", metadata=Metadata(raw=meta))
    assert (tool.app_uri, tool.is_for_models, tool.is_for_apps) == (uri, for_models, for_apps)


@pytest.mark.parametrize(
    "origin", ["https://api.example.com", "wss://live.example.com:8443", "https://*.example.com"]
)
def test_an_origin_of_the_web_can_be_allowed(origin: str) -> None:
    assert read_origin(origin) == origin
    assert read_origin(origin.upper() + "/") == origin


@pytest.mark.parametrize(
    "text",
    [
        "*", "https:", "https://*", "https://*.com", "https://*.co.uk", "http://example.com",
        "https://example.com/path", "https://user@example.com", "https://127.0.0.1", "https://[::1]",
        "https://localhost", "https://printer.local", "https://a.example.com; script-src *",
        "https://exa mple.com", "data:", "'self'", "", None, 7, "https://" + "a." * 200 + "com",
    ],
)  # fmt: skip
def test_what_nobody_can_judge_cannot_be_allowed(text: object) -> None:
    assert read_origin(text) == ""


@pytest.mark.parametrize(
    "contents",
    [
        [],
        "none",
        [{"uri": URI, "mimeType": "text/html", "text": "<p>"}],
        [{"uri": URI, "mimeType": APP_MIME, "text": "  "}],
        [{"uri": URI, "mimeType": APP_MIME, "blob": "no base64!"}],
        [{"uri": URI, "mimeType": APP_MIME, "text": "x" * 10_000_001}],
    ],
)
def test_what_is_no_page_of_an_app_is_refused(contents: object) -> None:
    with pytest.raises(AppError):
        read_app(URI, {"contents": contents})


def test_a_page_may_come_as_base64() -> None:
    block = {"uri": URI, "mimeType": APP_MIME, "blob": "PHA+aGVsbG88L3A+"}
    assert read_app(URI, {"contents": [block]}).html == "<p>hello</p>"
