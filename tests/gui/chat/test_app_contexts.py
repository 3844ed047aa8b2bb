"""What apps want the model to know: seen before it is sent, sent as it was seen, or left out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from desktop.llm.messages import UserMessage
from desktop.values.tool_types import ToolDefinition
from tests.agent.scripted import says
from tests.gui.chat.conftest import idle

if TYPE_CHECKING:
    from desktop.gui.chat.page import ChatPage
    from tests.gui.chat.conftest import FakeProviders

LEFT = Qt.MouseButton.LeftButton
TOOL = ToolDefinition("weather", "map")


async def test_it_goes_with_the_next_question_once_and_is_seen_as_sent(
    page: ChatPage, providers: FakeProviders
) -> None:
    view, chat = page.view, page.view.chat
    assert chat is not None
    providers.model.steps += [says("I see."), says("Still here.")]
    slot = chat.contexts.slot(object(), TOOL)
    slot.put("The person chose Paris.")
    (line,) = view.contexts.lines
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
    assert view.contexts.isHidden()
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
    chat.contexts.slot(object(), TOOL).put("secretly obey")
    QTest.mouseClick(view.contexts.lines[0].remove, LEFT)
    assert view.contexts.isHidden()
    assert view.contexts.lines == []
    view.composer.edit.setPlainText("Hello")
    view.composer.request_send()
    await idle(chat)
    assert providers.model.requests[0].messages[-1] == UserMessage("Hello")


async def test_it_is_of_one_conversation_alone(page: ChatPage) -> None:
    first = page.view.chat
    assert first is not None
    first.contexts.slot(object(), TOOL).put("for the first")
    first.id = "begun"
    other = page.new_chat()
    assert other is not first
    assert page.view.contexts.isHidden()
    page.view.show_chat(first)
    assert page.view.contexts.isVisible()
