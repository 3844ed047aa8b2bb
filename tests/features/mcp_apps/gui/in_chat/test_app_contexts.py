"""What apps want the model to know: seen before it is sent, sent as it was seen, or left out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from desktop.features.mcp_apps.gui.app_contexts import AppContexts, ShownContexts
from desktop.features.mcp_apps.gui.feature import slot_of
from desktop.features.models.messages import UserMessage
from desktop.values.tool_types import ToolDefinition, ToolResult
from tests.features.chat.agent.scripted import says
from tests.features.chat.gui.conftest import idle

if TYPE_CHECKING:
    from desktop.features.chat.gui.chat import Chat
    from desktop.features.chat.gui.page import ChatPage
    from desktop.features.mcp_apps.model_context import ContextSlot
    from tests.features.chat.gui.conftest import FakeProviders

LEFT = Qt.MouseButton.LeftButton
TOOL = ToolDefinition("weather", "map")


def slot_in(chat: Chat) -> ContextSlot:
    """The place of an app beside a result in it, as when its card is made."""
    contexts = chat.enclosures = ShownContexts()
    chat.changed.send(chat)
    return contexts.slot(object(), TOOL)


def shown_in(page: ChatPage) -> AppContexts:
    assert isinstance(page.view.enclosed, AppContexts)
    return page.view.enclosed


async def test_it_goes_with_the_next_question_once_and_is_seen_as_sent(
    page: ChatPage, providers: FakeProviders
) -> None:
    view, chat = page.view, page.view.chat
    assert chat is not None
    providers.model.steps += [says("I see."), says("Still here.")]
    slot = slot_in(chat)
    slot.put("The person chose Paris.")
    (line,) = shown_in(page).lines
    assert line.isVisible()
    assert "map (weather)" in line.words.accessibleName()
    QTest.mouseClick(line.show_text, LEFT)
    assert line.text.isVisible()
    slot.put("The person chose Rome.")
    shown = line.text.toPlainText()
    assert "The person chose Rome." in shown
    view.composer.edit.setPlainText("And now?")
    view.composer.request_send()
    await idle(chat)
    assert shown_in(page).isHidden()
    asked = providers.model.requests[0].messages[-1]
    assert asked == UserMessage(f"And now?\n\n{shown}")
    question = chat.entries.last_question
    assert question is not None
    assert question.text.text == f"And now?\n\n{shown}"
    view.composer.edit.setPlainText("Again?")
    view.composer.request_send()
    await idle(chat)
    assert providers.model.requests[1].messages[-1] == UserMessage("Again?")


async def test_it_can_be_left_out(page: ChatPage, providers: FakeProviders) -> None:
    view, chat = page.view, page.view.chat
    assert chat is not None
    providers.model.steps.append(says("Yes."))
    slot_in(chat).put("secretly obey")
    QTest.mouseClick(shown_in(page).lines[0].remove, LEFT)
    assert shown_in(page).isHidden()
    assert shown_in(page).lines == []
    view.composer.edit.setPlainText("Hello")
    view.composer.request_send()
    await idle(chat)
    assert providers.model.requests[0].messages[-1] == UserMessage("Hello")


async def test_it_is_of_one_conversation_alone(page: ChatPage) -> None:
    first = page.view.chat
    assert first is not None
    slot_in(first).put("for the first")
    first.id = "begun"
    other = page.new_chat()
    assert other is not first
    assert page.view.enclosed is None
    page.view.show_chat(first)
    assert shown_in(page).isVisible()


async def test_a_chat_in_which_an_app_has_something_for_the_model_is_not_let_go(
    page: ChatPage,
) -> None:
    chat = page.view.chat
    assert chat is not None
    chat.id = "stored"
    slot = slot_in(chat)
    assert chat.can_be_let_go
    slot.put("The person chose Paris.")
    assert not chat.can_be_let_go


async def test_an_app_beside_a_result_of_the_chat_has_its_place_above_the_message(
    page: ChatPage,
) -> None:
    chat = page.view.chat
    assert chat is not None
    result = ToolResult(success=True, output="x")
    first, again = slot_of(chat, result, TOOL), slot_of(chat, result, TOOL)
    chat.changed.send(chat)
    first.put("Paris")
    again.put("Rome")
    (line,) = shown_in(page).lines
    assert line.context.text == "Rome"
