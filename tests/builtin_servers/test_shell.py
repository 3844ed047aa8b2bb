"""The shell server: what it declares and answers, and that nothing is left of any command."""

from __future__ import annotations

import os
import sys
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING
from uuid import uuid4

import pytest

from builtin_servers.framework.tool import ArgumentError, CallContext, ToolCallError
from builtin_servers.launch import make_server
from builtin_servers.shell import CapturedOutput, CommandResult, run_command
from tests.builtin_command import InProcess, builtin, ignore
from tests.patience import LIMIT
from tests.raw_client import RawClient, find_marked

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path


def test_it_says_that_it_destroys_reaches_out_and_is_always_asked_about() -> None:
    tool = make_server("shell").tools["run_command"]
    assert tool.annotations == {
        "readOnlyHint": False,
        "destructiveHint": True,
        "idempotentHint": False,
        "openWorldHint": True,
    }
    assert tool.meta is not None
    assert tool.meta["mcp-desktop/approval"] == "always"


def test_the_answer_has_code_and_both_streams_as_text_and_data(tmp_path: Path) -> None:
    reply = InProcess("shell", "--cwd", tmp_path)("run_command", command="pwd; echo no >&2; exit 4")
    assert reply.text == f"{tmp_path}\n[stderr]\nno\n[Exit code 4]"
    assert reply.structured is not None
    assert {
        key: reply.structured[key] for key in ("exit_code", "timed_out", "stdout", "stderr")
    } == {
        "exit_code": 4,
        "timed_out": False,
        "stdout": f"{tmp_path}\n",
        "stderr": "no\n",
    }


def test_a_folder_of_the_call_counts_from_that_of_the_server(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    shell = InProcess("shell", "--cwd", tmp_path)
    assert (
        shell.structured("run_command", command="pwd", cwd="sub")["stdout"] == f"{tmp_path}/sub\n"
    )
    assert shell.structured("run_command", command="pwd", cwd="/")["stdout"] == "/\n"
    with pytest.raises(ToolCallError, match="no folder"):
        shell("run_command", command="pwd", cwd="none")


def test_the_limit_is_said_in_the_answer() -> None:
    reply = InProcess("shell", "--limit", "1")("run_command", command="echo a; sleep 60")
    assert reply.text == "a\n[Killed after 1 s, with all that it started]"
    assert reply.structured is not None
    assert reply.structured["timed_out"] is True
    assert reply.structured["exit_code"] is None


@pytest.mark.parametrize("command", ["", "  \n", "a\0b"])
def test_what_is_no_command_is_refused(command: str) -> None:
    with pytest.raises(ToolCallError, match="empty or has a NUL"):
        InProcess("shell")("run_command", command=command)


@pytest.mark.parametrize(
    "arguments", [["--limit", "0"], ["--limit", "121"], ["--limit", "x"], ["--cwd", "/no"], ["x"]]
)
def test_wrong_arguments_are_refused(arguments: list[str]) -> None:
    with pytest.raises(ArgumentError):
        make_server("shell", arguments)


def test_commands_run_side_by_side() -> None:
    with RawClient(builtin("shell")) as client:
        client.initialize()
        long = {"name": "run_command", "arguments": {"command": "sleep 600"}}
        for number in range(3):
            client.send("tools/call", long, id=f"long{number}")
        assert (
            client.call("run_command", command="echo now")["result"]["structuredContent"]["stdout"]
            == "now\n"
        )


SLEEPER = f"{sys.executable} -c 'import time; print(1, flush=True); time.sleep(600)' --marker "


def run(
    command: str, timeout: float = 30, max_output: int = 1000, call: CallContext | None = None
) -> CommandResult:
    return run_command(call or CallContext({}, ignore), command, "/", timeout, max_output)


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
        assert run(f"trap '' TERM; {sleeper} & {sleeper}", timeout=0.5).exit_code is None


def test_what_asks_to_clean_up_may() -> None:
    outcome = run("trap 'echo cleaned; exit' TERM; sleep 60 & wait", timeout=0.5)
    assert outcome.exit_code is None
    assert outcome.output.text == "cleaned\n"


def test_a_cancelled_command_is_killed() -> None:
    call = CallContext({}, ignore)
    timer = threading.Timer(0.3, call.cancel)
    timer.start()
    with marked() as (_, sleeper), pytest.raises(ToolCallError, match="Cancelled"):
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
    with pytest.raises(ToolCallError, match="could not be started: No such file"):
        run_command(CallContext({}, ignore), "true", "/no/such/folder", 5, 1000)


@pytest.mark.parametrize("step", [1, 7, 100_000])
def test_head_and_tail_are_kept_and_the_true_size_is_said(step: int) -> None:
    output = CapturedOutput(20)
    content = b"".join(b"%04d" % n for n in range(1000))
    for start in range(0, len(content), step):
        output.feed(content[start : start + step])
    assert output.text == "0000000100\n[… 3980 of 4000 bytes left out …]\n9709980999"
    assert output.size == 4000


def test_what_fits_is_whole() -> None:
    output = CapturedOutput(8)
    output.feed(b"1234")
    output.feed(b"5678")
    assert (output.text, output.is_truncated) == ("12345678", False)
    output.feed(b"9")
    assert output.is_truncated


def test_broken_characters_at_the_cut_are_dropped() -> None:
    output = CapturedOutput(6)
    output.feed("ééééé".encode())
    assert output.text == "é\n[… 4 of 10 bytes left out …]\né"


@pytest.mark.parametrize("text", ["Größe 5 é", "Ünïcode", "plain"])
def test_windows_programs_are_read_in_the_code_page_of_the_console(text: str) -> None:
    for encoding in ("cp850", "utf-8"):
        output = CapturedOutput(1000, "cp850")
        output.feed(text.encode(encoding))
        assert output.text == text


def test_a_cut_inside_utf8_is_not_taken_for_another_code_page() -> None:
    output = CapturedOutput(6, "cp850")
    output.feed("ééééé".encode())
    assert output.text == "é\n[… 4 of 10 bytes left out …]\né"
