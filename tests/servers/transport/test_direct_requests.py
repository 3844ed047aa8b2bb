"""A request that takes the short way is the same to the server as one that takes the SDK's."""

from __future__ import annotations

import asyncio
import gc
import json
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from opentelemetry import trace

from desktop.servers.transport.direct_requests import send_directly
from desktop.tasks import spawn
from desktop.tool_types import ErrorCode
from tests.live_servers import connected, error_of, stdio, surroundings

if TYPE_CHECKING:
    from desktop.servers.connection import ServerConnection
    from desktop.servers.context import ConnectionContext
    from desktop.tool_types import Progress

CALLS: list[tuple[str, dict[str, Any]]] = [
    ("echo", {"message": "hi"}),
    ("echo", {"message": "\u2028 ü 你好 \U0001f600", "none": None, "deep": {"none": [None, {}]}}),
    ("echo", {"message": 1e22, "large": 10**30, "negative": -0.0, "nothing": float("nan")}),
    ("add", {"a": 1, "b": 2}),
    ("fail", {"message": "no"}),
    ("image", {}),
    ("structured", {}),
    ("nonexistent", {}),
    ("big", {"bytes": 600_000}),
]


def dispatcher_of(connection: ServerConnection) -> Any:
    assert connection.session is not None
    assert connection.session.client is not None
    return connection.session.client.session._dispatcher  # pyright: ignore[reportPrivateUsage]


def takes_the_short_way(connection: ServerConnection) -> bool:
    return "send_raw_request" in vars(dispatcher_of(connection))


def sent(around: ConnectionContext, skipped: int = 0) -> list[dict[str, Any]]:
    messages = around.traffic.after(skipped)
    return [json.loads(one.body) for one in messages if one.direction == "sent"]


@pytest.mark.parametrize("era", ["legacy", "2026-07-28"])
async def test_each_call_and_each_result_is_what_it_is_over_the_sdks_own_way(era: str) -> None:
    results: list[list[Any]] = []
    wires: list[list[dict[str, Any]]] = []
    for is_direct in (True, False):
        around = surroundings()
        arguments = ("--protocol", era) if era != "legacy" else ()
        async with connected(stdio("plain", *arguments, era=era), around) as connection:
            assert connection.is_connected, connection.state.error
            assert takes_the_short_way(connection)
            if not is_direct:
                del dispatcher_of(connection).send_raw_request
            found = [await connection.call_tool(name, given) for name, given in CALLS]
        results.append([(one.success, one.output, one.error, one.content) for one in found])
        wires.append(sent(around))
    assert results[0] == results[1]
    assert wires[0] == wires[1]
    assert len(wires[0]) >= len(CALLS)


async def test_progress_comes_before_the_answer_that_follows_it_at_once() -> None:
    seen: list[Progress] = []
    async with connected(stdio("plain")) as connection:
        assert takes_the_short_way(connection)
        result = await connection.call_tool(
            "slow", {"seconds": 0, "steps": 5}, on_progress=seen.append
        )
    assert result.success
    assert [one.progress for one in seen] == [1, 2, 3, 4, 5]


async def test_many_answers_find_the_calls_that_wait_for_them() -> None:
    async with connected(stdio("plain")) as connection:
        texts = [f"message {number}" for number in range(200)]
        results = await asyncio.gather(
            *(connection.call_tool("echo", {"message": text}) for text in texts)
        )
        assert [one.output for one in results] == texts
        assert dispatcher_of(connection)._pending == {}


async def test_a_call_that_is_cancelled_is_so_at_the_server() -> None:
    around = surroundings()
    async with connected(stdio("plain"), around) as connection:
        assert takes_the_short_way(connection)
        begun = asyncio.Event()
        call = connection.call_tool(
            "slow", {"seconds": 60, "steps": 6000}, on_progress=lambda _: begun.set()
        )
        running = spawn(call, "call")
        async with asyncio.timeout(20):
            await begun.wait()
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
        assert dispatcher_of(connection)._pending == {}
        said = sent(around)[-1]
    assert said["method"] == "notifications/cancelled"
    assert said["params"]["requestId"] == sent(around)[-2]["id"]


async def test_a_server_that_ends_during_a_call_ends_the_call() -> None:
    async with connected(stdio("plain")) as connection:
        assert takes_the_short_way(connection)
        code, words = error_of(await connection.call_tool("crash", {"code": 3}))
    assert code == ErrorCode.UNREACHABLE
    assert "may have had effects" in words


async def test_what_traces_the_process_is_told_to_the_server_as_before() -> None:
    around = surroundings()
    traced = trace.SpanContext(
        trace_id=0x1234567890ABCDEF1234567890ABCDEF,
        span_id=0x1234567890ABCDEF,
        is_remote=False,
        trace_flags=trace.TraceFlags(1),
    )
    async with connected(stdio("plain"), around) as connection:
        with trace.use_span(trace.NonRecordingSpan(traced)):
            assert (await connection.call_tool("echo", {"message": "hi"})).success
        call = sent(around)[-1]
    assert "1234567890abcdef1234567890abcdef" in call["params"]["_meta"]["traceparent"]


@pytest.mark.parametrize("missing", ["_allocate_id", "_final_write", "_pending"])
def test_a_dispatcher_that_looks_different_is_left_as_it_is(missing: str) -> None:
    names = ("_allocate_id", "_cancel_outbound", "_closed", "_final_write", "_pending", "_running")
    all_names: list[str] = [*names, "_write_stream", "send_raw_request"]
    known = dict.fromkeys(all_names)
    del known[missing]
    dispatcher = SimpleNamespace(**known)
    client: Any = SimpleNamespace(session=SimpleNamespace(_dispatcher=dispatcher))
    send_directly(client)
    assert vars(dispatcher) == known


async def test_nothing_holds_an_answer_that_was_taken() -> None:
    """A large one would stay in memory until garbage is looked for."""
    async with connected(stdio("plain"), surroundings()) as connection:
        assert takes_the_short_way(connection)
        was_enabled = gc.isenabled()
        gc.disable()
        try:
            await connection.call_tool("echo", {"message": "hi"})
            kinds = {type(each).__name__ for each in gc.get_objects()}
        finally:
            if was_enabled:
                gc.enable()
    assert "_Waiting" not in kinds
