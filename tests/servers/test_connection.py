"""A connection says what its server does, survives what it can, and leaves nothing behind."""

from __future__ import annotations

import asyncio
import logging
import shlex
import socket
from functools import partial
from typing import TYPE_CHECKING

import psutil
import pytest
from msgspec.structs import replace

from desktop.base.errors import ServerError
from desktop.base.tasks import spawn
from desktop.config.models import ServerConfig
from desktop.servers.connection import RETRIES, ServerConnection
from desktop.servers.state import ServerInfo, ServerState
from desktop.servers.transport.stdio_transport import StdioTransport
from desktop.values.tool_types import ErrorCode
from tests.live_servers import (
    QUICK,
    attempts,
    connected,
    error_of,
    names,
    phases,
    reached,
    stdio,
    surroundings,
    until,
    written,
)
from tests.patience import LIMIT
from tests.server_commands import command

if TYPE_CHECKING:
    from pathlib import Path

    from desktop.servers.context import ConnectionContext
    from desktop.values.tool_types import Progress


@pytest.fixture
def quick() -> ConnectionContext:
    return surroundings(pauses=QUICK)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


async def test_a_server_starts_connects_lists_its_tools_and_stops() -> None:
    connection = ServerConnection(stdio("plain"), surroundings())
    seen = phases(connection)
    assert connection.state == ServerState()
    await connection.connect()
    assert connection.is_connected
    assert connection.pid is not None
    assert names(connection)[:3] == ["echo", "add", "slow"]
    assert connection.state.connect_seconds is not None
    await connection.disconnect()
    assert seen == ["starting", "connected", "stopped"]
    assert (connection.pid, connection.tools) == (None, ())


async def test_what_a_server_says_of_itself_is_bounded_and_gone_with_it() -> None:
    async with connected(stdio("plain")) as connection:
        about = connection.about
        assert (about.name, about.version, about.protocol) == ("plain", "1.0", "2025-11-25")
    assert connection.about == ServerInfo()


async def test_of_the_icons_that_a_server_declares_a_few_short_ones_are_kept() -> None:
    async with connected(stdio("plain", "--icons", 12)) as connection:
        kept = connection.about.icons
    assert len(kept) == 7  # of the first eight, one is too long
    assert {icon["src"][:22] for icon in kept} == {"data:image/png;base64,"}
    assert {icon["mimeType"] for icon in kept} == {"image/png"}


async def test_a_command_that_is_not_found_names_the_searched_path(tmp_path: Path) -> None:
    environ = {"PATH": str(tmp_path), "HOME": str(tmp_path)}
    config = ServerConfig.checked(name="gone", transport="stdio", command="no-such-program")
    async with connected(config, surroundings(environ)) as connection:
        assert connection.state.phase == "failed"
        assert '"no-such-program" was not found' in connection.state.error
        assert str(tmp_path) in connection.state.error


async def test_a_server_that_exits_at_once_is_shown_with_its_code_and_its_last_words() -> None:
    async with connected(stdio("exits_at_start", era="auto")) as connection:
        assert connection.state.phase == "failed"
        assert "exited with code 3" in connection.state.error
        assert "error: API_KEY is not set" in connection.state.error


async def test_a_server_that_never_answers_fails_once_its_time_is_over() -> None:
    config = stdio("silent", era="auto", connect_timeout=1)
    connection = ServerConnection(config, surroundings())
    pids: set[int | None] = set()
    connection.state_changed.connect(lambda: pids.add(connection.pid))
    await connection.connect()
    assert connection.state.phase == "failed"
    assert "did not answer within 1 s" in connection.state.error
    assert "exited" not in connection.state.error
    await connection.disconnect()


