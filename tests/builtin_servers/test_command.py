"""Nothing that a command started is left: at its end, at the limit, when cancelled, when killed."""

from __future__ import annotations

import os
import sys
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING
from uuid import uuid4

import pytest

from builtin_servers.call import Call, ToolError
from builtin_servers.command import Outcome, run_command
from tests.builtin_command import builtin, ignore
from tests.raw_client import LIMIT, RawClient, find_marked

if TYPE_CHECKING:
    from collections.abc import Generator

SLEEPER = f"{sys.executable} -c 'import time; print(1, flush=True); time.sleep(600)' --marker "


def run(command: str, limit: float = 30, kept: int = 1000, call: Call | None = None) -> Outcome:
    return run_command(call or Call({}, ignore), command, "/", limit, kept)


@contextmanager
def marked() -> Generator[tuple[str, str]]:
    """A name for processes, and the command that starts one with it; none may be left."""
    marker = uuid4().hex
    yield marker, SLEEPER + marker
    gone = threading.Event()
    for _ in range(int(LIMIT / 0.02)):
        if not find_marked(marker):
            return
        gone.wait(0.02)
    raise AssertionError(f"left: {find_marked(marker)}")


@pytest.mark.parametrize(
    ("command", "code", "output", "errors"),
    [
        ("echo out; echo err >&2; exit 3", 3, "out\n", "err\n"),
        ("kill -9 $$", 137, "", ""),
        ("cat", 0, "", ""),
        ("printf '%s' \"$0 $#\"", 0, "{shell} 0", ""),
        ("pwd", 0, "/\n", ""),
        ("no-such-command-at-all", 127, "", None),
        ("echo $((1 +", 2, "", None),
    ],
)
def test_code_and_output_are_the_commands(
    command: str, code: int, output: str, errors: str | None
) -> None:
    outcome = run(command)
    assert outcome.exit_code in {code, 1} if errors is None else outcome.exit_code == code
    if "{shell}" in output:
        assert outcome.output.text.endswith("sh 0")
    else:
        assert outcome.output.text == output
    assert errors is None or outcome.errors.text == errors


def test_a_long_output_is_kept_in_part() -> None:
    outcome = run("seq 1 100000")
    assert outcome.output.size == 588_895
    assert outcome.output.text.startswith("1\n2\n")
    assert outcome.output.text.endswith("\n100000\n")
    assert len(outcome.output.text) < 1100


def test_what_is_put_in_the_background_ends_with_the_call() -> None:
    with marked() as (_, sleeper):
        assert run(f"{sleeper} & echo started").output.text.startswith("started")
    with marked() as (_, sleeper):
        assert run(f"({sleeper} >/dev/null 2>&1 &); echo x").exit_code == 0


@pytest.mark.skipif(sys.platform != "linux", reason="found by its environment, on Linux")
def test_what_left_the_group_ends_too() -> None:
    with marked() as (_, sleeper):
        assert run(f"setsid {sleeper} >/dev/null 2>&1 & echo x").exit_code == 0


def test_at_the_limit_the_whole_group_is_killed() -> None:
    with marked() as (_, sleeper):
        assert run(f"trap '' TERM; {sleeper} & {sleeper}", limit=0.5).exit_code is None


def test_what_asks_to_clean_up_may() -> None:
    outcome = run("trap 'echo cleaned; exit' TERM; sleep 60 & wait", limit=0.5)
    assert outcome.exit_code is None
    assert outcome.output.text == "cleaned\n"


def test_a_cancelled_command_is_killed() -> None:
    call = Call({}, ignore)
    timer = threading.Timer(0.3, call.cancel)
    timer.start()
    with marked() as (_, sleeper), pytest.raises(ToolError, match="Cancelled"):
        run(sleeper, call=call)
    timer.join()


@pytest.mark.parametrize("end", ["kill", "terminate", "close_input"])
def test_when_the_server_ends_in_whatever_way_so_does_the_command(end: str) -> None:
    with marked() as (marker, sleeper), RawClient(builtin("shell")) as client:
        client.initialize()
        arguments = {"command": f"{sleeper} & {sleeper}"}
        client.send("tools/call", {"name": "run_command", "arguments": arguments}, id=9)
        waiting = threading.Event()
        while len(find_marked(marker)) < 2:
            waiting.wait(0.02)
        if end == "close_input":
            client.close_input()
        else:
            getattr(client.process, end)()
        client.wait()


def test_no_descriptor_is_left_open() -> None:
    run("true")
    before = len(os.listdir("/dev/fd"))
    for _ in range(5):
        run("echo x")
    assert len(os.listdir("/dev/fd")) <= before


def test_a_folder_that_vanished_is_an_error() -> None:
    with pytest.raises(ToolError, match="could not be started: No such file"):
        run_command(Call({}, ignore), "true", "/no/such/folder", 5, 1000)
