"""The published servers through the whole core: config, connection, registry, executor."""

from __future__ import annotations

import asyncio
import http.server
import json
import os
import socket
import subprocess
import threading
from contextlib import asynccontextmanager, contextmanager
from typing import TYPE_CHECKING, Any

import psutil
import pytest

from desktop.base.paths import Paths
from desktop.base.uri_template import expand_template
from desktop.config.models import ServerConfig
from desktop.core import Core, build_core
from desktop.servers.elicited_form import default_content
from desktop.servers.requests import (
    Accepted,
    ElicitationRequest,
    SamplingAnswer,
    SamplingRequest,
    UrlElicitationRequest,
)
from desktop.values.tool_types import Content, Progress, ToolCall
from tests import live_servers, peers
from tests.peers import behind_nginx, forward_proxy, postgres_cluster

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Generator, Iterator
    from pathlib import Path

    from desktop.servers.requests import Answer, PendingRequest
    from desktop.values.tool_types import ToolResult

pytestmark = pytest.mark.real_servers
LIMIT = 30.0


@asynccontextmanager
async def connected(folder: Path, **entry: Any) -> AsyncGenerator[Core]:
    """A core whose config has this one server, named `one`; in the end nothing of it is left."""
    (folder / "mcp.json").write_text(json.dumps({"mcpServers": {"one": entry}}), encoding="utf-8")
    before = set(psutil.Process().children(recursive=True))
    started: set[psutil.Process] = set()
    core = build_core(Paths(folder / "mcp.json", folder / "data"))
    core.follow_store()
    try:
        await asyncio.wait_for(core.settle(), LIMIT)
        assert core.service.connection("one").state.words == "connected"
        yield core
        started = set(psutil.Process().children(recursive=True)) - before
    finally:
        receipt = await core.close()
    # Whatever a server has started as well: a browser has a dozen processes.
    _, left = await asyncio.to_thread(psutil.wait_procs, started, LIMIT)
    assert not left
    assert receipt.left == ()


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


async def offers_of_everything(core: Core) -> None:
    """Resources, templates, prompts, values and a subscription of server-everything."""
    server = core.service.connection("one")
    resources = {resource.name: resource for resource in await server.resources.list()}
    page = await server.resources.read(resources["features.md"].uri)
    assert page.error is None
    assert (page.contents[0].mime, page.contents[0].text[:1]) == ("text/markdown", "#")
    text, blob = server.resources.templates
    uri = expand_template(blob.uri_template, {"resourceId": "7"})
    assert (await server.resources.read(uri)).contents[0].data.startswith(b"Resource 7")
    assert (await server.prompts.complete(text, "resourceId", "7")).values == ("7",)
    prompts = {prompt.name: prompt for prompt in await server.prompts.list()}
    filled = await server.prompts.get("args-prompt", {"city": "Paris"})
    assert "Paris" in filled.messages[0].content.text
    team = prompts["completable-prompt"]
    found = await server.prompts.complete(team, "name", "", {"department": "Engineering"})
    assert "Alice" in found.values
    assert await server.resources.subscribe(uri) is None
    updates: list[str] = []
    server.resource_updated.connect(updates.append)
    await run(core, "toggle-subscriber-updates")
    await live_servers.until(server.resource_updated, lambda: uri in updates)
    assert await server.resources.unsubscribe(uri) is None


@peers.needs_everything
async def test_everything_offers_resources_prompts_and_a_log(tmp_path: Path) -> None:
    command = peers.everything_command()
    async with connected(tmp_path, **stdio(command), logLevel="debug") as core:
        server = core.service.connection("one")
        await offers_of_everything(core)
        await run(core, "toggle-simulated-logging")
        levels = ("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency")
        await live_servers.until(
            server.output.received,
            lambda: any(f"[{level}]" in line for level in levels for line in server.output.lines),
        )


@peers.needs_everything
async def test_everything_runs_a_tool_as_a_task(tmp_path: Path) -> None:
    told: list[Progress] = []
    async with connected(tmp_path, **stdio(peers.everything_command())) as core:
        call = ToolCall("one:simulate-research-query", {"topic": "tasks"})
        result = await asyncio.wait_for(core.executor.run(call, told.append), LIMIT)
    assert result.output.startswith("# Research Report: tasks")
    assert any(step.message.startswith("working: ") for step in told)


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


@peers.needs_pypi
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


@peers.needs_sequential_thinking
async def test_sequential_thinking_counts_the_thoughts(tmp_path: Path) -> None:
    async with connected(tmp_path, **stdio(peers.sequential_thinking_command())) as core:
        thought = {"thought": "one", "thoughtNumber": 1, "totalThoughts": 2}
        result = await run(core, "sequentialthinking", **thought, nextThoughtNeeded=True)
    assert json.loads(result.output)["thoughtHistoryLength"] == 1


def new_repository(folder: Path) -> Path:
    subprocess.run(["git", "init", "-q", str(folder / "repository")], check=True)
    return folder / "repository"


