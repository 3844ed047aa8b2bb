"""A session greets in the right way, follows the tools of its server and can always be left.

Every outcome of a call is a result that says what happened; a limit ends it everywhere.
"""

from __future__ import annotations

import asyncio
import sys
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from desktop.base.tasks import spawn
from desktop.config.models import ServerConfig
from desktop.servers.calls import unreachable
from desktop.servers.connection import ServerConnection
from desktop.servers.session import MAX_INFO_LENGTH
from desktop.servers.transport.stderr_log import is_divider
from desktop.values.packed_json import PackedJson, PackedText
from desktop.values.tool_types import ErrorCode, ToolDefinition
from tests.live_servers import connected, error_of, names, stdio, surroundings, until, written

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from desktop.values.tool_types import Progress
    from tests.conftest import ExpectedLogs


@pytest.fixture
async def plain() -> AsyncGenerator[ServerConnection]:
    async with connected(stdio("plain")) as connection:
        yield connection


@asynccontextmanager
async def wrong(tool: str, logs: ExpectedLogs) -> AsyncGenerator[ServerConnection]:
    logs.allow("mcp|Unknown|response")
    async with connected(stdio("wrong_result")) as connection:
        yield connection
        result = await connection.call_tool("echo", {"message": f"after {tool}"})
        assert result.output == f"after {tool}"


async def test_a_text_is_its_output(plain: ServerConnection) -> None:
    result = await plain.call_tool("add", {"a": 2, "b": 40})
    assert (result.success, result.output, result.error) == (True, "42", None)


@pytest.mark.parametrize(
    ("tool", "kinds", "output"),
    [
        ("image", ["image"], "[Image: image/png]"),
        ("audio", ["audio"], "[Audio: audio/wav]"),
        (
            "resource",
            ["resource", "link"],
            "[Resource: test://note]\na note\n[Resource: test://other]",
        ),
    ],
)
async def test_each_kind_of_content_is_kept_and_noted_in_the_output(
    plain: ServerConnection, tool: str, kinds: list[str], output: str
) -> None:
    result = await plain.call_tool(tool, {})
    assert [block.kind for block in result.content] == kinds
    assert result.output == output
    assert result.content[0].data or result.content[0].text


async def test_structured_content_is_kept_beside_the_text(plain: ServerConnection) -> None:
    result = await plain.call_tool("structured", {})
    assert result.structured == {"city": "Paris", "degrees": 21.5, "tags": ["mild", "dry"]}
    assert '"city": "Paris"' in result.output


async def test_a_tool_that_fails_is_an_error_with_its_own_words(plain: ServerConnection) -> None:
    result = await plain.call_tool("fail", {"message": "no such city"})
    assert result.is_error
    assert error_of(result) == (ErrorCode.TOOL_ERROR, "no such city")
    assert result.output == "no such city"


async def test_a_tool_the_server_does_not_know_is_a_protocol_error(plain: ServerConnection) -> None:
    code, message = error_of(await plain.call_tool("nothing", {}))
    assert code == ErrorCode.PROTOCOL
    assert "plain:nothing: unknown tool: nothing" in message


@pytest.mark.parametrize("era", ["legacy", "modern"])
async def test_structured_content_that_breaks_its_schema_is_kept_with_the_text(era: str) -> None:
    told: list[Progress] = []
    config = stdio("plain", "--era", era, era="auto")
    async with connected(config) as connection:
        result = await connection.call_tool("broken_structured", {})
        assert (result.success, result.structured) == (True, {"city": "Paris", "degrees": "warm"})
        assert '"warm"' in result.output
        arguments = {"seconds": 0.02, "steps": 2}
        done = await connection.call_tool("slow", arguments, on_progress=told.append)
        late = await connection.call_tool("slow", {"seconds": 60, "steps": 2}, timeout=0.2)
        await written(connection, "cancelled ")
    assert (done.output, len(told)) == ("done after 2 steps", 2)
    assert error_of(late)[0] == ErrorCode.TIMEOUT