REFUSES = (
    'sed -un \'s/.*"id":\\([0-9]*\\).*/'
    '{"jsonrpc":"2.0","id":\\1,"error":{"code":-32000,"message":"no licence"}}/p\''
)


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ("sleep 60", "did not answer within 1 s"),
        ("trap '' TERM; while :; do sleep 1; done", "did not answer within 1 s"),
        (f"{REFUSES}; sleep 60", "no licence"),
    ],
    ids=["reads nothing", "ignores signals", "refuses and stays"],
)
async def test_a_server_that_did_not_start_has_failed_while_its_process_is_still_being_ended(
    script: str, words: str
) -> None:
    config = ServerConfig.checked(
        name="mute", transport="stdio", command="sh", args=("-c", script), connect_timeout=1
    )
    around = surroundings()
    async with connected(config, around) as connection:
        assert words in connection.state.error
        assert connection.state.phase == "failed"
        assert len(around.tracker.tracked) == 1, "told after its process had ended"
    assert not around.tracker.tracked


@pytest.mark.parametrize("again", ["start", "start_anew"])
async def test_a_server_that_has_failed_starts_again_once_its_process_has_ended(
    again: str, tmp_path: Path
) -> None:
    been = tmp_path / "been"
    program, arguments = command("plain")
    works = shlex.join([program, *arguments])
    script = f'if [ -e "{been}" ]; then exec {works}; fi; : > "{been}"; sleep 60'
    config = ServerConfig.checked(
        name="late", transport="stdio", command="sh", args=("-c", script), connect_timeout=1
    )
    around = surroundings()
    async with connected(config, around) as connection:
        assert around.tracker.tracked
        connection.reconfigure(config.model_copy(update={"connect_timeout": 20}))
        getattr(connection, again)()
        getattr(connection, again)()
        assert connection.state.phase == "starting"
        await reached(connection, "connected")
        assert len(around.tracker.tracked) == 1


async def test_a_server_that_never_answers_is_started_once(tmp_path: Path) -> None:
    """Not again in the old way: it did not die of the newer greeting."""
    starts = tmp_path / "starts"
    script = f'echo start >> "{starts}"; while read -r line; do :; done'
    config = ServerConfig.checked(
        name="mute", transport="stdio", command="sh", args=("-c", script), connect_timeout=1
    )
    async with connected(config) as connection:
        assert connection.state.phase == "failed"
    assert starts.read_text("utf-8") == "start\n"


async def test_garbage_on_stdout_does_not_stop_a_server_and_is_shown() -> None:
    async with connected(stdio("garbage")) as connection:
        assert connection.is_connected
        assert (await connection.call_tool("echo", {"message": "hi"})).output == "hi"
        lines = list(connection.output.lines)
        assert "[stdout, not a message] Starting the server ..." in lines
        assert "[stdout, not a message] [INFO] ok" in lines


async def test_bytes_that_are_no_utf8_stop_neither_start_nor_result() -> None:
    async with connected(stdio("bad_utf8")) as connection:
        result = await connection.call_tool("latin1", {})
        assert result.output == "caf\ufffd"
        assert any("marrage" in line for line in connection.output.lines)


