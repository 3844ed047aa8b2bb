"""A window that fills: said on the cards, and gone on from in a new conversation with a summary."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from desktop.config.providers import ProviderSettings
from desktop.features.chat.agent.events import CallAnswered, CallStarted, ResultsShortened
from desktop.features.chat.gui.entries import EntryList, NoticeEntry, ToolCallEntry
from desktop.features.chat.gui.labels import call_label
from desktop.features.chat.llm.completion import CompletionError
from desktop.features.models.messages import AssistantMessage, ToolAnswer, ToolRequest, Usage
from desktop.tools.approvals import ApprovalResponse
from desktop.values.tool_types import ToolResult
from tests.features.chat.agent.scripted import calls, says
from tests.features.chat.gui.conftest import asked, idle, setup
from tests.patience import LIMIT

if TYPE_CHECKING:
    from desktop.features.chat.gui.chat import Chat
    from desktop.features.chat.gui.page import ChatPage
    from desktop.tools.approvals import Choice
    from tests.features.chat.gui.conftest import FakeProviders


def filling(text: str) -> AssistantMessage:
    return AssistantMessage(text, usage=Usage(900, 50), model="scripted-1")


async def _full(page: ChatPage, providers: FakeProviders) -> Chat:
    """A conversation that fills its window of 1,000 tokens."""
    providers.known["scripted"] = ProviderSettings(
        name="scripted", kind="openai", model="scripted-1", context_window=1_000
    )
    providers.model.steps.append(filling("Paris."))
    chat = page.new_chat()
    chat.choose(setup())
    page.view.composer.edit.set_text("The capital of France?")
    page.view.composer.request_send()
    await idle(chat)
    return chat


async def test_one_click_goes_on_in_a_new_conversation_with_an_editable_summary(
    page: ChatPage, providers: FakeProviders
) -> None:
    chat = await _full(page, providers)
    assert "nearly fills the window" in page.view.full.words.text()
    providers.model.steps += [says("The capital is Paris."), says("Lyon.")]
    QTest.mouseClick(page.view.full.action, Qt.MouseButton.LeftButton)
    assert page.view.status.text() == "Writing a summary…"
    await idle(chat)
    fresh = page.view.chat
    assert fresh is not None
    assert fresh is not chat
    assert (fresh.id, fresh.setup) == ("", chat.setup)
    assert "The capital is Paris." in page.view.composer.text
    assert page.view.full.isHidden()
    QTest.keyClicks(page.view.composer.edit, "And the next city?")
    page.view.composer.request_send()
    await idle(fresh)
    asked = str(providers.model.requests[-1].messages)
    assert "The capital is Paris." in asked
    assert "And the next city?" in asked
    assert "The capital of France?" not in asked


async def test_a_summary_that_fails_is_said_and_the_conversation_stays(
    page: ChatPage, providers: FakeProviders
) -> None:
    chat = await _full(page, providers)
    providers.model.steps.append(CompletionError("rate", "Wait a little."))
    QTest.mouseClick(page.view.full.action, Qt.MouseButton.LeftButton)
    await idle(chat)
    assert page.view.chat is chat
    last = chat.entries.entries[-1]
    assert isinstance(last, NoticeEntry)
    assert "Wait a little." in last.sentence


async def test_a_summary_can_be_stopped(page: ChatPage, providers: FakeProviders) -> None:
    chat = await _full(page, providers)
    providers.model.steps.append(says("never"))
    providers.model.hang_after = "The"
    QTest.mouseClick(page.view.full.action, Qt.MouseButton.LeftButton)
    await asyncio.wait_for(providers.model.hanging.wait(), LIMIT)
    page.view.stop()
    await idle(chat)
    assert page.view.chat is chat
    assert providers.model.ended


async def test_a_question_that_was_too_long_offers_the_same(
    page: ChatPage, providers: FakeProviders
) -> None:
    providers.model.steps.append(CompletionError("context", "Too long."))
    chat = page.new_chat()
    chat.choose(setup())
    chat.ask("go")
    await idle(chat)
    assert not page.view.full.isHidden()


async def _answer(chat: Chat, choice: Choice) -> str:
    """Answer the next question. Returns: what its card said."""
    await asked(chat)
    (call,) = chat.entries.asking
    words = call_label(call).text
    chat.prompter.answer(call.call_id, ApprovalResponse(choice))
    await asked(chat, 0)
    return words


def test_a_card_says_that_the_model_sees_its_beginning() -> None:
    """Of the first calls, and there of those whose result is long."""
    shown = EntryList()
    shown.say("go")
    for number, size in enumerate((5, 2_000, 3_000)):
        request = ToolRequest(f"c{number}", "plain__big")
        shown.apply(CallStarted(request.call_id, request, "plain:big"))
        answer = ToolAnswer(request.call_id, request.wire_name, ToolResult(True, "x" * size))
        shown.apply(CallAnswered(answer))
    shown.apply(ResultsShortened(2))
    found = [each for each in shown.entries if isinstance(each, ToolCallEntry)]
    assert [call_label(call).text for call in found] == [
        "Done",
        "Done · the model sees its beginning",
        "Done",
    ]


async def test_a_call_that_is_asked_about_again_is_marked(
    page: ChatPage, providers: FakeProviders
) -> None:
    same = calls(("mcp__calculator__evaluate", {"expression": "6*7"}))
    other = calls(("mcp__calculator__evaluate", {"expression": "1+1"}))
    providers.model.steps += [same, same, other, same, says("done")]
    chat = page.new_chat()
    chat.choose(setup())
    chat.ask("go")
    said = [await _answer(chat, "deny") for _ in range(4)]
    await idle(chat)
    assert said == [
        "Needs approval",
        "Needs approval · the same call before: 1",
        "Needs approval",
        "Needs approval · the same call before: 2",
    ]