async def test_a_call_over_its_limit_is_cancelled_at_the_server(plain: ServerConnection) -> None:
    result = await plain.call_tool("slow", {"seconds": 2, "steps": 2}, timeout=0.2)
    code, message = error_of(result)
    assert code == ErrorCode.TIMEOUT
    assert "plain:slow" in message
    assert "within 0.2 s" in message
    await written(plain, "cancelled ")
    await written(plain, "stopped ")
    assert plain.is_connected


async def test_the_limit_is_the_servers_own_unless_the_call_has_one() -> None:
    async with connected(stdio("plain", timeout=1)) as connection:
        result = await connection.call_tool("slow", {"seconds": 60, "steps": 2})
        assert "within 1 s" in error_of(result)[1]


async def test_progress_is_told_and_renews_the_limit(plain: ServerConnection) -> None:
    told: list[Progress] = []
    arguments = {"seconds": 2.4, "steps": 12}
    result = await plain.call_tool("slow", arguments, timeout=2, on_progress=told.append)
    assert result.output == "done after 12 steps"
    assert [(one.progress, one.total) for one in told] == [(n, 12) for n in range(1, 13)]
    assert told[0].message == "step 1 of 12"


async def test_whoever_fails_at_progress_does_not_fail_the_call(
    plain: ServerConnection, expected_logs: ExpectedLogs
) -> None:
    expected_logs.expect("the progress of a call could not be shown")

    def fail(_: Progress) -> None:
        raise LookupError

    # Many steps: what comes in one piece with the result, the SDK does not tell any more.
    arguments = {"seconds": 0.5, "steps": 25}
    assert (await plain.call_tool("slow", arguments, on_progress=fail)).success


async def test_cancelling_the_caller_cancels_at_the_server(plain: ServerConnection) -> None:
    began = asyncio.Event()
    arguments = {"seconds": 60, "steps": 600}
    call = spawn(plain.call_tool("slow", arguments, on_progress=lambda _: began.set()), "call")
    await began.wait()
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    await written(plain, "cancelled ")
    assert (await plain.call_tool("echo", {"message": "still here"})).output == "still here"


async def test_a_crash_in_a_call_says_that_it_may_have_had_effects(plain: ServerConnection) -> None:
    code, message = error_of(await plain.call_tool("crash", {}))
    assert code == ErrorCode.UNREACHABLE
    assert "The call was interrupted and may have had effects." in message


@pytest.mark.parametrize(
    "tool",
    [
        "protocol_error",
        "result_is_list",
        "result_is_number",
        "error_without_code",
        "result_and_error",
        "wrong_id",
        "never",
    ],
)
async def test_a_result_that_breaks_the_protocol_is_an_error_and_no_more(
    tool: str, expected_logs: ExpectedLogs
) -> None:
    async with wrong(tool, expected_logs) as connection:
        result = await connection.call_tool(tool, {}, timeout=0.3)
        code, message = error_of(result)
        assert code in (ErrorCode.PROTOCOL, ErrorCode.TIMEOUT), message
        assert message.startswith(f"wrong_result:{tool}")


@pytest.mark.parametrize(
    ("tool", "output"),
    [
        ("image_is_no_base64", "[Image: image/png, whose data is not base64: %%%]"),
        ("answers_twice", "first"),
        ("content_is_text", "text"),
        ("unknown_content_type", '{"type": "hologram", "src": "x"}'),
        ("text_without_text", '{"type": "text"}'),
        ("no_content", ""),
    ],
)
async def test_a_result_that_can_be_understood_is_taken(
    tool: str, output: str, expected_logs: ExpectedLogs
) -> None:
    async with wrong(tool, expected_logs) as connection:
        result = await connection.call_tool(tool, {})
        assert (result.success, result.output) == (True, output)


async def test_a_large_result_arrives_whole(plain: ServerConnection) -> None:
    result = await plain.call_tool("big", {"bytes": 5_000_000})
    assert len(result.output) == 5_000_000


