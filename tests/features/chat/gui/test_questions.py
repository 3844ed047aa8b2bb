"""Several calls that wait for a person, and servers that a question waits for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from desktop.features.chat.agent.events import ServersAwaited
from desktop.features.chat.gui import message_list
from desktop.features.chat.gui.call_card import CallCard
from desktop.features.chat.gui.entries import ToolCallEntry
from tests.features.chat.agent.scripted import calls, says
from tests.features.chat.gui.conftest import asked, card_of, idle, until
from tests.gui.waiting import turns
from tests.live_servers import stdio

if TYPE_CHECKING:
    import pytest

    from desktop.core import Core
    from desktop.features.chat.gui.chat import Chat
    from desktop.features.chat.gui.page import ChatPage
    from tests.features.chat.gui.conftest import FakeProviders

LEFT = Qt.MouseButton.LeftButton


def _times(b: int) -> tuple[str, dict[str, object]]:
    return "mcp__calculator__calculate", {"operation": "multiply", "a": 6, "b": b}


def _ask(page: ChatPage, text: str) -> Chat:
    page.view.composer.edit.set_text(text)
    QTest.keyClick(page.view.composer.edit, Qt.Key.Key_Return)
    assert page.view.chat is not None
    return page.view.chat


def _calls(chat: Chat) -> list[ToolCallEntry]:
    return [entry for entry in chat.entries.entries if isinstance(entry, ToolCallEntry)]


async def test_all_calls_that_wait_are_allowed_by_one_click(
    page: ChatPage, providers: FakeProviders
) -> None:
    pause = page.view.all_armed.findChild(QTimer)
    assert isinstance(pause, QTimer)
    pause.setInterval(60_000)  # a busy machine looks later than the button waits
    providers.model.steps += [calls(_times(7), _times(8), _times(9)), says("done")]
    chat = _ask(page, "go")
    await asked(chat, 3)
    await turns()
    button = page.view.allow_all
    assert (button.text(), button.isVisible(), button.isEnabled()) == ("Allow all 3", True, False)
    QTest.mouseClick(button, LEFT)
    assert chat.questions == 3
    page.view.all_armed.arm()
    QTest.mouseClick(button, LEFT)
    await idle(chat)
    assert [call.state for call in _calls(chat)] == ["done"] * 3
    assert not button.isVisible()


async def test_ctrl_g_goes_to_a_question_whose_card_is_not_built_yet(
    page: ChatPage, providers: FakeProviders, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(message_list, "_TURN", 0)  # a busy machine: one card a turn,
    monkeypatch.setattr(message_list, "BATCH_MS", 60_000)  # and none by itself
    providers.model.steps += [calls(_times(7)), says("no")]
    page.activateWindow()
    chat = _ask(page, "go")
    await asked(chat)
    assert page.view.conversation is not None
    assert page.view.conversation.card(_calls(chat)[0]) is None
    page.view.go_to_question()
    assert QApplication.focusWidget() is page.view.conversation.card(_calls(chat)[0])
    chat.stop()
    await idle(chat)


async def test_a_call_that_is_being_corrected_is_not_allowed_with_the_others(
    page: ChatPage, providers: FakeProviders
) -> None:
    providers.model.steps += [calls(_times(7), _times(8), _times(9)), says("done")]
    chat = _ask(page, "go")
    await asked(chat, 3)
    second = card_of(page, 1, CallCard)
    assert isinstance(second, CallCard)
    assert second.question is not None
    second.question.edit_arguments()
    page.view.all_armed.arm()
    QTest.mouseClick(page.view.allow_all, LEFT)
    await asked(chat, 1)
    assert page.view.conversation is not None
    page.view.conversation.flush()
    assert second.question is not None
    assert not page.view.allow_all.isVisible()
    second.question.arm()
    second.question.deny.click()
    await idle(chat)
    assert [call.state for call in _calls(chat)] == ["done", "denied", "done"]


async def test_another_call_takes_the_click_back_that_was_meant_for_those_before(
    page: ChatPage, providers: FakeProviders
) -> None:
    providers.model.steps += [calls(_times(7), _times(8), _times(9)), says("done")]
    chat = _ask(page, "go")
    await asked(chat, 3)
    page.view.all_armed.arm()
    third = card_of(page, 2, CallCard)
    assert isinstance(third, CallCard)
    assert third.question is not None
    third.question.arm()
    third.question.deny.click()
    await asked(chat, 2)
    assert (page.view.allow_all.text(), page.view.allow_all.isEnabled()) == ("Allow all 2", False)
    chat.stop()
    await idle(chat)


async def test_servers_that_a_question_waits_for_are_named(
    page: ChatPage, core: Core, providers: FakeProviders
) -> None:
    core.store.add_server(stdio("plain"))
    providers.model.steps.append(says("Hi."))
    seen: list[str] = []
    assert page.view.chat is not None
    page.view.chat.changed.connect(lambda _: seen.append(page.view.status.text()))
    chat = _ask(page, "hello")
    await idle(chat)
    assert "Waiting for servers to start: plain" in seen
    assert page.view.status.text() == ""
    names = {each.wire_name for each in providers.model.tables[0].declarations}
    assert "mcp__plain__add" in names
    await until(core.service.state_changed, lambda: core.service.connection("plain").is_connected)
    assert chat.awaited == ServersAwaited().names


async def test_a_call_is_corrected_and_allowed_by_three_keys_and_what_is_typed(
    page: ChatPage, providers: FakeProviders
) -> None:
    providers.model.steps += [calls(("mcp__calculator__evaluate", {"expression": "1"})), says("ok")]
    page.activateWindow()
    page.view.composer.edit.setFocus()
    chat = _ask(page, "go")
    await asked(chat)
    card = card_of(page, 0, CallCard)
    assert isinstance(card, CallCard)
    assert card.question is not None
    card.question.arm()
    await turns(10)
    QTest.keyClick(page, Qt.Key.Key_G, Qt.KeyboardModifier.ControlModifier)
    await turns(10)
    QTest.keyClick(QApplication.focusWidget() or page, Qt.Key.Key_E)
    field = QApplication.focusWidget()
    assert field is not None
    QTest.keyClicks(field, "+41")
    QTest.keyClick(field, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    await idle(chat)
    (call,) = _calls(chat)
    assert call.arguments["expression"] in {"1+41", "+411"}
    assert call.state == "done"


async def test_esc_leaves_the_form_of_the_arguments_first_and_only_then_stops_the_answer(
    page: ChatPage, providers: FakeProviders
) -> None:
    providers.model.steps += [calls(_times(7), _times(8), _times(9)), says("done")]
    page.show()
    page.activateWindow()
    chat = _ask(page, "go")
    await asked(chat, 3)
    page.resize(900, 600)  # the last one has no room for its form
    await turns(10)
    card = card_of(page, 2, CallCard)
    assert isinstance(card, CallCard)
    question = card.question
    assert question is not None
    QTest.mouseClick(question.edit, LEFT)
    question.show_keys(True)
    assert question.keys.isHidden()  # while the form is open, A and D are letters
    await turns(10)
    field = QApplication.focusWidget()
    assert field is not None
    assert question.isAncestorOf(field)
    for seen in (field, question.once):  # what is typed, and how it goes on
        assert seen.visibleRegion().boundingRect() == seen.rect()
    QTest.keyClick(field, Qt.Key.Key_Escape)
    assert question.form is None
    assert chat.questions == 3
    assert question.edit.hasFocus()
    QTest.keyClick(question.edit, Qt.Key.Key_Escape)
    await idle(chat)
    assert chat.questions == 0
    assert page.view.composer.edit.hasFocus()
