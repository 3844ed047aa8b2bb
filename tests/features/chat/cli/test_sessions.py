"""The kept conversations on the terminal: listed, shown, renamed, deleted."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from desktop.cli.exit_codes import Exit
from desktop.cli.main import run_command
from desktop.features.chat.agent.secrets import SessionSecrets
from desktop.features.chat.agent.session_store import SessionStore
from desktop.features.chat.agent.transcript import Transcript
from desktop.features.models.messages import AssistantMessage, UserMessage
from desktop.tools.registry import ToolRegistry
from tests.features.chat.agent.test_session_info import ABOUT


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> SessionStore:
    monkeypatch.setenv("MCP_DESKTOP_DATA", str(tmp_path))
    return SessionStore(tmp_path / "sessions")


def store(library: SessionStore, title: str = "A title") -> None:
    async def write() -> None:
        secrets = SessionSecrets(ToolRegistry())
        about = replace(ABOUT, title=title)
        transcript = Transcript(library.file(ABOUT.id), about, secrets, exists=False)
        transcript.add(UserMessage("hello \x1b[31m"))
        transcript.add(AssistantMessage("hi"))
        await transcript.close()

    asyncio.run(write())


def shown(capsys: pytest.CaptureFixture[str], *args: str, code: int = Exit.DONE) -> tuple[str, str]:
    assert run_command(["sessions", *args]) == code
    return capsys.readouterr()


def test_without_any_the_next_step_is_said(
    library: SessionStore, capsys: pytest.CaptureFixture[str]
) -> None:
    out, err = shown(capsys)
    assert out == ""
    assert "mcp-desktop ask" in err
    assert json.loads(shown(capsys, "--json")[0]) == {"sessions": []}


def test_they_are_listed(library: SessionStore, capsys: pytest.CaptureFixture[str]) -> None:
    store(library, "A \x1b[2J title")
    out, _ = shown(capsys)
    assert ABOUT.id in out
    assert "A [2J title" in out
    assert "\x1b" not in out
    document: Any = json.loads(shown(capsys, "--json")[0])
    assert document["sessions"][0]["provider"] == "openai"
    for words in ("HELLO", "title"):
        assert ABOUT.id in shown(capsys, "--search", words)[0]
    assert "No conversation has this" in shown(capsys, "--search", "absent")[1]


def test_one_is_shown_to_read_and_for_programs(
    library: SessionStore, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    store(library)
    out, _ = shown(capsys, ABOUT.id)
    assert "## Person\n\nhello [31m\n\n## Model\n\nhi\n" in out
    document: Any = json.loads(shown(capsys, ABOUT.id, "--json")[0])
    assert [one["type"] for one in document["messages"]] == ["user", "assistant"]
    file = tmp_path / "talk.md"
    shown(capsys, ABOUT.id, "--output", str(file))
    assert "## Model" in file.read_text("utf-8")
    _, err = shown(capsys, ABOUT.id, "--output", str(tmp_path), code=Exit.USAGE)
    assert "cannot be written" in err


def test_one_is_renamed_and_deleted(
    library: SessionStore, capsys: pytest.CaptureFixture[str]
) -> None:
    store(library)
    shown(capsys, ABOUT.id, "--rename", "Other")
    assert "Other" in shown(capsys)[0]
    assert json.loads(shown(capsys, ABOUT.id, "--delete", "--json")[0])["done"] == "deleted"
    assert shown(capsys)[0] == ""
    _, err = shown(capsys, ABOUT.id, "--delete", code=Exit.USAGE)
    assert "There is no session" in err


@pytest.mark.parametrize(
    "args", [["--delete"], ["--rename", "x"], ["x"], ["x", "--delete"], ["x", "--search", "y"]]
)
def test_what_names_no_conversation_is_refused(
    library: SessionStore, capsys: pytest.CaptureFixture[str], args: list[str]
) -> None:
    _, err = shown(capsys, *args, code=Exit.USAGE)
    assert any(each in err for each in ("Which conversation?", "is no session", "Leave out"))


def test_one_that_cannot_be_opened_is_listed_with_the_reason_and_deleted(
    library: SessionStore, capsys: pytest.CaptureFixture[str]
) -> None:
    store(library)
    broken = "20261120-130000-abcdef"
    library.file(broken).write_bytes(bytes(100))
    out, _ = shown(capsys)
    assert "is damaged" in out
    document: Any = json.loads(shown(capsys, "--json")[0])
    problems = {each["id"]: each["problem"] for each in document["sessions"]}
    assert problems[ABOUT.id] == ""
    assert "is damaged" in problems[broken]
    assert {Path(each["file"]).stem for each in document["sessions"]} == {ABOUT.id, broken}
    _, err = shown(capsys, broken, code=Exit.USAGE)
    assert "holds no session" in err
    shown(capsys, broken, "--delete")
    assert "is damaged" not in shown(capsys)[0]


def test_what_of_one_could_not_be_read_is_said(
    library: SessionStore, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    store(library)
    with library.file(ABOUT.id).open("ab") as file:
        file.write(b'{"type": "us')
    out, err = shown(capsys, ABOUT.id)
    assert "## Model\n\nhi" in out
    assert "could not be read" in out
    assert "could not be read" in err
    document: Any = json.loads(shown(capsys, ABOUT.id, "--json")[0])
    assert "could not be read" in document["damage"]
    file = tmp_path / "talk.json"
    shown(capsys, ABOUT.id, "--json", "--output", str(file))
    assert json.loads(file.read_text("utf-8")) == document