async def test_many_calls_leave_one_timer_at_most(
    plain: ServerConnection, monkeypatch: pytest.MonkeyPatch
) -> None:
    loop = asyncio.get_running_loop()
    timers: list[asyncio.TimerHandle] = []
    call_at = loop.call_at

    def record(*args: object, **kwargs: object) -> asyncio.TimerHandle:
        timers.append(call_at(*args, **kwargs))  # type: ignore[arg-type]  # passed on as it came
        return timers[-1]

    monkeypatch.setattr(loop, "call_at", record)
    for _ in range(1000):
        assert (await plain.call_tool("echo", {"message": "x"})).success
    assert len(timers) <= 1


async def test_the_calls_of_all_servers_share_one_timer(monkeypatch: pytest.MonkeyPatch) -> None:
    around, loop = surroundings(), asyncio.get_running_loop()
    async with AsyncExitStack() as stack:
        servers = [
            await stack.enter_async_context(connected(stdio("plain", name=name), around))
            for name in ("one", "two", "three")
        ]
        timers: list[asyncio.TimerHandle] = []
        call_at = loop.call_at

        def record(*args: object, **kwargs: object) -> asyncio.TimerHandle:
            timers.append(call_at(*args, **kwargs))  # type: ignore[arg-type]  # passed on as it came
            return timers[-1]

        monkeypatch.setattr(loop, "call_at", record)
        calls = (server.call_tool("echo", {"message": "x"}) for server in servers)
        assert all(result.success for result in await asyncio.gather(*calls))
        monkeypatch.undo()
    assert len(timers) == 1


async def test_calls_run_side_by_side(plain: ServerConnection) -> None:
    slow = plain.call_tool("slow", {"seconds": 1, "steps": 1})
    order: list[str] = []

    running = spawn(slow, "slow")
    running.add_done_callback(lambda _: order.append("slow"))
    results = await asyncio.gather(
        *(plain.call_tool("echo", {"message": str(n)}) for n in range(100))
    )
    order.append("hundred")
    await running
    assert [result.output for result in results] == [str(n) for n in range(100)]
    assert order == ["hundred", "slow"]


async def test_a_server_that_is_not_connected_is_said_to_be_so() -> None:
    connection = ServerConnection(stdio("plain"), surroundings())
    code, message = error_of(await connection.call_tool("echo", {}))
    assert code == ErrorCode.UNREACHABLE
    assert message == unreachable("plain", "stopped").message


async def test_a_list_that_is_read_again_never_shrinks_to_its_first_page(tmp_path: Path) -> None:
    script = tmp_path / "server.py"
    script.write_text(CHANGING_PAGES, "utf-8")
    config = stdio("plain", name="pages")
    config = config.changed(args=(*config.args[:2], str(script)))
    async with connected(config) as connection:
        sizes: list[int] = []
        connection.tools_changed.connect(lambda: sizes.append(len(connection.tools)))
        await connection.call_tool("tool_0", {})
        await until(connection.tools_changed, lambda: len(connection.tools) == 31)
        assert sizes == [31]


async def test_a_list_that_can_no_longer_be_read_leaves_the_old_one(tmp_path: Path) -> None:
    script = tmp_path / "server.py"
    script.write_text(CHANGING_PAGES, "utf-8")
    config = stdio("plain", name="pages")
    config = config.changed(args=(*config.args[:2], str(script), "--then", "refuse"))
    async with connected(config) as connection:
        await connection.call_tool("tool_0", {})
        await written(connection, "the changed tool list could not be read: not now")
        assert len(connection.tools) == 30
        assert connection.is_connected


async def test_stopping_does_not_wait_for_a_list_that_is_being_read(tmp_path: Path) -> None:
    script = tmp_path / "server.py"
    script.write_text(CHANGING_PAGES, "utf-8")
    config = stdio("plain", name="pages")
    config = config.changed(args=(*config.args[:2], str(script), "--then", "mute"))
    async with connected(config) as connection:
        await connection.call_tool("tool_0", {})
        await written(connection, "asked again")
        session = connection.session
        assert session is not None
        await connection.disconnect()
        assert connection.state.phase == "stopped"
        assert connection.tools == ()


