"""The published servers start and answer: who fails here fails without any code of ours."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import urllib.request
from typing import TYPE_CHECKING, Any

import pytest

from tests import peers
from tests.patience import LIMIT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.real_servers
INITIALIZE: dict[str, Any] = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "mcp-desktop-tests", "version": "0"},
    },
}


def server_name(command: list[str], **env: str) -> str:
    """Start `command`, say hello, let it go by closing its input."""
    line = json.dumps(INITIALIZE) + "\n"
    done = subprocess.run(
        command,
        input=line,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        encoding="utf-8",
        env=os.environ | env,
        timeout=LIMIT,
        check=True,
    )
    return json.loads(done.stdout.splitlines()[0])["result"]["serverInfo"]["name"]


@peers.needs_everything
def test_everything_answers() -> None:
    assert server_name(peers.everything_command()) == "mcp-servers/everything"


@peers.needs_filesystem
def test_filesystem_answers(tmp_path: Path) -> None:
    assert server_name(peers.filesystem_command(tmp_path)) == "secure-filesystem-server"


@peers.needs_memory
def test_memory_answers(tmp_path: Path) -> None:
    memory = str(tmp_path / "memory.jsonl")
    assert server_name(peers.memory_command(), MEMORY_FILE_PATH=memory) == "memory-server"


@peers.needs_pypi
def test_time_answers() -> None:
    assert server_name(peers.time_command()) == "mcp-time"


@peers.needs_pypi
def test_git_answers(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "--quiet", str(tmp_path)], check=True)
    assert server_name(peers.git_command(tmp_path)) == "mcp-git"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@pytest.fixture
def everything_url(request: pytest.FixtureRequest) -> Iterator[str]:
    """Runs server-everything on the transport named by the parameter; ends with the test."""
    port = free_port()
    server = subprocess.Popen(
        peers.everything_command(request.param),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        env=os.environ | {"PORT": str(port)},
    )
    assert server.stderr is not None
    with server.stderr as said:
        while str(port) not in (line := said.readline()):
            assert line, "the server ended before it listened"
        yield f"http://127.0.0.1:{port}"
        server.kill()
        server.wait(10)


@peers.needs_everything
@pytest.mark.parametrize("everything_url", ["streamableHttp"], indirect=True)
def test_everything_answers_over_http(everything_url: str) -> None:
    request = urllib.request.Request(
        f"{everything_url}/mcp",
        json.dumps(INITIALIZE).encode(),
        {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"},
    )
    with urllib.request.urlopen(request, timeout=30) as response:
        text = next(line for line in response if line.startswith(b"data: {"))
    assert json.loads(text.removeprefix(b"data: "))["result"]["protocolVersion"] == "2025-11-25"


@peers.needs_everything
@pytest.mark.parametrize("everything_url", ["sse"], indirect=True)
def test_everything_answers_over_sse(everything_url: str) -> None:
    with urllib.request.urlopen(f"{everything_url}/sse", timeout=30) as response:
        assert response.readline() == b"event: endpoint\n"
