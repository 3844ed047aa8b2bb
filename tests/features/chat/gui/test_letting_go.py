"""A chat that nobody looks at any more keeps its row alone, and comes back as it was."""

from __future__ import annotations

import asyncio
import gc
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

import psutil
from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt, QUrl, Slot
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QApplication

from desktop.base.errors import ConfigError
from desktop.features.chat.agent.agent import Agent
from desktop.features.chat.agent.session_info import Builtin
from desktop.features.chat.gui.chats import KEPT_CHATS, Chats
from desktop.features.chat.gui.entries import NoticeEntry, UserEntry
from desktop.features.chat.gui.message_list import NoticeCard
from desktop.features.models.messages import Image
from desktop.tools.adapters import McpToolAdapter
from tests.features.chat.agent.scripted import calls, says
from tests.features.chat.gui.conftest import asked, card_of, idle, setup, told, until
from tests.gui.results.images import png
from tests.gui.waiting import turns
from tests.patience import LIMIT

if TYPE_CHECKING:
    from PySide6.QtCore import SignalInstance

    from desktop.core import Core
    from desktop.features.chat.gui.chat import Chat
    from desktop.features.chat.gui.message_list import MessageList
    from desktop.features.chat.gui.page import ChatPage
    from tests.conftest import ExpectedLogs
    from tests.features.chat.gui.conftest import FakeProviders

MULTIPLY = ("mcp__calculator__calculate", {"operation": "multiply", "a": 6, "b": 7})
CLOCK = setup(builtins=(Builtin("time"),))


@dataclass(frozen=True)
class Held:
    """What this process has; `locks` are those of chats."""

    descriptors: int
    adapters: int
    widgets: int
    locks: int
    processes: int


async def held(page: ChatPage, desk: Chats, core: Core, providers: FakeProviders) -> Held:
    """Counted when nothing is on its way any more."""
    providers.model.requests.clear()  # which know the tools of their sessions
    for chat in desk.chats:
        await chat.ended()
    view = page.view.conversation
    assert view is not None
    view.flush()
    await turns()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    gc.collect()
    this = psutil.Process()
    locks = [core.part(Agent).sessions.store.lock(chat.id) for chat in desk.chats]
    taken = [lock for lock in locks if lock.take()]
    for lock in taken:
        lock.release()
    return Held(
        this.num_fds() if sys.platform != "win32" else this.num_handles(),
        sum(type(each) is McpToolAdapter for each in gc.get_objects()),
        len(QApplication.allWidgets()),
        len(locks) - len(taken),
        len(core.tracker.tracked),
    )


async def ask_new(page: ChatPage, providers: FakeProviders, number: int) -> Chat:
    """A new chat, asked and answered as a person does it."""
    chat = page.new_chat()
    chat.choose(CLOCK if number % 3 == 0 else setup())
    providers.model.steps.append(says(f"answer {number}"))
    page.view.composer.edit.set_text(f"question {number}")
    page.view.composer.request_send()
    await idle(chat)
    return chat


async def test_thirty_chats_take_no_more_than_ten(
    page: ChatPage, desk: Chats, providers: FakeProviders, core: Core
) -> None:
    chats = [await ask_new(page, providers, number) for number in range(10)]
    ten = await held(page, desk, core, providers)
    chats += [await ask_new(page, providers, number) for number in range(10, 31)]
    thirty = await held(page, desk, core, providers)
    assert thirty.locks == ten.locks == KEPT_CHATS
    assert thirty.adapters == ten.adapters
    assert thirty.processes <= ten.processes
    assert thirty.descriptors <= ten.descriptors
    assert thirty.widgets <= ten.widgets
    for chat in chats:
        page.show_chat(chat)
        await until(chat.changed, lambda chat=chat: chat.is_read)
    looked_at = await held(page, desk, core, providers)
    assert looked_at.locks == 0
    assert looked_at.adapters < ten.adapters
    assert looked_at.descriptors <= ten.descriptors
    assert sum(bool(chat.entries.entries) for chat in chats) == KEPT_CHATS


async def qt_signal(signal: SignalInstance) -> None:
    """Until a widget sends it."""
    sent: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    signal.connect(lambda: sent.done() or sent.set_result(None))
    await asyncio.wait_for(sent, LIMIT)