async def test_the_first_tools_are_there_before_the_last() -> None:
    sizes: list[int] = []
    connection = ServerConnection(
        stdio("many_tools", "--count", 600, "--bytes", 300, "--page", 100), surroundings()
    )
    connection.tools_changed.connect(lambda: sizes.append(len(connection.tools)))
    await connection.connect()
    assert sizes == [100, 600]
    await connection.disconnect()


@pytest.mark.parametrize("era", ["legacy", "modern"])
async def test_a_tool_of_a_long_list_is_the_same_as_one_of_a_short_list(era: str) -> None:
    """A short one is parsed at once, of a long one the schemas are kept as text."""
    lists: list[tuple[ToolDefinition, ...]] = []
    for page in (450, 10):
        tools = ("--count", 450, "--bytes", 2_000, "--page", page)
        config = stdio("many_tools", *tools, "--era", era, era="auto")
        async with connected(config, surroundings()) as connection:
            lists.append(connection.tools)
    whole, parsed = lists
    assert whole == parsed
    assert len(whole) == 450
    assert all(tool.input_schema["properties"]["message"] == {"type": "string"} for tool in whole)
    held = vars(ToolDefinition)["input_schema"].held
    assert [{type(held(tool)) for tool in tools} for tools in lists] == [{PackedText}, {PackedJson}]


async def test_a_server_of_the_newer_era_is_not_taken_for_an_old_one() -> None:
    around = surroundings()
    config = stdio("list_changes", "--era", "modern", era="auto")
    async with connected(config, around) as connection:
        assert connection.about.protocol == "2026-07-28"
    assert around.eras.mode(config) == "auto"


async def test_what_was_remembered_of_a_server_is_forgotten_when_it_does_not_hold() -> None:
    around = surroundings()
    config = stdio("exits_at_start", era="auto")
    around.eras.remember_legacy(config)
    async with connected(config, around) as connection:
        assert connection.state.phase == "failed"
    assert around.eras.mode(config) == "auto"


async def test_a_server_that_refuses_the_newer_greeting_is_greeted_in_the_old_way() -> None:
    async with connected(stdio("plain", era="auto")) as connection:
        assert connection.about.protocol == "2025-11-25"


async def test_a_server_that_knows_the_old_way_alone_is_not_probed_at_each_start() -> None:
    around = surroundings()
    for probes in (1, 0):
        before = around.traffic.after(0)
        async with connected(stdio("plain", era="auto"), around) as connection:
            assert connection.about.protocol == "2025-11-25"
        told = around.traffic.after(before[-1].number if before else 0)
        asked = [each.method for each in told if each.direction == "sent"]
        assert asked.count("server/discover") == probes


ONLY_NEW = """\
import sys
sys.path.insert(0, sys.argv[1])
from tests.servers.base import ECHO, Server
server = Server("newer", [ECHO], modern=True)
del server.answers["initialize"]
server.serve()
"""


async def test_a_server_that_has_given_up_the_old_way_connects_all_the_same() -> None:
    around = surroundings()
    root = str(Path(__file__).parents[2])
    config = ServerConfig.checked(
        name="newer", command=sys.executable, args=("-S", "-I", "-c", ONLY_NEW, root)
    )
    around.eras.remember_legacy(config)
    async with connected(config, around) as connection:
        assert connection.about.protocol == "2026-07-28", connection.state.error
        assert names(connection) == ["echo"]
    assert around.eras.mode(config) == "auto"


STARTS_SLOWLY = """\
import sys
sys.path.insert(0, sys.argv[1])
from tests.servers.base import ECHO, Server
server = Server("slow", [ECHO], modern=True)
unheard = [None] * 3
say = server.discover
server.answers["server/discover"] = lambda asked: unheard.pop() if unheard else say(asked)
server.serve()
"""


