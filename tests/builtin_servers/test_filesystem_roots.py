"""A filesystem server without folders of its own works in the roots of its client, in both eras."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import pytest
from mcp import Client, StdioServerParameters
from mcp.types import ListRootsResult, Root, TextContent
from pydantic import FileUrl

from builtin_servers.framework.server_loop import read_roots
from desktop.config.models import ServerConfig
from tests.builtin_command import builtin
from tests.live_servers import connected
from tests.raw_client import MODERN_META, RawClient

if TYPE_CHECKING:
    from pathlib import Path


PROMISED: dict[str, object] = {"roots": {}}
WITH_ROOTS = MODERN_META | {"io.modelcontextprotocol/clientCapabilities": PROMISED}


def root(folder: Path) -> dict[str, str]:
    return {"uri": folder.as_uri()}


def begin(client: RawClient) -> None:
    about = {"name": "raw", "version": "1"}
    promised = {"roots": {"listChanged": True}}
    params = {"protocolVersion": "2025-11-25", "capabilities": promised, "clientInfo": about}
    client.ask("initialize", params)
    client.send("notifications/initialized")


def answer_roots(client: RawClient, *folders: Path) -> str:
    """Wait for the server's question, answer it; returns the question's id."""
    while (question := client.read_message()).get("method") != "roots/list":
        pass
    answer_question(client, question["id"], *folders)
    return question["id"]


def answer_question(client: RawClient, question: str, *folders: Path) -> None:
    roots = ",".join(f'{{"uri": "{folder.as_uri()}"}}' for folder in folders)
    line = f'{{"jsonrpc": "2.0", "id": "{question}", "result": {{"roots": [{roots}]}}}}'
    client.send_line(line.encode())


def directories(answer: dict[str, Any]) -> list[str]:
    return answer["result"]["structuredContent"]["directories"]


@pytest.mark.parametrize("mode", ["legacy", "auto", "2026-07-28"])
async def test_the_official_client_gives_its_roots(mode: str, tmp_path: Path) -> None:
    (tmp_path / "a b").mkdir()
    (tmp_path / "a b" / "notes").write_text("in the root")

    async def list_roots(context: object) -> ListRootsResult:
        return ListRootsResult(roots=[Root(uri=FileUrl((tmp_path / "a b").as_uri()))])

    command, args = builtin("filesystem")
    parameters = StdioServerParameters(command=command, args=args)
    async with Client(parameters, mode=mode, list_roots_callback=list_roots) as client:
        result = await client.call_tool("read_text_file", {"path": "notes"})
        outside = await client.call_tool("read_text_file", {"path": "/etc/passwd"})
    assert result.content == [TextContent(type="text", text="in the root")]
    assert outside.is_error


def test_a_changed_list_holds_from_the_next_call_on(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    first.mkdir()
    second.mkdir()
    with RawClient(builtin("filesystem")) as client:
        begin(client)
        before = answer_roots(client, first)
        assert directories(client.call("list_allowed_directories")) == [str(first)]
        client.send("notifications/roots/list_changed")
        answer_roots(client, second)
        answer_question(client, before, first)  # late, and again: the newer answer stays
        assert directories(client.call("list_allowed_directories")) == [str(second)]


def test_a_call_waits_for_the_roots_that_were_promised(tmp_path: Path) -> None:
    with RawClient(builtin("filesystem")) as client:
        begin(client)
        client.send("tools/call", {"name": "list_allowed_directories"}, id="early")
        assert client.ask("ping")["result"] == {}
        (question,) = client.notifications
        answer_question(client, question["id"], tmp_path)
        assert directories(client.read_answer("early")) == [str(tmp_path)]


def test_a_call_that_waits_for_roots_can_be_cancelled(tmp_path: Path) -> None:
    with RawClient(builtin("filesystem")) as client:
        begin(client)
        client.send("tools/call", {"name": "list_allowed_directories"}, id="early")
        client.send("notifications/cancelled", {"requestId": "early"})
        answer_roots(client, tmp_path)
        assert directories(client.call("list_allowed_directories")) == [str(tmp_path)]


def test_a_client_that_refuses_to_say_its_roots_has_none() -> None:
    with RawClient(builtin("filesystem")) as client:
        begin(client)
        question = client.read_message()
        error = '"error": {"code": -32601, "message": "no"}'
        client.send_line(f'{{"jsonrpc": "2.0", "id": "{question["id"]}", {error}}}'.encode())
        assert directories(client.call("list_allowed_directories")) == []


def test_in_the_newest_era_the_call_is_repeated_with_the_roots(tmp_path: Path) -> None:
    params: dict[str, Any] = {"name": "list_allowed_directories", "_meta": WITH_ROOTS}
    with RawClient(builtin("filesystem")) as client:
        asked = client.ask("tools/call", params)["result"]
        assert asked["resultType"] == "input_required"
        assert asked["inputRequests"] == {"roots": {"method": "roots/list"}}
        answers = {"roots": {"roots": [root(tmp_path)]}}
        again = client.ask("tools/call", params | {"inputResponses": answers})
        assert directories(again) == [str(tmp_path)]
        bare = client.ask("tools/call", params | {"_meta": MODERN_META})
        assert directories(bare) == []


def test_folders_of_the_start_stay_whatever_a_client_offers(tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    mine.mkdir()
    with RawClient(builtin("filesystem", mine)) as client:
        begin(client)
        assert directories(client.call("list_allowed_directories")) == [str(mine)]
        assert not client.notifications


def test_other_servers_ask_for_no_roots() -> None:
    with RawClient(builtin("calculator")) as client:
        begin(client)
        client.ask("tools/list")
        assert not client.notifications


@pytest.mark.parametrize("era", ["auto", "legacy", "2026-07-28"])
async def test_the_folders_of_a_config_are_those_of_the_built_in_server(
    era: str, tmp_path: Path
) -> None:
    config = ServerConfig.checked(
        name="files", transport="stdio", builtin="filesystem", roots=(str(tmp_path),), era=era
    )
    async with connected(config) as connection:
        result = await connection.call_tool("list_allowed_directories", {})
    assert result.structured == {"directories": [str(tmp_path)]}


def test_a_root_of_windows_begins_with_its_drive(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    roots = [{"uri": "file:///C:/a%20b"}, {"uri": "file:///c%3A/d"}, {"uri": "file://h/share"}]
    assert read_roots({"roots": roots}) == ["C:/a b", "c:/d"]


def test_what_is_no_folder_of_this_machine_is_left_out() -> None:
    odd: list[object] = [
        {"uri": "file:///a%20b"},
        {"uri": "file://localhost/c"},
        {"uri": "file://elsewhere/d"},
        {"uri": "https://example.com/e"},
        {"uri": "file:///nul%00"},
        {"uri": "file://[broken"},
        {"uri": 3},
        {},
        "file:///f",
        None,
    ]
    assert read_roots({"roots": odd}) == ["/a b", "/c"]
    for result in ("[]", "{}", '{"roots": {}}', '{"roots": "file:///a"}', "null"):
        assert read_roots(json.loads(result)) == []
