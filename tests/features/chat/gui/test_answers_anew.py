"""What is asked in other words or answered again: as a person does it, over real sessions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from desktop.features.chat.agent.agent import Agent
from desktop.features.chat.gui.call_card import CallCard
from desktop.features.chat.gui.chats import Chats
from desktop.features.chat.gui.entries import ModelEntry, NoticeEntry, ToolCallEntry, UserEntry
from desktop.features.chat.gui.user_card import UserCard
from desktop.features.chat.llm.completion import CompletionError
from desktop.features.models.messages import UserMessage
from desktop.tools.approvals import ApprovalResponse
from tests.features.chat.agent.scripted import calls, says
from tests.features.chat.gui.conftest import asked, card_of, idle, told
from tests.gui.waiting import turns

if TYPE_CHECKING:
    from desktop.core import Core
    from desktop.features.chat.gui.chat import Chat
    from desktop.features.chat.gui.page import ChatPage
    from tests.features.chat.gui.conftest import FakeProviders

LEFT = Qt.MouseButton.LeftButton
MULTIPLY = ("mcp__calculator__calculate", {"operation": "multiply", "a": 6, "b": 7})


def _ask(page: ChatPage, text: str) -> Chat:
    page.view.composer.edit.set_text(text)
    QTest.keyClick(page.view.composer.edit, Qt.Key.Key_Return)
    assert page.view.chat is not None
    return page.view.chat


def _again(page: ChatPage) -> None:
    assert page.view.conversation is not None
    page.view.conversation.flush()
    assert not page.view.conversation.again.isHidden()
    QTest.mouseClick(page.view.conversation.again, LEFT)


def _said(chat: Chat) -> list[str]:
    shown = [entry for entry in chat.entries.entries if isinstance(entry, UserEntry | ModelEntry)]
    return [entry.text.text.strip() for entry in shown]


def _question(page: ChatPage, number: int = 0) -> UserCard:
    card = card_of(page, number, UserCard)
    assert isinstance(card, UserCard)
    return card


async def test_the_last_answer_is_tried_again_and_the_old_one_is_gone_back_to(
    page: ChatPage, providers: FakeProviders
) -> None:
    providers.model.steps += [says("One."), says("Two."), says("After one.")]
    chat = _ask(page, "Which?")
    await idle(chat)
    _again(page)
    await idle(chat)
    assert _said(chat) == ["Which?", "Two."]
    card = _question(page)
    assert card.version.text() == "2 / 2"
    QTest.mouseClick(card.earlier, LEFT)
    assert _said(chat) == ["Which?", "One."]
    assert _question(page).version.text() == "1 / 2"
    _ask(page, "And then?")
    await idle(chat)
    sent = [getattr(message, "text", "") for message in providers.model.requests[-1].messages]
    assert sent == ["Which?", "One.", "And then?"]


async def test_a_question_is_edited_and_its_first_words_are_kept_as_a_version(
    page: ChatPage, desk: Chats, core: Core, providers: FakeProviders
) -> None:
    providers.model.steps += [says("One."), says("Two."), says("Three."), says("Four.")]
    chat = _ask(page, "first")
    await idle(chat)
    _ask(page, "second")
    await idle(chat)
    card = _question(page)
    QTest.mouseClick(card.change, LEFT)
    assert card.editor is not None
    card.editor.edit.set_text("first, edited")
    QTest.keyClick(card.editor.edit, Qt.Key.Key_Return)
    await idle(chat)
    assert _said(chat) == ["first, edited", "Three."]
    assert list(providers.model.requests[-1].messages) == [UserMessage("first, edited")]

    await chat.close()
    other = Chats(core.part(Agent).sessions, providers)
    await other.refresh()
    (stored,) = other.chats
    await other.load(stored)
    page.view.show_chat(stored)
    assert _question(page).version.text() == "2 / 2"
    QTest.mouseClick(_question(page).earlier, LEFT)
    assert _said(stored) == ["first", "One.", "second", "Two."]
    _ask(page, "third")
    await idle(stored)
    assert _said(stored) == ["first", "One.", "second", "Two.", "third", "Four."]
    sent = [getattr(message, "text", "") for message in providers.model.requests[-1].messages]
    assert sent == ["first", "One.", "second", "Two.", "third"]
    await other.close()


async def test_after_an_error_try_again_goes_on_after_the_calls_that_were_run(
    page: ChatPage, providers: FakeProviders
) -> None:
    busy = CompletionError("overloaded", "The provider is busy.")
    providers.model.steps += [calls(MULTIPLY), busy, says("It is 42.")]
    chat = _ask(page, "6 x 7?")
    await asked(chat)
    card = card_of(page, 0, CallCard)
    assert isinstance(card, CallCard)
    assert card.question is not None
    card.question.arm()
    card.question.once.click()
    await idle(chat)
    assert isinstance(chat.entries.entries[-1], NoticeEntry)
    _again(page)
    await idle(chat)
    kinds = [type(entry) for entry in chat.entries.entries]
    assert kinds == [UserEntry, ToolCallEntry, ModelEntry]
    assert _said(chat) == ["6 x 7?", "It is 42."]


async def test_what_never_reached_a_model_is_sent_again_as_it_was(
    page: ChatPage, providers: FakeProviders
) -> None:
    providers.refusal = CompletionError("key", "There is no key.")
    chat = _ask(page, "Hello there, who are you?")
    await idle(chat)
    providers.refusal = None
    providers.model.steps.append(says("Me."))
    _again(page)
    await idle(chat)
    assert _said(chat) == ["Hello there, who are you?", "Me."]


async def test_while_the_model_is_at_work_nothing_is_changed(
    page: ChatPage, providers: FakeProviders
) -> None:
    providers.model.steps += [calls(MULTIPLY), says("no")]
    chat = _ask(page, "6 x 7?")
    await asked(chat)
    assert page.view.conversation is not None
    assert page.view.conversation.again.isHidden()
    assert not _question(page).change.isEnabled()
    chat.stop()
    await idle(chat)
    assert not page.view.conversation.again.isHidden()
    assert _question(page).change.isEnabled()


async def test_the_tools_panel_closes_when_something_is_sent(
    page: ChatPage, providers: FakeProviders
) -> None:
    providers.model.steps.append(says("Hi."))
    page.view.head.fold.click()
    assert page.view.head.panel.isVisible()
    chat = _ask(page, "hello")
    assert not page.view.head.panel.isVisible()
    await idle(chat)


async def test_details_stay_where_they_were_opened(
    page: ChatPage, providers: FakeProviders
) -> None:
    long = "\n\n".join(f"Paragraph {n}." for n in range(60))
    unknown = ("nothing_like_it", {"text": "a\nb\n" * 30})
    providers.model.steps += [says(long), calls(unknown), says("No.")]
    for words in ("one", "two"):
        chat = _ask(page, words)
        await idle(chat)
    card = card_of(page, 0, CallCard)
    view = page.view.conversation
    assert view is not None
    await turns(20)
    assert view.is_at_end
    assert view.verticalScrollBar().maximum() > 0
    before = card.mapTo(view, card.rect().topLeft()).y()
    assert isinstance(card, CallCard)
    QTest.mouseClick(card.fold, LEFT)
    for _ in range(20):
        await turns(5)
    assert card.mapTo(view, card.rect().topLeft()).y() == before
    assert not view.is_at_end
    QTest.mouseClick(card.fold, LEFT)
    for _ in range(20):
        await turns(5)
    assert view.is_at_end


async def test_a_reopened_conversation_names_its_tools_and_opens_them(
    page: ChatPage, core: Core, providers: FakeProviders
) -> None:
    providers.model.steps += [calls(MULTIPLY), says("42")]
    chat = _ask(page, "6 x 7?")
    await asked(chat)
    chat.prompter.answer(chat.entries.asking[0].call_id, ApprovalResponse("once"))
    await idle(chat)
    await chat.close()
    other = Chats(core.part(Agent).sessions, providers)
    await other.refresh()
    (stored,) = other.chats
    await other.load(stored)
    page.view.show_chat(stored)
    card = card_of(page, 0, CallCard)
    assert isinstance(card, CallCard)
    assert card.title.accessibleName() == "calculator:calculate"
    opened = told(page.open_call_requested)
    QTest.mouseClick(card.open_in_tools, LEFT)
    assert opened == [("calculator:calculate", MULTIPLY[1])]
    await other.close()
