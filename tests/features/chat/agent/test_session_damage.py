"""Whatever becomes of a session's file, nothing of it is lost without a word.

What can be read is given, what is gone on with is appended, and the damaged file stays as it is.
"""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from desktop.features.chat.agent import session_reader, session_store
from desktop.features.chat.agent.loop import Conversation
from desktop.features.chat.agent.secrets import SessionSecrets
from desktop.features.chat.agent.session_info import SessionInfo
from desktop.features.chat.agent.session_store import SessionError, SessionStore
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
from desktop.values.tool_types import Content, ToolResult
from tests.features.chat.agent.test_session_info import ABOUT
from tests.resource_limits import limited

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from desktop.features.models.messages import Message
    from tests.conftest import ExpectedLogs

DAMAGES = 200
ROUNDS = 30


def transcript_of(
    library: SessionStore, conversation: Conversation, *, exists: bool = False
) -> Transcript:
    """As a session has it."""
    made = Transcript(
        library.file(ABOUT.id),
        ABOUT,
        SessionSecrets(ToolRegistry()),
        exists=exists,
        tree=conversation.tree,
        size_file=library.size_file(ABOUT.id),
    )
    conversation.added.connect(lambda each: made.add(each, conversation.place))
    conversation.moved.connect(made.move)
    return made


def said(number: int) -> list[Message]:
    """A question, a call and its answer, and what the model made of it."""
    request = ToolRequest(f"call-{number}", "a__b", {"x": number, "of": ["é", None]}, "a:b")
    picture = Content("image", data=bytes(range(200)), mime="image/png")
    result = ToolResult(
        True,
        f"result {number} " * 9,
        content=(picture,),
        structured={"n": number},
        timestamp=ABOUT.created,
    )
    image = (Image(b"\x89PNG" * 50, "image/png"),) if number % 5 == 0 else ()
    return [
        UserMessage(f"Question {number}: 你好, what is {number} and why?", image),
        AssistantMessage("I look.", (request,), "I think."),
        ToolMessage((ToolAnswer(request.call_id, "a__b", result),)),
        AssistantMessage(f"It is {number}. " * 5),
    ]


@pytest.fixture
async def library(tmp_path: Path) -> SessionStore:
    """With one long session, in which a question was edited, and another title given."""
    made = SessionStore(tmp_path / "sessions")
    conversation = Conversation()
    transcript = transcript_of(made, conversation)
    for number in range(ROUNDS):
        if number == ROUNDS // 2:
            conversation.go_to(conversation.tree.head - 4)
            transcript.describe(replace(ABOUT, title="Another title"))
        for message in said(number):
            conversation.add(message)
    await transcript.close()
    return made


def flipped(dice: random.Random, content: bytearray) -> None:
    for _ in range(dice.choice((1, 1, 2, 30))):
        content[dice.randrange(len(content))] ^= 1 << dice.randrange(8)


def zeroed(dice: random.Random, content: bytearray) -> None:
    start, length = dice.randrange(len(content)), dice.choice((1, 64, 512, 4096))
    end = min(len(content), start + length)
    content[start:end] = bytes(end - start)


def cut(dice: random.Random, content: bytearray) -> None:
    ends = [at + 1 for at, each in enumerate(content[:-1]) if each == ord("\n")]
    del content[dice.choice((dice.randrange(len(content)), dice.choice(ends))) :]


