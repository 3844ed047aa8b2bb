"""A conversation is on the disk a moment after it was said, and a kill costs one line at most.

A message comes back from its line as it was; media are bounded.
"""

from __future__ import annotations

import asyncio
import json
import os
import stat
import subprocess
import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest
from msgspec.structs import replace

from desktop.base.translatable import TranslatableText, translatable
from desktop.features.chat.agent import session_file
from desktop.features.chat.agent import transcript as transcript_module
from desktop.features.chat.agent.secrets import SessionSecrets
from desktop.features.chat.agent.session_file import decode, encode
from desktop.features.chat.agent.session_store import SessionStore
from desktop.features.chat.agent.transcript import Transcript
from desktop.features.models.formats import ApiFormat, make_wire_tools
from desktop.features.models.messages import (
    AssistantMessage,
    Image,
    Message,
    Replay,
    ToolAnswer,
    ToolMessage,
    ToolRequest,
    Usage,
    UserMessage,
)
from desktop.tools.registry import ToolRegistry
from desktop.values.tool_types import Content, ErrorCode, ToolResult, ValidationIssue, failed
from tests.cli.terminal import ROOT
from tests.features.chat.agent.test_session_info import ABOUT

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.conftest import ExpectedLogs

NOW = datetime(2026, 11, 20, tzinfo=UTC)
ISSUE = ValidationIssue(("a", 0), "type", "must be text", "warning", code="type")
MEDIA = (
    Content("text", "hello"),
    Content("image", data=b"\x89PNG", mime="image/png"),
    Content("resource", data=b"\0\1", mime="x/y", uri="test://a", name="a"),
)
MESSAGES: list[Message] = [
    UserMessage("hi ✓\ud800", (Image(b"\xff\xd8", "image/jpeg"),)),
    AssistantMessage(
        "text",
        (ToolRequest("1", "a__b", {"x": [1, None]}, "a:b"), ToolRequest("2", "a__c", "{broken")),
        "thought",
        "tools",
        Usage(1, 2, 3),
        "model-1",
        Replay("anthropic", ({"type": "thinking", "signature": "abc"},), "model-1"),
        translatable("{label} {mistake}.", label="G", mistake=translatable("made one")),
    ),
    ToolMessage(
        (
            ToolAnswer("1", "a__b", ToolResult(True, "out", None, MEDIA, {"y": 1}, 0.5, NOW)),
            ToolAnswer("3", "a__d", ToolResult(True, output_issues=(ISSUE,))),
            ToolAnswer("2", "a__c", failed("ParseError", "bad", ErrorCode.INVALID_ARGUMENTS)),
        )
    ),
]


def written(message: Message, **options: Any) -> dict[str, Any]:
    requests = message.requests if isinstance(message, AssistantMessage) else ()
    given: Any = {request.call_id: request.arguments for request in requests}
    return json.loads(json.dumps(encode(message, given, **options)))


@pytest.mark.parametrize("message", MESSAGES)
def test_a_message_comes_back_as_it_was(message: Message) -> None:
    found = decode(written(message))
    assert found == message
    if isinstance(found, AssistantMessage):
        assert isinstance(found.note, TranslatableText)  # the window says it in its language
        assert isinstance(found.note.values["mistake"], TranslatableText)


@pytest.mark.parametrize("pattern", ["{a:>999999999}", "{a.__class__}", "{b}", "{a!r}", "{"])
def test_a_sentence_that_others_wrote_into_the_file_is_not_filled_in(pattern: str) -> None:
    line = {**written(MESSAGES[1]), "note": {"pattern": pattern, "values": {"a": 1}}}
    with pytest.raises(ValueError, match=r"."):
        decode(line)


def test_the_arguments_that_are_written_are_those_it_is_given() -> None:
    hidden: dict[str, str | dict[str, Any]] = {"1": {"x": "•"}, "2": "{•"}
    assert "[1, None]" not in str(encode(MESSAGES[1], hidden))


def test_the_providers_own_form_is_left_out_where_it_must_not_be_written_or_is_too_large(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    message = decode(written(MESSAGES[1], keeps_replay=False))
    assert isinstance(message, AssistantMessage)
    assert message.replay is None
    monkeypatch.setattr(session_file, "MAX_REPLAY_LENGTH", 10)
    assert written(MESSAGES[1])["replay"] is None


def test_media_beyond_the_bound_are_notes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session_file, "MAX_MEDIA_BYTES", 4)
    message = decode(written(MESSAGES[2]))
    assert isinstance(message, ToolMessage)
    content = message.answers[0].result.content
    assert content[:2] == MEDIA[:2]
    assert content[2].text == "[x/y, 2 bytes, not kept]"
    monkeypatch.setattr(session_file, "MAX_MEDIA_BYTES", 1)
    assert decode(written(MESSAGES[0])) == UserMessage("hi ✓\ud800")


