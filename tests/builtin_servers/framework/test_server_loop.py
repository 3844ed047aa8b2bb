"""The server loop as a process: faults, cancellation, stray output, its end; bare pipes."""

from __future__ import annotations

import json
import signal
from typing import TYPE_CHECKING

import pytest

from tests.builtin_command import builtin, run_code
from tests.raw_client import MODERN_META, RawClient

if TYPE_CHECKING:
    from collections.abc import Iterator

ODD_SERVER = """
import sys
from builtin_servers.framework.server_loop import serve
from builtin_servers.framework.tool import BuiltinServer, BuiltinTool, ToolCallError, ToolReply
from builtin_servers.launch import leave_on_signals

def slow(call):
    for step in range(2000):
        call.report(step, 2000, "working")
        if call.wait_cancelled(0.02):
            print("gave up", file=sys.stderr, flush=True)
            raise ToolCallError("cancelled")
    return ToolReply("done")

def prints(call):
    print("stray output")
    return ToolReply("printed" + sys.stdin.read())

def breaks(call):
    raise KeyError("secret detail")

def nan(call):
    return ToolReply("", {"result": float("nan")})

def leaves(call):
    sys.exit("bye")

def spin(call):
    while True:
        pass

leave_on_signals()
tools = [
    BuiltinTool(f.__name__, f, title="", description="", input_schema={"type": "object"})
    for f in (slow, prints, breaks, nan, leaves, spin)
]
sys.exit(serve(BuiltinServer("odd", title="Odd", version="1", instructions="", tools=tools)))
"""


@pytest.fixture
def odd() -> Iterator[RawClient]:
    with RawClient(run_code(f"exec({ODD_SERVER!r})")) as client:
        client.initialize()
        yield client


@pytest.fixture
def calculator() -> Iterator[RawClient]:
    with RawClient(builtin("calculator")) as client:
        client.initialize()
        yield client


def test_a_broken_line_is_a_parse_error_and_the_next_request_is_answered(
    calculator: RawClient,
) -> None:
    calculator.send_line(b'{"jsonrpc": "2.0", "id": 5, "meth')
    answer = calculator.read_message()
    assert answer["id"] is None
    assert answer["error"]["code"] == -32700
    assert calculator.ask("ping")["result"] == {}


def test_a_line_over_16_mb_is_refused_in_words_and_the_next_is_answered(
    calculator: RawClient,
) -> None:
    calculator.send_line(b'{"x":"' + b"y" * (17 << 20) + b'"}')
    answer = calculator.read_message()
    assert "longer than 16 MB" in answer["error"]["message"]
    assert calculator.ask("ping")["result"] == {}


def test_an_error_carries_the_id_of_its_request(calculator: RawClient) -> None:
    calculator.send("no/such", id="mine")
    answer = calculator.read_message()
    assert (answer["id"], answer["error"]["code"]) == ("mine", -32601)


def test_arguments_that_break_the_schema_are_an_error_result_that_names_them(
    calculator: RawClient,
) -> None:
    result = calculator.call("calculate", operation="modulo", a="1")["result"]
    assert result["isError"] is True
    text = result["content"][0]["text"]
    assert "b: is required" in text
    assert "operation: must be one of add" in text
    assert "a: must be of type number, not string" in text


def test_a_ping_is_answered_while_a_tool_works(odd: RawClient) -> None:
    odd.send("tools/call", {"name": "slow"}, id="long")
    assert odd.ask("ping")["result"] == {}


def test_a_cancelled_call_stops_and_is_not_answered(odd: RawClient) -> None:
    odd.send("tools/call", {"name": "slow", "_meta": {"progressToken": 1}}, id="long")
    assert odd.read_message()["method"] == "notifications/progress"
    odd.send("notifications/cancelled", {"requestId": "long"})
    odd.wait_stderr("gave up")
    odd.send("tools/call", {"name": "prints"}, id="next")
    while "method" in (message := odd.read_message()):
        pass
    assert message["id"] == "next"


def test_a_call_cancelled_while_it_waits_is_never_started(odd: RawClient) -> None:
    odd.send("tools/call", {"name": "slow"}, id="first")
    odd.send("tools/call", {"name": "breaks"}, id="second")
    odd.send("notifications/cancelled", {"requestId": "second"})
    odd.send("notifications/cancelled", {"requestId": "first"})
    odd.call("prints")
    assert "secret detail" not in odd.stderr