async def test_a_server_that_starts_slowly_is_asked_again_what_it_has(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("mcp.client.session.DISCOVER_TIMEOUT_SECONDS", 1.0)
    root = str(Path(__file__).parents[2])
    config = ServerConfig.checked(
        name="slow",
        command=sys.executable,
        args=("-S", "-I", "-c", STARTS_SLOWLY, root),
        era="2026-07-28",
    )
    async with connected(config) as connection:
        assert names(connection) == ["echo"]
        assert connection.capabilities.tool_changes


async def test_the_texts_of_a_server_about_itself_are_cut(tmp_path: Path) -> None:
    script = tmp_path / "server.py"
    script.write_text(TALKATIVE, "utf-8")
    config = stdio("plain", name="talkative")
    async with connected(config.changed(args=(*config.args[:2], str(script)))) as connection:
        about = connection.about
        assert (about.title, len(about.instructions)) == ("A title", MAX_INFO_LENGTH)


async def test_a_server_without_tools_connects(tmp_path: Path) -> None:
    script = tmp_path / "server.py"
    script.write_text(TALKATIVE, "utf-8")
    config = stdio("plain", name="talkative")
    async with connected(config.changed(args=(*config.args[:2], str(script)))) as connection:
        assert connection.is_connected
        assert connection.tools == ()


def test_the_log_of_a_server_stays_in_its_folder(tmp_path: Path) -> None:
    around = surroundings(logs=tmp_path)
    for name in ("../../etc/passwd", "..", "a/b", "C:\\x", "ä ö"):
        file = around.log_file(name)
        assert file is not None
        assert file.parent == tmp_path
        assert file.name.strip(".") not in ("", "log")


HEAD = f"""
import sys
sys.path.insert(0, {str(__file__).rpartition("/tests/")[0]!r})
from tests.servers.base import ECHO, Server, Tool, echo, log, option
"""
CHANGING_PAGES = (
    HEAD
    + """
def grow(call):
    server.tools.append(Tool("late", echo))
    server.answers["tools/list"] = {"": pages, "refuse": refuse, "mute": mute}[option("then")]
    server.notify("notifications/tools/list_changed", {})
    return "grown"

def pages(message):
    start = int((message.get("params") or {}).get("cursor") or 0)
    page = {"tools": [tool.declaration for tool in server.tools[start:start + 10]]}
    return page | ({"nextCursor": str(start + 10)} if start + 10 < len(server.tools) else {})

def refuse(message):
    server.refuse(message["id"], -32000, "not now")

def mute(message):
    log("asked again")

server = Server("pages", [Tool(f"tool_{n}", grow) for n in range(30)])
server.answers["tools/list"] = pages
server.serve()
"""
)
TALKATIVE = (
    HEAD
    + """
def introduce(message):
    info = {"name": "talkative", "title": "A title", "version": "2"}
    version = message["params"]["protocolVersion"]
    texts = {"serverInfo": info, "instructions": "i" * 1_000_000}
    return {"protocolVersion": version, "capabilities": {}} | texts

server = Server("talkative")
server.answers["initialize"] = introduce
server.serve()
"""
)


async def test_a_server_that_ends_before_it_reads_anything_is_started_once() -> None:
    async with connected(stdio("exits_at_start", era="auto")) as connection:
        assert connection.state.phase == "failed"
        lines = [line for line in connection.output.lines if "API_KEY" in line]
    assert len(lines) == 1


REFUSES = (
    HEAD
    + """
import os

def end(message):
    log("no licence")
    os._exit(3)

server = Server("refuses", [ECHO])
server.answers["initialize"] = end
server.serve()
"""
)


async def test_a_server_that_ends_after_it_answered_the_greeting_is_started_once(
    tmp_path: Path,
) -> None:
    script = tmp_path / "server.py"
    script.write_text(REFUSES, "utf-8")
    config = stdio("plain", name="refuses", era="auto")
    async with connected(config.changed(args=(*config.args[:2], str(script)))) as connection:
        assert "exited with code 3: no licence" in connection.state.error
        start, line = connection.output.lines
        assert is_divider(start)
        assert line == "no licence"