@pytest.mark.parametrize(
    "value",
    [
        {},
        {"type": "later"},
        {"type": "user", "text": 3, "images": []},
        {"type": "assistant", "text": ""},
        {"type": "tools", "answers": [{"id": "1"}]},
        {"type": "user", "text": "x", "images": [{"data": "%%%", "mime": 1}]},
    ],
)
def test_what_is_no_message_is_refused(value: dict[str, Any]) -> None:
    with pytest.raises((KeyError, TypeError, ValueError)):
        decode(value)


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
        [sys.executable, "-m", "tests.features.chat.agent.endless_transcript", str(path)],
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


async def test_what_is_said_as_a_write_ends_is_written_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def at_once(work: Callable[..., list[str]], *args: object) -> list[str]:
        return work(*args)

    monkeypatch.setattr(transcript_module.asyncio, "to_thread", at_once)
    path = tmp_path / "sessions" / "s.jsonl"
    one = transcript(path)
    one.add(UserMessage("first"))
    await asyncio.sleep(0)  # the write has ended, and its task is told of a turn later
    one.add(UserMessage("last"))
    await one.close()
    assert [each.get("text") for each in lines(path)] == [None, "first", "last"]


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


async def test_no_secret_of_a_server_and_no_credential_in_a_text_is_written(
    tmp_path: Path,
) -> None:
    secrets = SessionSecrets(ToolRegistry(), lambda: ["given-s3cret"])
    one = Transcript(tmp_path / "s.jsonl", ABOUT, secrets, exists=False)
    said = "with given-s3cret: GET https://host/x?access_token=s3cr3tValue"
    one.add(UserMessage(said))
    replay = Replay("openai", ({"text": said},))
    one.add(AssistantMessage(said, (ToolRequest("1", "a__b", {"text": said}),), replay=replay))
    result = ToolResult(True, said, structured={"said": said}, content=(Content("text", said),))
    one.add(ToolMessage((ToolAnswer("1", "a__b", result),)))
    await one.close()
    written = text(tmp_path / "s.jsonl")
    assert "given-s3cret" not in written
    assert "s3cr3tValue" not in written
    assert written.count("https://host/x") == 6
    assert '"replay": null' in written


async def test_a_disk_that_refuses_is_said_once_and_costs_only_the_file(
    tmp_path: Path, expected_logs: ExpectedLogs
) -> None:
    expected_logs.expect("This conversation is not saved")
    (tmp_path / "sessions").touch()
    one = transcript(tmp_path / "sessions" / "s.jsonl")
    said: list[str] = []
    one.told.connect(said.append)
    for _ in range(3):
        one.add(SAID)
        await one.flush()
    assert len(said) == 1
    assert said[0] == one.problem
    assert "s.jsonl" in said[0]


async def test_a_file_that_is_soon_too_large_to_be_opened_is_said_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transcript_module, "_NEARLY_FULL", 500)
    monkeypatch.setattr(transcript_module, "MAX_FILE_BYTES", 1_500)
    one = transcript(tmp_path / "s.jsonl")
    said: list[str] = []
    one.told.connect(said.append)
    for _ in range(3):
        one.add(UserMessage("x" * 300))
        await one.flush()
    assert one.is_readable
    assert len(said) == 1
    assert "go on in a new one" in said[0]
    one.add(UserMessage("x" * 900))
    await one.flush()
    assert not one.is_readable
    assert one.is_saved


async def test_a_kill_costs_at_most_the_line_that_was_being_written(tmp_path: Path) -> None:
    path = tmp_path / f"{ABOUT.id}.jsonl"
    told = kill_writer(path)
    opened = await SessionStore(tmp_path).read(ABOUT.id)
    whole = [line for line in told if line.endswith("\n")]
    assert len(opened.messages) >= len(whole) >= 20
    assert opened.dropped <= 1
    numbers = [
        int(message.text.split()[0])
        for message in opened.messages
        if isinstance(message, UserMessage)
    ]
    assert numbers == list(range(len(numbers)))
