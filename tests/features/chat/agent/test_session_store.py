"""Stored sessions are listed, read whatever is broken in them, renamed, exported and deleted.

A session as a document: everything that was said, and nothing that acts when it is shown.
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from desktop.base.errors import UsageError
from desktop.features.chat.agent.secrets import SessionSecrets
from desktop.features.chat.agent.session_file import decode
from desktop.features.chat.agent.session_store import (
    LoadedSession,
    SessionError,
    SessionStore,
    to_json,
    to_markdown,
)
from desktop.features.chat.agent.transcript import Transcript
from desktop.features.models.messages import (
    AssistantMessage,
    Image,
    ToolAnswer,
    ToolMessage,
    ToolRequest,
    UserMessage,
)
from desktop.tools.registry import ToolRegistry
from desktop.values.tool_types import Content, ErrorCode, ToolResult, failed
from tests.features.chat.agent.test_session_info import ABOUT

if TYPE_CHECKING:
    from pathlib import Path

    from desktop.features.models.messages import Message

PICTURE = Content("image", data=b"1234", mime="image/png")
EXPORTED_TALK = LoadedSession(
    ABOUT,
    (
        UserMessage("Look ![x](http://evil.example/p.png) <img>", (Image(b"12", "image/png"),)),
        AssistantMessage("I look.", (ToolRequest("1", "a__b", {"x": 1}),), model="m"),
        ToolMessage(
            (
                ToolAnswer("1", "a__b", ToolResult(True, "```\n# not a heading", None, (PICTURE,))),
                ToolAnswer("2", "a__`c", failed("E", "it failed", ErrorCode.TOOL_ERROR)),
                ToolAnswer("3", "a__d", ToolResult(True, structured={"k": "v"})),
            )
        ),
        AssistantMessage("Done."),
    ),
)


def test_all_of_it_is_there_to_read() -> None:
    text = to_markdown(EXPORTED_TALK)
    assert text.startswith("# A title\n\n- Date: 2026-11-20 12:00 UTC\n- Provider: openai\n")
    assert "## System prompt\n\nBe brief." in text
    assert '### Call of `a__b`\n\n```json\n{\n  "x": 1\n}\n```' in text
    assert "[Image: image/png, 2 bytes]" in text
    assert "[Image: image/png, 4 bytes]" in text
    assert "### Error of `a__'c`\n\n```\nit failed\n```" in text
    assert '"k": "v"' in text
    assert text.endswith("## Model\n\nDone.\n")


def test_what_a_tool_said_cannot_leave_its_fence() -> None:
    assert "````\n```\n# not a heading\n````" in to_markdown(EXPORTED_TALK)


def test_no_picture_is_fetched_by_who_shows_it() -> None:
    text = to_markdown(EXPORTED_TALK)
    assert "![" not in text
    assert "<img" not in text


def test_the_document_for_programs_has_the_messages_of_the_file() -> None:
    document = json.loads(json.dumps(to_json(EXPORTED_TALK)))
    assert document["session"]["title"] == "A title"
    assert tuple(decode(one) for one in document["messages"]) == EXPORTED_TALK.messages


TALK = (UserMessage("hello"), AssistantMessage("hi"))


@pytest.fixture
def library(tmp_path: Path) -> SessionStore:
    return SessionStore(tmp_path / "sessions")


async def store(
    library: SessionStore, *messages: Message, session: str = ABOUT.id, title: str = "A title"
) -> Path:
    path = library.file(session)
    secrets = SessionSecrets(ToolRegistry())
    about = replace(ABOUT, id=session, title=title)
    transcript = Transcript(path, about, secrets, exists=False)
    for message in messages:
        transcript.add(message)
    await transcript.close()
    return path


def append(path: Path, content: bytes) -> None:
    with path.open("ab") as file:
        file.write(content)


def cut(path: Path, missing: int) -> None:
    os.truncate(path, path.stat().st_size - missing)


def exists(path: Path) -> bool:
    return path.exists()


async def test_an_empty_folder_has_no_sessions(library: SessionStore) -> None:
    assert await library.list() == []


async def test_they_are_listed_the_last_used_first_without_files_that_are_none(
    library: SessionStore,
) -> None:
    ids = [f"20261120-12000{n}-abcdef" for n in range(3)]
    for n, one in enumerate(ids):
        path = await store(library, *TALK, session=one, title=str(n))
        os.utime(path, (1000 + n, 1000 + n))
    os.utime(library.file(ids[0]), (2000, 2000))
    append(library.folder / "notes.jsonl", b"{}")
    assert [one.about.title for one in await library.list()] == ["0", "2", "1"]


async def test_a_session_is_read_as_it_was(library: SessionStore) -> None:
    await store(library, *TALK)
    opened = await library.read(ABOUT.id)
    assert (opened.about, opened.messages) == (ABOUT, TALK)
    assert opened.words == ""


async def test_a_torn_last_line_is_dropped_and_said(library: SessionStore) -> None:
    path = await store(library, *TALK)
    cut(path, 10)
    opened = await library.read(ABOUT.id)
    assert opened.messages == TALK[:1]
    assert "could not be read" in opened.words


@pytest.mark.parametrize(
    "line", [b"\xff\xfe\n", b"3\n", b"[]\n", b'{"type": "user"}\n', b'{"a":' * 50_000 + b"\n"]
)
async def test_a_line_that_is_none_is_dropped_and_the_others_count(
    library: SessionStore, line: bytes
) -> None:
    path = await store(library, *TALK)
    append(path, line)
    await store(library, UserMessage("more"))
    opened = await library.read(ABOUT.id)
    assert opened.messages == (*TALK, UserMessage("more"))
    assert opened.dropped == 1


async def test_a_kill_in_a_call_leaves_a_conversation_that_goes_on(
    library: SessionStore,
) -> None:
    await store(library, TALK[0], AssistantMessage("", (ToolRequest("1", "a__b"),)))
    *_, last = (await library.read(ABOUT.id)).messages
    assert isinstance(last, ToolMessage)
    assert "before this call was sent" in str(last.answers[0].result.error)


async def test_after_a_kill_only_calls_that_were_sent_may_have_had_effects(
    library: SessionStore,
) -> None:
    requests = tuple(ToolRequest(name, "a__b") for name in ("sent", "asked"))
    path = library.file(ABOUT.id)
    transcript = Transcript(path, ABOUT, SessionSecrets(ToolRegistry()), exists=False)
    transcript.add(TALK[0])
    transcript.add(AssistantMessage("", requests))
    await transcript.note_sending("sent")
    loaded = await library.read(ABOUT.id)
    *_, last = loaded.messages
    assert isinstance(last, ToolMessage)
    sent, asked = (str(answer.result.error) for answer in last.answers)
    assert "may have had effects" in sent
    assert "before this call was sent" in asked
    assert "may have" not in asked
    assert loaded.dropped == 0
    await transcript.close()


async def test_of_a_file_that_does_not_say_what_was_sent_nothing_is_ruled_out(
    library: SessionStore,
) -> None:
    path = await store(library, TALK[0], AssistantMessage("", (ToolRequest("1", "a__b"),)))
    path.write_bytes(path.read_bytes().replace(b', "notes_sending": true', b""))
    *_, last = (await library.read(ABOUT.id)).messages
    assert isinstance(last, ToolMessage)
    assert "may have had effects" in str(last.answers[0].result.error)


async def test_another_title_counts_also_after_a_torn_line(library: SessionStore) -> None:
    path = await store(library, *TALK)
    append(path, b'{"type": "user", "te')
    await library.rename(ABOUT.id, "  Another\n title ")
    (one,) = await library.list()
    assert one.about.title == "Another title"
    assert (await library.read(ABOUT.id)).messages == TALK
    with pytest.raises(UsageError, match="must not be empty"):
        await library.rename(ABOUT.id, "  ")


async def test_a_deleted_one_is_gone_with_its_results(library: SessionStore) -> None:
    path = await store(library, *TALK)
    folder = library.results(ABOUT.id)
    folder.mkdir()
    append(folder / "r1.txt", b"x")
    await library.delete(ABOUT.id)
    assert not exists(path)
    assert not exists(folder)
    await library.delete(ABOUT.id)


async def test_one_that_is_open_is_neither_renamed_nor_deleted(library: SessionStore) -> None:
    path = await store(library, *TALK)
    lock = library.lock(ABOUT.id)
    assert lock.take()
    for change in (library.delete(ABOUT.id), library.rename(ABOUT.id, "x")):
        with pytest.raises(SessionError, match="is open"):
            await change
    lock.release()
    assert exists(path)


@pytest.mark.parametrize("name", ["", "..", "../../etc/passwd", "20261120-120000-ABCDEF", "x" * 90])
async def test_only_an_id_names_a_file(library: SessionStore, name: str) -> None:
    with pytest.raises(SessionError, match="is no session"):
        await library.read(name)
    with pytest.raises(SessionError, match="is no session"):
        await library.delete(name)


async def test_one_that_is_not_there_or_holds_nothing_is_said(library: SessionStore) -> None:
    with pytest.raises(SessionError, match="There is no session"):
        await library.read(ABOUT.id)
    path = await store(library, *TALK)
    cut(path, path.stat().st_size)
    with pytest.raises(SessionError, match="holds no session"):
        await library.read(ABOUT.id)


async def test_it_is_exported_to_read_and_for_programs(library: SessionStore) -> None:
    await store(library, *TALK)
    opened = await library.read(ABOUT.id)
    assert "## Person\n\nhello" in to_markdown(opened)
    document = to_json(opened)
    assert [one["type"] for one in document["messages"]] == ["user", "assistant"]


def test_ids_are_new_each_time_and_are_ids(library: SessionStore) -> None:
    ids = {library.new_id() for _ in range(50)}
    assert len(ids) == 50
    assert all(library.file(id_).name == f"{id_}.jsonl" for id_ in ids)