@peers.needs_pypi
async def test_git_shows_the_status_of_a_repository(tmp_path: Path) -> None:
    repository = new_repository(tmp_path)
    (repository / "new.txt").write_text("new", encoding="utf-8")
    async with connected(tmp_path, **stdio(peers.git_command(repository))) as core:
        result = await run(core, "git_status", repo_path=str(repository))
    assert "new.txt" in result.output


PAGE = b"<title>A local page</title><h1>Served by the test</h1><button>Press</button>"


@contextmanager
def page() -> Generator[str]:
    """The URL of PAGE; whatever else is asked for is not there, robots.txt among it."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            is_page = self.path == "/"
            self.send_response(200 if is_page else 404)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.end_headers()
            self.wfile.write(PAGE if is_page else b"")

        def log_message(self, format: str, *args: object) -> None:
            """Nothing: the log is the test's."""

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}/"
        finally:
            server.shutdown()
            thread.join(LIMIT)


@peers.needs_pypi
async def test_fetch_reads_a_page(tmp_path: Path) -> None:
    with page() as url:
        async with connected(tmp_path, **stdio(peers.fetch_command())) as core:
            assert [tool.definition.key for tool in core.registry.all()] == ["one:fetch"]
            # As it is: without `raw` it would look for Node packages to simplify the page with.
            result = await run(core, "fetch", url=url, raw=True)
            missing = await run(core, "fetch", url=url + "missing", raw=True)
    assert "<h1>Served by the test</h1>" in result.output
    assert missing.error is not None
    assert "404" in missing.error.message


@peers.needs_pypi
async def test_duckdb_writes_and_reads_a_table(tmp_path: Path) -> None:
    command = peers.duckdb_command(tmp_path / "one.duckdb")
    async with connected(tmp_path, **stdio(command)) as core:
        made = await run(core, "execute_query", sql="CREATE TABLE t AS SELECT 6 * 7 AS answer")
        result = await run(core, "execute_query", sql="SELECT answer FROM t")
        refused = await run(core, "execute_query", sql="SELECT nothing FROM nowhere")
    assert made.success
    assert "42" in result.output
    assert "nowhere does not exist" in refused.output
    assert (tmp_path / "one.duckdb").is_file()


@peers.needs_postgres
async def test_postgres_answers_a_query_of_its_database(tmp_path: Path) -> None:
    with postgres_cluster.serving() as url:
        async with connected(tmp_path, **stdio(peers.postgres_command(url))) as core:
            assert [tool.definition.key for tool in core.registry.all()] == ["one:query"]
            result = await run(core, "query", sql="SELECT 6 * 7 AS answer")
            refused = await run(core, "query", sql="SELECT nothing FROM nowhere")
    assert json.loads(result.output) == [{"answer": 42}]
    assert refused.error is not None
    assert 'relation "nowhere" does not exist' in refused.error.message


@peers.needs_playwright
async def test_playwright_shows_a_page_in_a_browser(tmp_path: Path) -> None:
    entry = stdio(peers.playwright_command()) | {"cwd": str(tmp_path)}
    with page() as url:
        async with connected(tmp_path, **entry) as core:
            opened = await run(core, "browser_navigate", url=url)
            seen = await run(core, "browser_snapshot")
            picture = await run(core, "browser_take_screenshot")  # `scale` is required
    assert "A local page" in opened.output
    assert 'button "Press"' in seen.output
    (image,) = [block for block in picture.content if block.kind == "image"]
    assert image.data.startswith(b"\x89PNG")


@peers.needs_fastmcp_behind_nginx
async def test_a_server_that_wants_to_know_this_machine_is_shown_its_certificate(
    tmp_path: Path,
) -> None:
    with behind_nginx.serving(tmp_path, wants_client=True) as (url, authority):
        tls = {"ca": str(authority)}
        config = ServerConfig.checked(name="one", transport="http", url=url + "/mcp", tls=tls)
        async with live_servers.connected(config) as stranger:
            assert "400 Bad Request" in stranger.state.error
        tls |= {"cert": str(tmp_path / "server.pem"), "key": str(tmp_path / "server.key")}
        async with connected(tmp_path, url=url + "/mcp", tls=tls) as core:
            assert (await run(core, "greet", name="Ada")).output == "Hello, Ada!"


@peers.needs_fastmcp_behind_nginx
async def test_calls_at_once_share_one_connection_of_http2(tmp_path: Path) -> None:
    with behind_nginx.serving(tmp_path, http2=True) as (url, authority):
        async with connected(tmp_path, url=url + "/mcp", tls={"ca": str(authority)}) as core:
            calls = (run(core, "add", a=number) for number in range(20))
            results = await asyncio.gather(*calls)
        assert [result.output for result in results] == [str(2 + n) for n in range(20)]
        log = (tmp_path / "access.log").read_text("utf-8")
    assert "HTTP/2.0" in log
    assert "HTTP/1.1" not in log


