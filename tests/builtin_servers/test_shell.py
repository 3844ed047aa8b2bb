"""The shell server: what it declares, what it takes, how it answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from builtin_servers.call import ArgumentError, ToolError
from builtin_servers.launch import make_server
from tests.builtin_command import InProcess, builtin
from tests.raw_client import RawClient

if TYPE_CHECKING:
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
    with pytest.raises(ToolError, match="no folder"):
        shell("run_command", command="pwd", cwd="none")


def test_the_limit_is_said_in_the_answer() -> None:
    reply = InProcess("shell", "--limit", "1")("run_command", command="echo a; sleep 60")
    assert reply.text == "a\n[Killed after 1 s, with all that it started]"
    assert reply.structured is not None
    assert reply.structured["timed_out"] is True
    assert reply.structured["exit_code"] is None


@pytest.mark.parametrize("command", ["", "  \n", "a\0b"])
def test_what_is_no_command_is_refused(command: str) -> None:
    with pytest.raises(ToolError, match="empty or has a NUL"):
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