async def look_elsewhere(page: ChatPage, providers: FakeProviders) -> None:
    """Ask so many others that a chat is let go of."""
    for number in range(KEPT_CHATS):
        await ask_new(page, providers, 3 * number + 1)


async def open_again(page: ChatPage, chat: Chat) -> None:
    page.show_chat(chat)
    await until(chat.changed, lambda: chat.is_read)


async def test_one_that_waits_for_a_person_or_works_stays(
    page: ChatPage, desk: Chats, providers: FakeProviders
) -> None:
    providers.model.steps.append(calls(MULTIPLY))
    chat = page.new_chat()
    chat.ask("go")
    await asked(chat)
    await look_elsewhere(page, providers)
    assert chat.session is not None
    assert chat.questions == 1
    providers.model.steps.append(says("never mind"))
    chat.stop()
    await idle(chat)
    await chat.ended()
    assert chat.session is None


async def test_what_is_not_saved_stays(
    page: ChatPage, providers: FakeProviders, core: Core, expected_logs: ExpectedLogs
) -> None:
    expected_logs.expect("This conversation is not saved")
    chat = await ask_new(page, providers, 1)
    file = core.part(Agent).sessions.store.file(chat.id)
    file.unlink()
    file.mkdir()
    providers.model.steps.append(says("into the void"))
    chat.ask("and this?")
    await idle(chat)
    await look_elsewhere(page, providers)
    assert chat.session is not None
    assert any("not saved" in entry.sentence for entry in notices(chat))
    file.rmdir()
    page.show_chat(chat)
    providers.model.steps.append(says("and back"))
    chat.ask("and now?")
    await idle(chat)
    assert any("saved again" in entry.sentence for entry in notices(chat))
    loaded = await core.part(Agent).sessions.store.read(chat.id)
    assert (len(loaded.messages), loaded.words) == (6, "")


def notices(chat: Chat) -> list[NoticeEntry]:
    return [entry for entry in chat.entries.entries if isinstance(entry, NoticeEntry)]


async def test_it_comes_back_with_all_that_was_said_typed_and_attached(
    page: ChatPage, providers: FakeProviders
) -> None:
    chat = await ask_new(page, providers, 1)
    composer = page.view.composer
    composer.edit.set_text("not sent yet")
    composer.attach_pictures([png(4, 4)])
    await qt_signal(composer.attached)
    await look_elsewhere(page, providers)
    assert (chat.session, chat.entries.entries) == (None, [])
    assert composer.images == ()
    await open_again(page, chat)
    assert composer.text == "not sent yet"
    assert composer.images == (Image(png(4, 4), "image/png"),)
    words = [entry.text.text for entry in chat.entries.entries if isinstance(entry, UserEntry)]
    assert words == ["question 1"]
    providers.model.steps.append(says("yes"))
    composer.request_send()
    await idle(chat)
    assert chat.entries.last_question is not None
    assert chat.entries.last_question.text.text == "not sent yet"
    await look_elsewhere(page, providers)
    await open_again(page, chat)
    assert composer.text == ""


async def built(page: ChatPage) -> MessageList:
    """The messages that are shown, when the last of them is built and has its place."""
    view, chat = page.view.conversation, page.view.chat
    assert view is not None
    assert chat is not None
    while view.card(chat.entries.entries[-1]) is None:
        view.flush()
        await turns()
    await turns()
    return view


