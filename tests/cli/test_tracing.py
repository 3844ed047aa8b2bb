"""`call --trace` tells every message beside the result, and no secret."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.cli.terminal import entry

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.terminal import Terminal

TOKEN = "s3cr3t-t0ken"


@pytest.fixture
def plain_trace(terminal: Terminal) -> Terminal:
    terminal.configure(plain=entry("plain_trace", env={"API_TOKEN": TOKEN}))
    return terminal


def methods(text: str) -> list[tuple[str, str]]:
    lines: list[dict[str, Any]] = [json.loads(line) for line in text.splitlines()]
    return [(line["direction"], line["method"]) for line in lines]


def test_the_messages_are_written_to_a_file(plain_trace: Terminal, tmp_path: Path) -> None:
    file = tmp_path / "new" / "messages.jsonl"
    done = plain_trace.run("call", "plain:env", "names=API_TOKEN", "--trace", str(file))
    assert (done.code, done.err) == (0, "")
    assert TOKEN in done.out
    text = file.read_text(encoding="utf-8")
    assert methods(text)[-2:] == [("sent", "tools/call"), ("received", "tools/call")]
    assert TOKEN not in text
    assert "‹redacted›" in text


def test_they_go_to_stderr_and_leave_stdout_to_the_result(plain_trace: Terminal) -> None:
    done = plain_trace.run("call", "plain:echo", "message=\x9b31mü", "--trace", "-", "--json")
    assert done.document["data"]["output"] == "\x9b31mü"
    assert ("sent", "tools/call") in methods(done.err)
    assert done.err.isascii()


def test_a_server_that_cannot_be_reached_is_traced_too(terminal: Terminal) -> None:
    terminal.configure(dead=entry("exits_at_start"))
    done = terminal.run("call", "dead:echo", "--trace", "-")
    assert done.code == 3
    assert '"server": "dead"' in done.err


def test_a_file_that_cannot_be_written_costs_the_trace_alone(
    plain_trace: Terminal, tmp_path: Path
) -> None:
    done = plain_trace.run("call", "plain:add", "a=1", "b=2", "--trace", str(tmp_path))
    assert (done.code, done.out) == (0, "3\n")
    assert f"{tmp_path} cannot be written" in done.err