@peers.needs_fastmcp_behind_nginx
@peers.needs_tinyproxy
async def test_a_server_is_reached_through_a_proxy_that_wants_a_password(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the variables of whoever starts the app; not for the hosts that they leave out."""
    for name in ("NO_PROXY", "no_proxy", "https_proxy"):
        monkeypatch.delenv(name, raising=False)
    with (
        behind_nginx.serving(tmp_path) as (url, authority),
        forward_proxy.serving(tmp_path) as (proxy, log),
    ):
        monkeypatch.setenv("HTTPS_PROXY", proxy)
        entry = {"url": url + "/mcp", "tls": {"ca": str(authority)}}
        async with connected(tmp_path, **entry) as core:
            assert (await run(core, "greet", name="Ada")).output == "Hello, Ada!"
        used = log.read_text("utf-8")
        assert f"CONNECT {url.removeprefix('https://')}" in used
        monkeypatch.setenv("NO_PROXY", "127.0.0.1")
        async with connected(tmp_path, **entry) as core:
            assert (await run(core, "greet", name="Ada")).output == "Hello, Ada!"
        assert log.read_text("utf-8").count("CONNECT") == used.count("CONNECT")
        monkeypatch.delenv("NO_PROXY")
        monkeypatch.setenv("HTTPS_PROXY", proxy.replace("secret", "wrong"))
        config = ServerConfig.checked(name="one", transport="http", **entry)
        async with live_servers.connected(config) as refused:
            assert "Check the name and the password" in refused.state.error
            assert "wrong" not in refused.state.error


@peers.needs_fastmcp_behind_nginx
async def test_fastmcp_is_reached_behind_nginx(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only where its authority is trusted, and at an address that redirects, too."""
    with behind_nginx.serving(tmp_path) as (url, authority):
        config = ServerConfig.checked(name="one", transport="http", url=url + "/mcp")
        async with live_servers.connected(config) as stranger:
            assert "its certificate is not trusted" in stranger.state.error
        monkeypatch.setenv("SSL_CERT_FILE", str(authority))
        for path, redirects in (("/mcp", False), ("/mcp/", True)):
            async with connected(tmp_path, url=url + path) as core:
                assert {tool.definition.name for tool in core.registry.all()} == {"greet", "add"}
                assert (await run(core, "greet", name="Ada")).output == "Hello, Ada!"
                assert (await run(core, "add", a=40)).output == "42"
            log = (tmp_path / "access.log").read_text("utf-8")
            assert (" 307 " in log) == redirects


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
    process.communicate(timeout=LIMIT)


@peers.needs_everything
async def test_everything_is_reached_at_an_address(tmp_path: Path, address: str) -> None:
    async with connected(tmp_path, url=address, roots=[str(tmp_path)]) as core:
        assert (await run(core, "echo", message="hi")).output == "Echo: hi"
        assert (await run(core, "get-sum", a=1, b=2)).success
        await offers_of_everything(core)
        await asks_of_everything(core, tmp_path)


@peers.needs_everything
async def test_everything_may_ask_back_and_every_tool_of_it_is_called(tmp_path: Path) -> None:
    entry = stdio(peers.everything_command()) | {"roots": [str(tmp_path)]}
    async with connected(tmp_path, **entry) as core:
        called = set(await asks_of_everything(core, tmp_path))
        for tool, arguments in ANSWERED_AT_ONCE.items():
            result = await run(core, tool, **arguments)
            assert result.success, (tool, result.error)
            called.add(tool)
        listed = {tool.definition.name for tool in core.registry.all()}
    assert listed - called == {"simulate-research-query"}, "it can be called as a task alone"


ANSWERED_AT_ONCE: dict[str, dict[str, Any]] = {
    "echo": {"message": "hi"},
    "get-annotated-message": {"messageType": "error"},
    "get-env": {},
    "get-resource-links": {},
    "get-resource-reference": {},
    "get-structured-content": {"location": "Chicago"},
    "get-sum": {"a": 1, "b": 2},
    "get-tiny-image": {},
    "gzip-file-as-resource": {"data": "data:text/plain,hi"},
    "toggle-simulated-logging": {},
    "toggle-subscriber-updates": {},
    "trigger-long-running-operation": {"duration": 0.1, "steps": 2},
}


def answer_everything(pending: PendingRequest) -> Answer:
    match pending.request:
        case ElicitationRequest() as form:
            return Accepted(default_content(form.schema) | {"name": "Ada"})
        case SamplingRequest():
            return SamplingAnswer((Content("text", "a poem"),), "model-x")
        case UrlElicitationRequest():
            return Accepted()


async def asks_of_everything(core: Core, root: Path) -> tuple[str, ...]:
    """Call the tools that ask back; their names."""
    core.requests.answerer = answer_everything
    form = (await run(core, "trigger-elicitation-request")).output
    assert '"name": "Ada"' in form
    assert '"integer": 42' in form
    url = {"url": "https://example.com/a"}
    for more in ({}, {"errorPath": True}):
        visited = await run(core, "trigger-url-elicitation", **url, **more)
        assert "User completed the URL elicitation flow" in visited.output
    sampled = (await run(core, "trigger-sampling-request", prompt="a poem")).output
    assert '"model": "model-x"' in sampled
    assert '"text": "a poem"' in sampled
    assert root.as_uri() in (await run(core, "get-roots-list")).output
    return (
        "trigger-elicitation-request",
        "trigger-url-elicitation",
        "trigger-sampling-request",
        "get-roots-list",
    )
