from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from desktop.features.chat.agent.agent import Agent
from desktop.features.chat.agent.session_store import SessionError
from desktop.features.chat.gui.chat import Chat
from desktop.features.chat.gui.chats import Chats
from desktop.features.chat.gui.entries import NoticeEntry
from tests.features.chat.agent.scripted import calls, says
from tests.features.chat.gui.conftest import asked, idle, setup

if TYPE_CHECKING:
    from desktop.core import Core
    from desktop.features.chat.agent.session_store import SessionSummary
    from tests.features.chat.gui.conftest import FakeProviders


MULTIPLY = ("mcp__calculator__calculate", {"operation": "multiply", "a": 6, "b": 7})


async def test_a_new_conversation_is_listed_from_its_first_question_on(
    desk: Chats, providers: FakeProviders
) -> None:
    chat = desk.new(setup())
    assert desk.chats == []
    providers.model.steps.append(says("hi"))
    chat.ask("hello")
    assert (desk.chats, desk.running) == ([chat], 1)
    await idle(chat)
    assert desk.running == 0


async def test_open_questions_are_counted_over_all_conversations(
    desk: Chats, providers: FakeProviders, core: Core
) -> None:
    chats = [desk.new(setup()), desk.new(setup())]
    providers.model.steps += [calls(MULTIPLY), calls(MULTIPLY)]
    for chat in chats:
        chat.ask("go")
    for chat in chats:
        await asked(chat)
    assert (desk.questions, desk.running) == (2, 2)
    await core.part(Agent).sessions.close()
    await desk.close()
    assert (desk.questions, desk.running) == (0, 0)


async def test_stored_conversations_are_read_once_and_their_damage_is_said(
    desk: Chats, providers: FakeProviders, core: Core
) -> None:
    providers.model.steps.append(says("hi"))
    chat = desk.new(setup())
    chat.ask("hello")
    await idle(chat)
    await chat.close()
    file = core.part(Agent).sessions.store.file(chat.id)
    with file.open("ab") as stream:
        stream.write(b'{"torn')
    other = Chats(core.part(Agent).sessions, providers)
    await other.refresh()
    (stored,) = other.chats
    await other.load(stored)
    await other.load(stored)
    kinds = [type(entry).__name__ for entry in stored.entries.entries]
    assert kinds == ["UserEntry", "ModelEntry", "NoticeEntry"]
    assert (stored.title, stored.setup.model) == ("hello", "scripted-1")


async def test_what_is_gone_from_the_disk_is_gone_from_the_list(
    desk: Chats, providers: FakeProviders, core: Core
) -> None:
    providers.model.steps.append(says("hi"))
    chat = desk.new(setup())
    chat.ask("hello")
    await idle(chat)
    await chat.close()
    await desk.refresh()
    assert desk.chats == [chat]
    await core.part(Agent).sessions.store.delete(chat.id)
    with pytest.raises(SessionError):
        await Chats(core.part(Agent).sessions, providers).load(_stored(desk, chat.id))
    await desk.refresh()
    assert desk.chats == []


async def test_one_that_is_deleted_while_the_list_is_read_does_not_come_back(
    desk: Chats, providers: FakeProviders, core: Core, monkeypatch: pytest.MonkeyPatch
) -> None:
    providers.model.steps.append(says("hi"))
    chat = desk.new(setup())
    chat.ask("hello")
    await idle(chat)
    store = core.part(Agent).sessions.store
    read = store.list

    async def read_late() -> list[SessionSummary]:
        listed = await read()
        await desk.delete(chat)
        return listed

    monkeypatch.setattr(store, "list", read_late)
    await desk.refresh()
    assert desk.chats == []


async def test_one_that_is_open_elsewhere_says_so_and_keeps_the_question(
    desk: Chats, providers: FakeProviders, core: Core
) -> None:
    providers.model.steps.append(says("hi"))
    chat = desk.new(setup())
    chat.ask("hello")
    await idle(chat)
    await chat.close()
    before = core.part(Agent).sessions.store.file(chat.id).read_bytes()
    elsewhere = core.part(Agent).sessions.store.lock(chat.id)
    assert elsewhere.take()
    chat.ask("and?")
    await idle(chat)
    *_, asked_in_vain, said = chat.entries.entries
    assert isinstance(said, NoticeEntry)
    assert "open already" in said.sentence
    assert asked_in_vain is chat.entries.last_question
    assert core.part(Agent).sessions.store.file(chat.id).read_bytes() == before
    elsewhere.release()
    providers.model.steps.append(says("now"))
    chat.try_again()
    await idle(chat)
    assert len((await core.part(Agent).sessions.store.read(chat.id)).messages) == 4


def _stored(desk: Chats, session: str) -> Chat:
    return Chat(desk.sessions, desk.providers, setup(), stored=session)
