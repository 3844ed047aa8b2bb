"""A conversation is on the disk a moment after it was said, and a kill costs one line at most."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from desktop.agent.library import SessionStore
from desktop.agent.secrets import SessionSecrets
from desktop.agent.transcript import Transcript
from desktop.llm.formats import ApiFormat, make_wire_tools
from desktop.llm.messages import (
    AssistantMessage,
    Replay,
    ToolAnswer,
    ToolMessage,
    ToolRequest,
    UserMessage,
)
from desktop.tool_types import ToolResult
from desktop.tools.registry import ToolRegistry
from tests.agent.test_about import ABOUT
from tests.cli.terminal import ROOT

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import ExpectedLogs

SAID = UserMessage("hello")


def transcript(path: Path, *, exists: bool = False) -> Transcript:
    return Transcript(path, ABOUT, SessionSecrets(ToolRegistry()), exists=exists)


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def text(path: Path) -> str:
    return path.read_text("utf-8")


def append(path: Path, text: str) -> None:
    with path.open("a", encoding="utf-8") as file:
        file.write(text)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def kill_writer(path: Path) -> list[str]:
    """What a writer told that was killed in the middle."""
    writer = subprocess.Popen(
        [sys.executable, "-m", "tests.agent.endless_transcript", str(path)],
        stdout=subprocess.PIPE,
        encoding="utf-8",
        cwd=ROOT,
    )
    with writer:
        assert writer.stdout is not None
        told = [writer.stdout.readline() for _ in range(20)]
        writer.kill()
        return told + writer.stdout.readlines()


async def test_nothing_is_written_before_something_is_said(tmp_path: Path) -> None:
    one = transcript(tmp_path / "s.jsonl")
    one.describe(replace(ABOUT, title="Other"))
    await one.close()
    assert os.listdir(tmp_path) == []


async def test_what_it_is_comes_first_and_each_message_is_a_line(tmp_path: Path) -> None:
    path = tmp_path / "new" / "s.jsonl"
    one = transcript(path)
    one.add(SAID)
    one.describe(replace(ABOUT, title="Other"))
    one.add(AssistantMessage("hi\n\ud800"))
    await one.flush()
    written = lines(path)
    assert [each["type"] for each in written] == ["session", "user", "session", "assistant"]
    assert [each["title"] for each in written[::2]] == ["A title", "Other"]
    assert written[3]["text"] == "hi\n\ud800"
    assert mode(path) == 0o600


async def test_it_goes_on_after_a_line_that_was_cut(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    one = transcript(path)
    one.add(SAID)
    await one.flush()
    append(path, '{"type": "user", "text": "cut of')
    later = transcript(path, exists=True)
    later.add(UserMessage("again"))
    await later.flush()
    written = text(path).splitlines()
    assert len(written) == 4
    assert json.loads(written[3])["text"] == "again"


async def test_no_secret_is_written_wherever_it_stands(tmp_path: Path) -> None:
    secrets = SessionSecrets(ToolRegistry())
    one = Transcript(tmp_path / "s.jsonl", ABOUT, secrets, exists=False)
    request = ToolRequest("1", "bank__login", '{"password": "hunter2!"}')
    replay = Replay("openai", ({"arguments": request.arguments},))
    message = AssistantMessage("I use hunter2!.", (request,), "hunter2!", replay=replay)
    secrets.expect(message, make_wire_tools([], ApiFormat.OPENAI))
    one.add(message)
    answer = ToolResult(True, "logged in with hunter2!", structured={"with": "hunter2!"})
    one.add(ToolMessage((ToolAnswer("1", "bank__login", answer),)))
    await one.close()
    written = text(tmp_path / "s.jsonl")
    assert "hunter2" not in written
    assert "logged in with" in written


async def test_a_disk_that_refuses_is_said_once_and_costs_only_the_file(
    tmp_path: Path, expected_logs: ExpectedLogs
) -> None:
    expected_logs.expect("This conversation is not saved")
    (tmp_path / "sessions").touch()
    one = transcript(tmp_path / "sessions" / "s.jsonl")
    said: list[str] = []
    one.failed.connect(said.append)
    for _ in range(3):
        one.add(SAID)
        await one.flush()
    assert len(said) == 1
    assert said[0] == one.problem
    assert "s.jsonl" in said[0]


async def test_a_kill_costs_at_most_the_line_that_was_being_written(tmp_path: Path) -> None:
    path = tmp_path / f"{ABOUT.id}.jsonl"
    told = kill_writer(path)
    opened = await SessionStore(tmp_path).read(ABOUT.id)
    whole = [line for line in told if line.endswith("\n")]
    assert len(opened.messages) >= len(whole) >= 20
    assert opened.dropped <= 1
    numbers = [int(one.text.split()[0]) for one in opened.messages if isinstance(one, UserMessage)]
    assert numbers == list(range(len(numbers)))