async def test_a_line_over_the_limit_ends_the_connection_and_says_so(
    quick: ConnectionContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    limited = partial(StdioTransport, line_limit=2_000_000)
    monkeypatch.setattr("desktop.servers.session.StdioTransport", limited)
    async with connected(stdio("huge_line", "--megabytes", 3, "--at", "start"), quick) as failed:
        assert failed.state.phase == "failed"
        assert "sent a line longer than 2 MB" in failed.state.error
    async with connected(stdio("huge_line", "--megabytes", 3), quick) as connection:
        seen = phases(connection)
        code, _ = error_of(await connection.call_tool("huge", {}))
        assert code == ErrorCode.UNREACHABLE
        await reached(connection, "connected")
        assert seen[0] == "reconnecting"


async def test_a_server_that_dies_of_the_newer_greeting_connects_and_is_remembered() -> None:
    around = surroundings()
    config = stdio("dies_on_discover", era="auto")
    async with connected(config, around) as connection:
        assert connection.is_connected
        assert (await connection.call_tool("echo", {"message": "hi"})).output == "hi"
        assert connection.is_connected
    assert around.eras.mode(config) == "legacy"


async def test_a_server_that_drops_the_newer_greeting_connects_and_is_remembered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("mcp.client.session.DISCOVER_TIMEOUT_SECONDS", 0.2)
    monkeypatch.setattr("desktop.servers.session.STALLED", 0.2)
    around = surroundings()
    config = stdio("drops_discover", era="auto")
    async with connected(config, around) as connection:
        assert connection.is_connected
    assert around.eras.mode(config) == "legacy"


async def test_a_server_that_takes_its_time_connects() -> None:
    async with connected(stdio("slow_start", "--seconds", 1, era="auto")) as connection:
        assert connection.is_connected


async def test_a_server_that_did_not_start_can_be_tried_again(tmp_path: Path) -> None:
    config = stdio("flaky", "--times", 1, "--count-file", tmp_path / "count")
    async with connected(config) as connection:
        assert connection.state.phase == "failed"
        await connection.connect()
        assert connection.is_connected


async def test_an_unset_variable_fails_its_server_and_names_it() -> None:
    async with connected(stdio("plain", env={"KEY": "${NOT_SET_ANYWHERE}"})) as connection:
        assert connection.state.phase == "failed"
        assert "NOT_SET_ANYWHERE" in connection.state.error


@pytest.mark.parametrize("transport", ["http", "sse"])
async def test_an_address_that_refuses_says_so_and_speaks_of_the_url(transport: str) -> None:
    url = f"http://127.0.0.1:{free_port()}/mcp"
    config = ServerConfig.checked(name="remote", transport=transport, url=url)
    async with connected(config) as connection:
        assert connection.state.phase == "failed"
        assert "nothing answers at its address" in connection.state.error
        assert "Check the URL" in connection.state.error


@pytest.mark.parametrize("by", ["close_all", "close_connection", "kill_all"])
async def test_a_server_whose_process_the_tracker_was_asked_to_end_stays_stopped(
    by: str, quick: ConnectionContext
) -> None:
    async with connected(stdio("plain"), quick) as connection:
        seen = phases(connection)
        if by == "close_connection":
            await quick.tracker.close_connection(quick.tracker.tracked[0])
        elif by == "close_all":
            await quick.tracker.close_all()
        else:
            quick.tracker.kill_all()
        await until(connection.state_changed, lambda: not connection.is_connected)
        await reached(connection, "stopped")
        assert seen == ["stopped"]
        assert quick.tracker.tracked == ()
        await connection.connect()  # but when a person wants it again
        assert connection.is_connected


async def test_a_call_that_is_open_while_the_tracker_ends_the_process_starts_nothing(
    quick: ConnectionContext,
) -> None:
    async with connected(stdio("plain"), quick) as connection:
        seen = phases(connection)
        under_way = asyncio.Event()
        slow = connection.call_tool("slow", {"seconds": 30}, on_progress=lambda _: under_way.set())
        calling = spawn(slow, "call")
        await asyncio.wait_for(under_way.wait(), LIMIT)
        await quick.tracker.close_all()
        code, _ = error_of(await calling)
        assert code == ErrorCode.UNREACHABLE
        await reached(connection, "stopped")
        assert "connected" not in seen


async def test_a_server_whose_process_is_ended_while_it_connects_is_not_greeted_again() -> None:
    around = surroundings()
    connection = ServerConnection(stdio("silent", era="auto"), around)
    seen = phases(connection)
    connection.start()
    async with asyncio.timeout(LIMIT):
        while connection.pid is None:  # noqa: ASYNC110 - the state does not change with it
            await asyncio.sleep(0)
    await around.tracker.close_all()
    await reached(connection, "stopped")
    assert seen == ["starting", "stopped"]
    assert around.tracker.tracked == ()
    await connection.disconnect()


async def test_a_crash_in_a_call_is_an_error_and_the_server_comes_back(
    quick: ConnectionContext,
) -> None:
    async with connected(stdio("plain"), quick) as connection:
        seen = phases(connection)
        before = connection.pid
        code, message = error_of(await connection.call_tool("crash", {}))
        assert code == ErrorCode.UNREACHABLE
        assert "may have had effects" in message
        await reached(connection, "connected")
        assert seen == ["reconnecting", "connected"]
        assert connection.pid != before
        assert (await connection.call_tool("echo", {"message": "again"})).output == "again"


async def test_a_server_killed_while_idle_is_noticed_and_comes_back(
    quick: ConnectionContext,
) -> None:
    async with connected(stdio("plain"), quick) as connection:
        states: list[ServerState] = []
        connection.state_changed.connect(lambda: states.append(connection.state))
        assert connection.pid is not None
        psutil.Process(connection.pid).kill()
        await reached(connection, "reconnecting")
        assert connection.tools == ()
        await reached(connection, "connected")
        assert states[0].words == f"reconnecting (1 of {RETRIES})"
        assert "was ended by signal 9" in states[0].error
        assert names(connection)


async def test_a_crash_is_noticed_while_a_child_holds_the_output_open(
    quick: ConnectionContext,
) -> None:
    async with connected(stdio("crash_child_holds_stdout"), quick) as connection:
        code, _ = error_of(await connection.call_tool("crash", {}))
        assert code == ErrorCode.UNREACHABLE
        await reached(connection, "connected")


async def test_reconnecting_has_an_end(quick: ConnectionContext, tmp_path: Path) -> None:
    once = tmp_path / "once"
    program, args = stdio("plain").command, " ".join(stdio("plain").args)
    script = f'[ -e "{once}" ] && {{ echo no more >&2; exit 7; }}; touch "{once}"; {program} {args}'
    config = stdio("plain", command="sh", args=("-c", script))
    async with connected(config, quick) as connection:
        seen = attempts(connection)
        await connection.call_tool("crash", {})
        await reached(connection, "failed")
        assert seen == [*range(1, RETRIES + 1), 0]
        assert "exited with code 7" in connection.state.error
        assert "no more" in connection.state.error


async def test_the_count_begins_anew_after_a_steady_connection(
    quick: ConnectionContext,
) -> None:
    quick.pauses = replace(QUICK, steady=-1.0)
    async with connected(stdio("plain"), quick) as connection:
        seen = attempts(connection)
        for _ in range(3):
            await connection.call_tool("crash", {})
            await reached(connection, "connected")
        assert seen == [1, 0] * 3


async def test_a_connection_that_keeps_breaking_counts_on(quick: ConnectionContext) -> None:
    async with connected(stdio("plain"), quick) as connection:
        seen = attempts(connection)
        for _ in range(2):
            await connection.call_tool("crash", {})
            await reached(connection, "connected")
        assert seen == [1, 0, 2, 0]


async def test_it_can_be_stopped_while_it_starts() -> None:
    connection = ServerConnection(stdio("silent"), surroundings())
    connection.start()
    await until(connection.state_changed, lambda: connection.state.phase == "starting")
    while connection.pid is None:  # noqa: ASYNC110 - nothing tells of a start that has no answer
        await asyncio.sleep(0)
    await connection.disconnect()
    assert connection.state == ServerState()
    await connection.settle()


async def test_it_can_be_stopped_before_it_began() -> None:
    connection = ServerConnection(stdio("plain"), surroundings())
    connection.start()
    await connection.disconnect()
    assert connection.state == ServerState()
    await connection.settle()


async def test_it_can_be_stopped_while_it_waits_to_reconnect() -> None:
    async with connected(stdio("plain")) as connection:
        await connection.call_tool("crash", {})
        await reached(connection, "reconnecting")
        await connection.disconnect()
        assert connection.state == ServerState()


async def test_a_call_that_runs_when_it_is_stopped_ends_as_an_error() -> None:
    async with connected(stdio("plain")) as connection:
        call = spawn(connection.call_tool("slow", {"seconds": 60, "steps": 600}), "call")
        started = asyncio.Event()
        other = spawn(
            connection.call_tool(
                "slow", {"seconds": 60, "steps": 600}, on_progress=lambda _: started.set()
            ),
            "other",
        )
        await started.wait()
        await connection.disconnect()
        for running in (call, other):
            code, message = error_of(await running)
            assert code == ErrorCode.UNREACHABLE, message


async def test_a_restart_is_a_new_process() -> None:
    async with connected(stdio("plain")) as connection:
        before = connection.pid
        await connection.restart()
        assert connection.is_connected
        assert connection.pid not in (before, None)


async def test_two_starts_at_once_make_one_process() -> None:
    around = surroundings()
    connection = ServerConnection(stdio("plain"), around)
    await asyncio.gather(connection.connect(), connection.connect())
    assert len(around.tracker.tracked) == 1
    await connection.disconnect()


async def test_of_wishes_in_quick_succession_the_last_one_counts() -> None:
    async with connected(stdio("plain")) as connection:
        connection.stop()
        connection.start()
        connection.start_anew()
        stopping = spawn(connection.disconnect(), "stop")
        await stopping
        await connection.settle()
        assert connection.state == ServerState()
        connection.start()
        connection.stop()
        connection.start()
        await connection.settle()
        assert connection.is_connected
        assert names(connection)


async def test_tools_are_gone_at_once_when_it_is_stopped() -> None:
    async with connected(stdio("ignores_eof")) as connection:
        connection.stop()
        assert connection.tools == ()
        assert not connection.is_connected
        code, _ = error_of(await connection.call_tool("echo", {}))
        assert code == ErrorCode.UNREACHABLE


async def test_a_tool_that_is_switched_off_is_not_offered_but_still_known() -> None:
    async with connected(stdio("plain", disabled_tools=("echo",))) as connection:
        assert "echo" not in names(connection)
        assert "echo" in [tool.name for tool in connection.listed]
        connection.reconfigure(stdio("plain"))
        assert "echo" in names(connection)


async def test_what_it_writes_to_stderr_is_kept_and_filed(tmp_path: Path) -> None:
    async with connected(stdio("plain"), surroundings(logs=tmp_path)) as connection:
        await connection.call_tool("crash", {})
        await written(connection, "crashing as asked")
    assert "crashing as asked" in (tmp_path / "plain.log").read_text("utf-8")


async def test_the_tools_can_be_asked_for_anew() -> None:
    async with connected(stdio("plain")) as connection:
        before = connection.tools
        assert await connection.list_tools() == before
    assert await connection.list_tools() == ()


async def test_a_list_that_cannot_be_read_is_an_error_and_the_old_one_stays() -> None:
    async with connected(stdio("list_changes")) as connection:
        before = connection.tools
        process = psutil.Process(connection.pid)
        process.suspend()
        listing = asyncio.gather(connection.list_tools(), return_exceptions=True)
        await asyncio.sleep(0)
        process.kill()
        (error,) = await listing
        assert isinstance(error, ServerError)
        assert "the tools could not be listed" in str(error)
        assert before


async def test_a_loss_and_a_changed_list_are_logged(
    quick: ConnectionContext, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "desktop.servers.connection")
    async with connected(stdio("list_changes"), quick) as connection:
        count = len(connection.tools)
        await connection.call_tool("add_tool", {"name": "new"})
        await until(connection.tools_changed, lambda: "new" in names(connection))
        await connection.call_tool("crash", {})
        await reached(connection, "connected")
    events = [
        record.getMessage().removeprefix("server list_changes: ") for record in caplog.records
    ]
    assert events[0] == "connecting"
    assert events[1].startswith(f"connected, {count} tools, ")
    assert events[2] == f"tools changed, {count + 1} now"
    assert events[3].startswith("lost: ")
    assert events[4] == "connecting"
    assert events[5].startswith(f"connected, {count} tools, ")
    assert events[-1] == "stopped"


async def test_progress_names_its_call() -> None:
    received: list[Progress] = []
    async with connected(stdio("plain")) as connection:
        arguments = {"seconds": 0.01, "steps": 2}
        await connection.call_tool("slow", arguments, call_id="mine", on_progress=received.append)
    assert {progress.call_id for progress in received} == {"mine"}


@pytest.mark.parametrize("after", ["0", "0.05", "0.2"])
async def test_the_reason_of_a_lost_call_is_how_its_server_ended(after: str) -> None:
    """Its output ends before the process does: which of them is seen first is a race."""
    async with connected(stdio("closes_before_exit", "--after", after)) as connection:
        _, message = error_of(await connection.call_tool("leave", {}))
        assert message.startswith("exited with code 3", len("closes_before_exit:leave: "))