def test_a_cancellation_of_nothing_is_passed_over(odd: RawClient) -> None:
    odd.send("notifications/cancelled", {"requestId": 99})
    odd.send("notifications/cancelled", {"requestId": []})
    odd.send("notifications/cancelled")
    assert odd.ask("ping")["result"] == {}


def test_progress_is_sent_to_those_who_ask(odd: RawClient) -> None:
    params = {"name": "slow", "_meta": {"progressToken": "t"}}
    odd.send("tools/call", params, id="long")
    note = odd.read_message()
    assert note["method"] == "notifications/progress"
    assert note["params"] == {
        "progressToken": "t",
        "progress": 0,
        "total": 2000,
        "message": "working",
    }


def test_a_stray_print_goes_to_stderr_and_a_stray_read_ends(odd: RawClient) -> None:
    assert odd.call("prints")["result"]["content"][0]["text"] == "printed"
    assert odd.garbage == []
    odd.close_input()
    assert odd.wait() == 0
    assert "stray output" in odd.stderr


def test_a_handler_that_breaks_is_an_error_result_without_its_details(odd: RawClient) -> None:
    result = odd.call("breaks")["result"]
    assert result["isError"] is True
    assert result["content"][0]["text"] == "breaks failed: KeyError"
    odd.wait_stderr("secret detail")


def test_a_result_that_is_no_json_is_an_error_and_the_next_call_works(odd: RawClient) -> None:
    assert odd.call("nan")["error"]["code"] == -32603
    assert "result" in odd.call("prints")


def test_a_handler_that_wants_to_leave_does_not_end_the_server(odd: RawClient) -> None:
    assert odd.call("leaves")["result"]["content"][0]["text"] == "leaves failed: SystemExit"
    assert "result" in odd.call("prints")


def test_the_same_id_twice_at_a_time_is_refused(odd: RawClient) -> None:
    odd.send("tools/call", {"name": "slow"}, id="long")
    odd.send("tools/call", {"name": "slow"}, id="long")
    assert odd.read_message()["error"]["code"] == -32600


def test_a_call_in_the_envelope_era_needs_no_handshake() -> None:
    with RawClient(builtin("calculator")) as client:
        arguments = {"operation": "add", "a": 1, "b": 2}
        params = {"name": "calculate", "arguments": arguments, "_meta": MODERN_META}
        result = client.ask("tools/call", params)["result"]
        assert result["structuredContent"] == {"result": 3}
        assert result["resultType"] == "complete"


def test_it_ends_with_its_input(calculator: RawClient) -> None:
    calculator.close_input()
    assert calculator.wait() == 0


def test_what_was_asked_before_the_input_ends_is_answered(calculator: RawClient) -> None:
    params = {"name": "evaluate", "arguments": {"expression": "6 * 7"}}
    calculator.send("tools/call", params, id=77)
    calculator.close_input()
    assert calculator.read_answer(77)["result"]["structuredContent"] == {"result": 42}
    assert calculator.wait() == 0


@pytest.mark.parametrize("tool", ["slow", "spin"])
def test_it_ends_with_its_input_while_a_tool_works(odd: RawClient, tool: str) -> None:
    odd.send("tools/call", {"name": tool}, id=1000)
    odd.ask("ping")
    odd.close_input()
    assert odd.wait() == 0


@pytest.mark.parametrize("tool", [None, "slow", "spin"])
def test_it_ends_on_sigterm_with_code_0_whatever_it_does(odd: RawClient, tool: str | None) -> None:
    if tool:
        odd.send("tools/call", {"name": tool}, id=1000)
    odd.ask("ping")
    odd.process.send_signal(signal.SIGTERM)
    assert odd.wait() == 0


def test_it_ends_when_nobody_reads_its_answers(odd: RawClient) -> None:
    assert odd.process.stdout is not None
    odd.process.stdout.close()
    odd.send("ping", id=1)
    assert odd.wait() == 0


def test_a_last_line_without_its_end_is_answered(calculator: RawClient) -> None:
    assert calculator.process.stdin is not None
    request = {"jsonrpc": "2.0", "id": 50, "method": "ping"}
    calculator.process.stdin.write(json.dumps(request).encode())
    calculator.close_input()
    assert calculator.read_answer(50)["result"] == {}
