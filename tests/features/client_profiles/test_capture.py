"""`capture`: a client that connects is written down, as far as it says and does."""

from __future__ import annotations

import asyncio
import json
import re
import sys
from typing import TYPE_CHECKING, Any

import httpx2
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

from desktop.features.client_profiles.capture import CaptureServer, to_json
from desktop.features.client_profiles.profiles import Profile, read_profile
from tests.cli.terminal import ROOT, Terminal
from tests.patience import LIMIT

if TYPE_CHECKING:
    from pathlib import Path


def asked(server: CaptureServer, *messages: dict[str, Any]) -> list[dict[str, Any]]:
    numbered = ({"jsonrpc": "2.0", "id": at, **each} for at, each in enumerate(messages))
    return [dict(answer) for each in numbered for answer in server.answer(each)]


def tool(name: str, **arguments: object) -> dict[str, Any]:
    return {"method": "tools/call", "params": {"name": name, "arguments": arguments}}


GREETING: dict[str, Any] = {
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {"roots": {}},
        "clientInfo": {"name": "My Client!", "version": "3"},
    },
}
LIST: dict[str, Any] = {"method": "tools/list"}


def value(profile: Profile, name: str) -> Any:
    cell = profile.cell(name)
    return None if cell is None else cell.value


def test_what_a_client_says_of_itself_is_kept() -> None:
    server = CaptureServer()
    asked(server, GREETING)
    profile = server.profile()
    assert (profile.id, profile.label, profile.version) == ("my-client", "My Client!", "3")
    assert value(profile, "capabilities") == {"roots": {}}
    assert value(profile, "protocol_versions") == ["2025-06-18"]
    assert value(profile, "list_changed") is None


def test_whether_it_reads_a_changed_list_again_is_seen() -> None:
    again, not_again = CaptureServer(), CaptureServer()
    answers = asked(again, GREETING, LIST, LIST)
    assert answers[2]["method"] == "notifications/tools/list_changed"
    assert value(again.profile(), "list_changed").tools is True
    asked(not_again, GREETING, LIST, tool("look"))
    assert value(not_again.profile(), "list_changed").tools is False


def test_its_model_reports_what_it_got() -> None:
    server = CaptureServer()
    asked(server, GREETING, LIST)
    report = {"words": "It said WALNUT", "last_mark": "d02048", "names": ["mcp_capture_look"]}
    asked(server, tool("report", **report))
    profile = server.profile()
    assert value(profile, "structured_content").model_sees == "structured"
    assert value(profile, "description_limit").tool == 2048
    assert value(profile, "tool_name_prefix").format == "mcp_{server}_"


def test_nonsense_of_a_model_or_client_is_no_knowledge() -> None:
    server = CaptureServer()
    asked(server, GREETING, LIST)
    before = set(server.cells)
    odd: dict[str, Any] = {"words": 5, "last_mark": "d99999999", "names": [{}, "x"]}
    answers = asked(server, tool("report", **odd), tool("none"), {"method": "nope"}, {"method": 3})
    assert set(server.cells) - before == {"list_changed"}
    assert answers[1]["result"]["isError"] is True
    assert answers[2]["error"]["code"] == -32601
    assert [*server.answer([]), *server.answer({"params": 1}), *server.answer(None)] == []


def test_the_file_is_a_profile(tmp_path: Path) -> None:
    server = CaptureServer()
    asked(server, GREETING)
    file = tmp_path / "mine.json"
    file.write_text(to_json(server.profile()), "utf-8")
    assert read_profile(file) == server.profile()


async def test_the_official_sdk_is_captured_over_stdio(tmp_path: Path) -> None:
    file = tmp_path / "sdk.json"
    args = ["-m", "desktop", "capture", str(file)]
    command = StdioServerParameters(command=sys.executable, args=args, cwd=ROOT)
    async with (
        asyncio.timeout(LIMIT),
        stdio_client(command) as (read, write),
        ClientSession(read, write) as session,
    ):
        await session.initialize()
        listed = await session.list_tools()
        assert [each.name for each in listed.tools] == ["look", "report"]
        assert (await session.call_tool("look", {})).structured_content == {"word": "walnut"}
    profile = read_profile(file)
    assert value(profile, "client_info_name") == "mcp"
    assert value(profile, "protocol_versions") == ["2025-11-25"]


def test_over_http_it_is_reached_by_this_machine_alone(terminal: Terminal) -> None:
    file = terminal.folder / "http.json"
    process = terminal.start("capture", str(file), "--http", "0")
    try:
        assert process.stderr is not None
        found = re.search(r"http://127.0.0.1:\d+/mcp", process.stderr.readline())
        assert found is not None
        message = {"jsonrpc": "2.0", "id": 1, **GREETING}
        with httpx2.Client(timeout=20) as client:
            answer = client.post(found[0], json=message)
            assert answer.json()["result"]["protocolVersion"] == "2025-06-18"
            assert client.post(found[0], json={"jsonrpc": "2.0", "method": "x"}).status_code == 202
            page = {"Origin": "https://example.com"}
            assert client.post(found[0], json=message, headers=page).status_code == 403
            assert client.post(found[0], json=message, headers={"Host": "a.b"}).status_code == 403
            assert client.get(found[0]).status_code == 405
    finally:
        process.terminate()
        process.communicate(timeout=LIMIT)
    assert json.loads(file.read_text("utf-8"))["label"] == "My Client!"


def test_a_place_that_cannot_be_written_is_said(terminal: Terminal) -> None:
    done = terminal.run("capture", "/nowhere/mine.json")
    assert (done.code, "in a folder that is there" in done.err) == (2, True), done
