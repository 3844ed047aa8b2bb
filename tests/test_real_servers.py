"""The published servers through the whole core: config, connection, registry, executor."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import subprocess
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import pytest

from desktop.core import Core, build_core
from desktop.paths import Paths
from desktop.tool_types import Progress, ToolCall
from tests import peers

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Iterator
    from pathlib import Path

    from desktop.tool_types import ToolResult

pytestmark = pytest.mark.real_servers
LIMIT = 30.0


@asynccontextmanager
async def connected(folder: Path, **entry: Any) -> AsyncGenerator[Core]:
    """A core whose config has this one server, named `one`, and which has settled."""
    (folder / "mcp.json").write_text(json.dumps({"mcpServers": {"one": entry}}), encoding="utf-8")
    core = build_core(Paths(folder / "mcp.json", folder / "data"))
    core.follow_store()
    try:
        await asyncio.wait_for(core.settle(), LIMIT)
        assert core.service.connection("one").state.words == "connected"
        yield core
    finally:
        await core.close()


def stdio(command: list[str]) -> dict[str, Any]:
    return {"command": command[0], "args": command[1:]}


async def run(core: Core, tool: str, **arguments: object) -> ToolResult:
    return await asyncio.wait_for(core.executor.run(ToolCall(f"one:{tool}", arguments)), LIMIT)


@peers.needs_everything
async def test_everything_lists_and_runs_its_tools(tmp_path: Path) -> None:
    async with connected(tmp_path, **stdio(peers.everything_command())) as core:
        assert len(core.registry.all()) >= 10
        assert (await run(core, "echo", message="hi")).output == "Echo: hi"
        picture = await run(core, "get-tiny-image")
        (image,) = [block for block in picture.content if block.kind == "image"]
        assert image.data.startswith(b"\x89PNG")
        weather = await run(core, "get-structured-content", location="Chicago")
        assert set(weather.structured) == {"temperature", "conditions", "humidity"}


@peers.needs_everything
async def test_everything_tells_of_its_progress(tmp_path: Path) -> None:
    told: list[Progress] = []
    async with connected(tmp_path, **stdio(peers.everything_command())) as core:
        call = ToolCall(
            "one:trigger-long-running-operation", {"duration": 0.2, "steps": 4}, timeout=5
        )
        result = await core.executor.run(call, told.append)
    assert result.success
    assert [(one.progress, one.total) for one in told] == [(step, 4) for step in (1, 2, 3, 4)]


@peers.needs_filesystem
async def test_filesystem_reads_inside_its_folder_and_refuses_outside(tmp_path: Path) -> None:
    folder = tmp_path / "files"
    folder.mkdir()
    (folder / "note.txt").write_text("kept", encoding="utf-8")
    async with connected(tmp_path, **stdio(peers.filesystem_command(folder))) as core:
        inside = await run(core, "read_text_file", path=str(folder / "note.txt"))
        outside = await run(core, "read_text_file", path=str(tmp_path / "mcp.json"))
    assert inside.output == "kept"
    assert outside.error is not None
    assert outside.error.code == "tool_error"


@peers.needs_memory
async def test_memory_keeps_what_it_is_told(tmp_path: Path) -> None:
    place = {"MEMORY_FILE_PATH": str(tmp_path / "memory.jsonl")}
    async with connected(tmp_path, **stdio(peers.memory_command()), env=place) as core:
        entity = {"name": "Ada", "entityType": "person", "observations": ["wrote programs"]}
        assert (await run(core, "create_entities", entities=[entity])).success
        found = await run(core, "search_nodes", query="programs")
    assert "Ada" in found.output


@peers.needs_time
async def test_time_converts_between_zones(tmp_path: Path) -> None:
    async with connected(tmp_path, **stdio(peers.time_command())) as core:
        result = await run(
            core,
            "convert_time",
            source_timezone="Asia/Shanghai",
            time="12:00",
            target_timezone="UTC",
        )
    assert "04:00" in result.output


def new_repository(folder: Path) -> Path:
    subprocess.run(["git", "init", "-q", str(folder / "repository")], check=True)
    return folder / "repository"


@peers.needs_git
async def test_git_shows_the_status_of_a_repository(tmp_path: Path) -> None:
    repository = new_repository(tmp_path)
    (repository / "new.txt").write_text("new", encoding="utf-8")
    async with connected(tmp_path, **stdio(peers.git_command(repository))) as core:
        result = await run(core, "git_status", repo_path=str(repository))
    assert "new.txt" in result.output


@pytest.fixture(params=["streamableHttp", "sse"])
def address(request: pytest.FixtureRequest) -> Iterator[str]:
    """The URL of server-everything over the transport, once it listens."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    process = subprocess.Popen(
        peers.everything_command(request.param),
        env={**os.environ, "PORT": str(port)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    assert process.stdout is not None
    while b"on port" not in (line := process.stdout.readline()):
        assert line, "it ended before it listened"
    yield f"http://127.0.0.1:{port}/{'mcp' if request.param == 'streamableHttp' else 'sse'}"
    process.kill()
    process.communicate(timeout=10)


@peers.needs_everything
async def test_everything_is_reached_at_an_address(tmp_path: Path, address: str) -> None:
    async with connected(tmp_path, url=address) as core:
        assert (await run(core, "echo", message="hi")).output == "Echo: hi"
        assert (await run(core, "get-sum", a=1, b=2)).success