async def test_it_is_read_on_where_it_was_read(page: ChatPage, providers: FakeProviders) -> None:
    chat = await ask_new(page, providers, 1)
    for number in range(12):
        providers.model.steps.append(says(f"Answer {number}.\n\n" * 5))
        chat.ask(f"And {number}?")
        await idle(chat)
    view = await built(page)
    view.verticalScrollBar().setValue(view.verticalScrollBar().maximum() // 2)
    place = view.place
    assert place is not None
    await look_elsewhere(page, providers)
    await open_again(page, chat)
    again = await built(page)
    assert again.place == place
    assert not again.is_at_end


async def test_how_an_answer_ended_and_a_question_that_reached_nobody_come_back(
    page: ChatPage, providers: FakeProviders
) -> None:
    chat = await ask_new(page, providers, 1)
    providers.refusal = ConfigError("There is no key.")
    chat.choose(setup(provider="scripted"))
    await chat.close()
    page.view.composer.edit.set_text("asked in vain")
    page.view.composer.request_send()
    await idle(chat)
    providers.refusal = None
    await look_elsewhere(page, providers)
    assert chat.entries.entries == []
    await open_again(page, chat)
    kinds = [type(entry).__name__ for entry in chat.entries.entries]
    assert kinds == ["UserEntry", "ModelEntry", "UserEntry", "NoticeEntry"]
    assert chat.entries.is_broken_off
    providers.model.steps.append(says("at last"))
    chat.try_again()
    await idle(chat)
    assert [type(entry).__name__ for entry in chat.entries.entries] == [
        "UserEntry",
        "ModelEntry",
        "UserEntry",
        "ModelEntry",
    ]


async def test_the_version_that_was_chosen_is_shown_again(
    page: ChatPage, providers: FakeProviders
) -> None:
    chat = await ask_new(page, providers, 1)
    question = chat.entries.last_question
    assert question is not None
    providers.model.steps.append(says("another answer"))
    chat.edit(question, "another question")
    await idle(chat)
    await chat.close()
    (shown,) = (entry for entry in chat.entries.entries if isinstance(entry, UserEntry))
    chat.show_version(shown, 0)
    await look_elsewhere(page, providers)
    await open_again(page, chat)
    assert chat.entries.last_question is not None
    assert chat.entries.last_question.text.text == "question 1"


async def test_its_own_servers_end_with_it_and_start_again_with_the_next_question(
    page: ChatPage, desk: Chats, providers: FakeProviders, core: Core
) -> None:
    chat = page.new_chat()
    chat.choose(CLOCK)
    providers.model.steps.append(says("hi"))
    chat.ask("hello")
    await idle(chat)
    before = len(core.tracker.tracked)
    await look_elsewhere(page, providers)
    await chat.ended()
    assert len(core.tracker.tracked) == before - 1
    await open_again(page, chat)
    providers.model.steps.append(says("again"))
    page.view.composer.edit.set_text("still there?")
    page.view.composer.request_send()
    await idle(chat)
    assert len(core.tracker.tracked) == before
    (said,) = notices(chat)
    assert said.sentence == (
        "Started again for this conversation: time. What they remembered is gone."
    )


async def test_one_that_is_asked_while_it_is_let_go_of_is_opened_again(
    page: ChatPage, providers: FakeProviders
) -> None:
    chat = await ask_new(page, providers, 1)
    assert chat.can_be_let_go
    chat.let_go()
    providers.model.steps.append(says("yes"))
    chat.ask("still there?")
    await idle(chat)
    assert not notices(chat)
    assert chat.session is not None


async def test_a_chat_that_cannot_be_opened_is_listed_with_why_and_can_be_deleted(
    page: ChatPage, desk: Chats, core: Core
) -> None:
    name = "20261120-130000-abcdef"
    file = core.part(Agent).sessions.store.file(name)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(bytes(100))
    await desk.refresh()
    (chat,) = desk.chats
    page.list.show_chats(desk.chats, None)
    row = page.list.model.index(0)
    assert page.list.model.data(row).startswith(f"{name}\nDamaged")
    assert "is damaged" in page.list.model.data(row, Qt.ItemDataRole.ToolTipRole)
    failed = told(page.loaded)
    page.show_chat(chat)
    await until(chat.changed, lambda: chat.load_error)
    await turns()
    assert failed
    (said,) = notices(chat)
    assert "holds no session" in said.sentence
    card = card_of(page, 0, NoticeCard)
    assert isinstance(card, NoticeCard)
    assert "holds no session" in card.words.text()
    assert page.view.composer.hint.text() == "This conversation cannot be opened."
    page.list.show_chats(desk.chats, chat)
    browser = Opened()
    QDesktopServices.setUrlHandler("file", browser, "open")  # pyright: ignore[reportArgumentType]
    page.list.file.trigger()
    QDesktopServices.unsetUrlHandler("file")
    assert browser.urls == [QUrl.fromLocalFile(str(file.parent))]
    await desk.delete(chat)
    assert (desk.chats, file.exists()) == ([], False)


class Opened(QObject):
    """In place of a file manager."""

    def __init__(self) -> None:
        super().__init__()
        self.urls: list[QUrl] = []

    @Slot(QUrl)
    def open(self, url: QUrl) -> None:
        self.urls.append(url)