def swapped(dice: random.Random, content: bytearray) -> None:
    size = dice.choice((64, 512, 4096))
    first, second = sorted(dice.sample(range(len(content) // size), 2))
    one, other = (content[at * size : (at + 1) * size] for at in (first, second))
    content[first * size : (first + 1) * size] = other
    content[second * size : (second + 1) * size] = one


def lines_swapped(dice: random.Random, content: bytearray) -> None:
    lines = content.splitlines(keepends=True)
    first, second = dice.sample(range(len(lines)), 2)
    lines[first], lines[second] = lines[second], lines[first]
    content[:] = b"".join(lines)


def line_lost(dice: random.Random, content: bytearray) -> None:
    lines = content.splitlines(keepends=True)
    del lines[dice.randrange(len(lines))]
    content[:] = b"".join(lines)


def nuls_put_in(dice: random.Random, content: bytearray) -> None:
    at = dice.randrange(len(content))
    content[at:at] = bytes(dice.choice((1, 100, 5000)))


def other_encoding(dice: random.Random, content: bytearray) -> None:
    at = dice.randrange(len(content))
    text = content[at:].decode(errors="replace")
    content[at:] = text.encode(dice.choice(("utf-16", "latin-1", "cp1252")), "replace")


def half_a_line_more(dice: random.Random, content: bytearray) -> None:
    lines = content.splitlines()
    line = dice.choice(lines)
    content += line[: dice.randrange(1, len(line))]


KINDS: tuple[Callable[[random.Random, bytearray], None], ...] = (
    flipped,
    zeroed,
    cut,
    swapped,
    lines_swapped,
    line_lost,
    nuls_put_in,
    other_encoding,
    half_a_line_more,
)


def shown(messages: tuple[Message, ...]) -> list[str]:
    """All that is in them, in their order, but when an answer was put in for one that is lost."""
    return [re.sub(r"timestamp=datetime[^)]*\)", "", repr(message)) for message in messages]


async def test_no_random_damage_loses_anything_in_silence(library: SessionStore) -> None:
    file = library.file(ABOUT.id)
    whole = file.read_bytes()
    before = await library.read(ABOUT.id)
    assert before.words == ""
    assert len(before.messages) == 4 * (ROUNDS - 1)
    outcomes = Counter[str]()
    for seed in range(DAMAGES):
        dice = random.Random(seed)
        content = bytearray(whole)
        KINDS[seed % len(KINDS)](dice, content)
        if bytes(content) == whole:
            continue
        file.write_bytes(content)
        try:
            after = await library.read(ABOUT.id)
        except SessionError:
            outcomes["refused"] += 1
            assert [one.problem for one in await library.list()] != [""]
            continue
        is_same = shown(after.messages) == shown(before.messages) and after.about == before.about
        outcomes[f"{'same' if is_same else 'less'}, {'said' if after.words else 'silent'}"] += 1
        assert is_same or after.words, f"damage {seed} loses something in silence"
    assert outcomes["less, said"] > DAMAGES // 2, outcomes


@pytest.mark.parametrize("seed", range(2 * len(KINDS)))
async def test_what_is_damaged_is_gone_on_with_and_stays_as_it_is(
    library: SessionStore, seed: int
) -> None:
    file = library.file(ABOUT.id)
    content = bytearray(file.read_bytes())
    KINDS[seed % len(KINDS)](random.Random(seed), content)
    file.write_bytes(content)
    damaged = await library.read(ABOUT.id)
    conversation = Conversation(tree=damaged.tree)
    transcript = transcript_of(library, conversation, exists=True)
    for message in said(1000):
        conversation.add(message)
    await transcript.close()
    assert file.read_bytes().startswith(content)
    after = await library.read(ABOUT.id)
    assert shown(after.messages[-4:]) == shown(tuple(said(1000)))
    assert shown(after.messages[:-4]) == shown(damaged.messages)
    assert bool(after.dropped or after.changed) == bool(damaged.dropped or damaged.changed)


async def test_without_its_description_a_session_is_still_read(library: SessionStore) -> None:
    file = library.file(ABOUT.id)
    lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join(each for each in lines if b'"type": "session"' not in each))
    opened = await library.read(ABOUT.id)
    assert len(opened.messages) == 4 * (ROUNDS - 1)
    assert (opened.about.id, opened.about.created) == (ABOUT.id, ABOUT.created)
    (listed,) = await library.list()
    assert "holds no description" in listed.problem


async def test_a_branch_of_a_file_without_sums_is_still_a_branch(library: SessionStore) -> None:
    file = library.file(ABOUT.id)
    before = await library.read(ABOUT.id)
    file.write_bytes(re.sub(rb', "sum": "[0-9a-f]{8}"', b"", file.read_bytes()))
    library.size_file(ABOUT.id).unlink()
    after = await library.read(ABOUT.id)
    assert (shown(after.messages), after.words) == (shown(before.messages), "")


async def test_what_a_full_disk_refused_is_written_once_it_can_be(
    library: SessionStore, expected_logs: ExpectedLogs
) -> None:
    expected_logs.expect("This conversation is not saved")
    file = library.file(ABOUT.id)
    opened = await library.read(ABOUT.id)
    conversation = Conversation(tree=opened.tree)
    transcript = transcript_of(library, conversation, exists=True)
    told: list[str] = []
    transcript.told.connect(told.append)
    size = file.stat().st_size
    with limited("RLIMIT_FSIZE", size + 60):
        for message in said(7)[:2]:
            conversation.add(message)
            await transcript.flush()
    assert (len(told), transcript.is_saved, file.stat().st_size) == (1, False, size)
    assert "is not saved" in told[0]
    for message in said(7)[2:]:
        conversation.add(message)
        await transcript.flush()
    assert transcript.is_saved
    assert "saved again" in told[1]
    after = await library.read(ABOUT.id)
    assert shown(after.messages[-4:]) == shown(tuple(said(7)))
    assert after.words == ""


@pytest.mark.parametrize("is_cut", [False, True])
async def test_a_file_that_goes_while_it_is_open_is_written_again(
    library: SessionStore, is_cut: bool
) -> None:
    file = library.file(ABOUT.id)
    opened = await library.read(ABOUT.id)
    conversation = Conversation(tree=opened.tree)
    transcript = transcript_of(library, conversation, exists=True)
    told: list[str] = []
    transcript.told.connect(told.append)
    conversation.add(UserMessage("before"))
    await transcript.flush()
    if is_cut:
        file.write_bytes(b"something else")
    else:
        file.unlink()
    conversation.add(UserMessage("after"))
    await transcript.close()
    assert len(told) == 1
    after = await library.read(ABOUT.id)
    assert after.words == ""
    assert shown(after.messages) == shown(tuple(conversation.messages))
    kept = [each.read_bytes() for each in library.folder.glob(f"{file.name}.*")]
    assert kept == ([b"something else"] if is_cut else [])
    assert (
        after.tree.versions(4 * (ROUNDS // 2) - 4).starts
        == opened.tree.versions(4 * (ROUNDS // 2) - 4).starts
    )


async def test_what_cannot_be_opened_stays_in_the_list_with_why_and_can_be_deleted(
    library: SessionStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    def name(number: int) -> str:
        return f"20261120-13000{number}-abcdef"

    whole = library.file(ABOUT.id).read_bytes()
    newer = b'{"type": "session", "version": 2, "as": "nobody knows"}\n'
    contents = (b"", bytes(5000), whole.decode().encode("utf-16"), newer)
    for number, content in enumerate(contents):
        library.file(name(number)).write_bytes(content)
    library.file(name(8)).mkdir()
    monkeypatch.setattr(session_reader, "MAX_FILE_BYTES", len(whole) - 1)
    listed = {one.about.id: one for one in await library.list()}
    problems = {key: one.problem for key, one in listed.items()}
    assert "is larger than" in problems[ABOUT.id]
    assert listed[ABOUT.id].about.title == "Another title"
    for number in range(3):
        assert "holds no" in problems[name(number)]
    assert "newer version" in problems[name(3)]
    assert "cannot be read" in problems[name(8)]
    assert listed[name(0)].about.created == datetime(2026, 11, 20, 13, tzinfo=UTC)
    for key in (ABOUT.id, *map(name, range(4))):
        with pytest.raises(SessionError):
            await library.read(key)
        await library.delete(key)
    assert [one.about.id for one in await library.list()] == [name(8)]


async def test_the_last_description_is_found_wherever_it_is(
    library: SessionStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Compared with reading the file line by line."""
    monkeypatch.setattr(session_reader, "BLOCK", 97)
    monkeypatch.setattr(session_store, "_DEEP", 200)
    file = library.file(ABOUT.id)
    whole = file.read_bytes()
    lines = whole.splitlines(keepends=True)
    described = [each for each in lines if each.startswith(b'{"type": "session"')]
    others = [each for each in lines if each not in described][:12]
    broken = described[0].replace(b'"auto"', b'"none"')
    for seed in range(60):
        dice = random.Random(seed)
        chosen = [*dice.choices((*described, broken), k=dice.randrange(1, 4)), *others]
        dice.shuffle(chosen)
        content = b"".join(chosen)[: dice.choice((None, -5))]
        wanted = None
        for line in content.splitlines(keepends=True):
            if line in described or f"{line.decode()}\n".encode() in described:
                wanted = SessionInfo.from_json(json.loads(line))
        for grown in (content, content + b"\n" + b"".join(others), content + described[1]):
            file.write_bytes(grown)
            if grown.endswith(described[1]) and not content.endswith(b"\n"):
                continue
            if grown.endswith(described[1]):
                wanted = SessionInfo.from_json(json.loads(described[1]))
            for store in (library, SessionStore(library.folder)):
                (one,) = await store.list()
                assert (one.about if not one.problem else None) == wanted, seed
