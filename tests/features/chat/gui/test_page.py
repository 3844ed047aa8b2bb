"""The page as a person uses it: typed, clicked, looked at; over real sessions and real servers."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from desktop.config.providers import Price, ProviderSettings
from desktop.features.chat.agent.session_info import Builtin
from desktop.features.chat.gui.call_card import CallCard
from desktop.features.chat.gui.entries import ModelEntry, NoticeEntry, ToolCallEntry, UserEntry
from desktop.features.chat.gui.message_list import ModelCard
from desktop.features.chat.gui.page import ChatPage
from desktop.tools.approvals import ApprovalResponse
from tests.features.chat.agent.scripted import calls, says
from tests.features.chat.gui.conftest import asked, card_of, idle, told, until
from tests.gui.waiting import arm, turns
from tests.live_servers import stdio
from tests.patience import LIMIT

if TYPE_CHECKING:
    from pathlib import Path

    from PySide6.QtCore import QSettings

    from desktop.core import Core
    from desktop.features.chat.gui.chat import Chat
    from desktop.features.chat.gui.chats import Chats
    from desktop.gui.theme import Theme
    from tests.features.chat.gui.conftest import FakeProviders


LEFT = Qt.MouseButton.LeftButton
MULTIPLY = ("mcp__calculator__calculate", {"operation": "multiply", "a": 6, "b": 7})


def _ask(page: ChatPage, text: str) -> Chat:
    """Type a question and press Enter."""
    page.view.composer.edit.setFocus()
    QTest.keyClicks(page.view.composer.edit, text)
    QTest.keyClick(page.view.composer.edit, Qt.Key.Key_Return)
    assert page.view.chat is not None
    return page.view.chat


async def _active(page: ChatPage) -> None:
    """Make it the active window: without one nothing has the focus."""
    page.activateWindow()
    page.view.composer.edit.setFocus()
    for _ in range(200):
        if page.view.composer.edit.hasFocus():
            return
        await asyncio.sleep(0)


async def test_a_question_is_typed_sent_and_answered(
    page: ChatPage, providers: FakeProviders
) -> None:
    providers.model.steps.append(says("It is **forty-two**."))
    chat = _ask(page, "What is it?")
    await idle(chat)

    card = card_of(page, 0, ModelCard)
    assert isinstance(card, ModelCard)
    assert card.text.proses[0].toPlainText() == "It is forty-two."
    assert page.view.composer.text == ""
    assert chat.title == "What is it?"
    assert "tokens in" in page.view.usage.text()


async def test_what_several_models_answered_has_tokens_and_no_price(
    page: ChatPage, providers: FakeProviders
) -> None:
    """The price of one is not that of all."""
    price = Price(input=3, output=15)
    providers.known["scripted"] = ProviderSettings(name="scripted", kind="openai", price=price)
    providers.model.steps += [says("one"), replace(says("two"), model="scripted-2"), says("three")]
    chat = _ask(page, "What is it?")
    await idle(chat)
    assert "about" in page.view.usage.text()
    chat.ask("And by another?")
    await idle(chat)
    assert page.view.usage.text() == "20 tokens in, 4 out"
    page.new_chat()
    await idle(_ask(page, "In a new one?"))
    assert "about" in page.view.usage.text()


async def test_a_call_is_asked_about_and_run_once_it_is_allowed(
    page: ChatPage, providers: FakeProviders
) -> None:
    providers.model.steps += [calls(MULTIPLY), says("42")]
    chat = _ask(page, "6 x 7?")
    await asked(chat)
    card = card_of(page, 0, CallCard)
    assert isinstance(card, CallCard)
    assert card.question is not None
    assert card.state.text() == "Needs approval"
    assert card.question.line.text() == "operation: multiply · a: 6 · b: 7"
    card.question.arm()
    QTest.mouseClick(card.question.once, LEFT)
    await idle(chat)
    assert page.view.conversation is not None
    page.view.conversation.flush()

    assert (card.state.text(), card.line.text(), card.question) == ("Done", "42", None)


async def test_enter_in_the_composer_never_answers_a_question(
    page: ChatPage, providers: FakeProviders
) -> None:
    providers.model.steps += [calls(MULTIPLY), says("denied")]
    await _active(page)
    chat = _ask(page, "6 x 7?")
    await asked(chat)
    card = card_of(page, 0, CallCard)
    assert isinstance(card, CallCard)
    assert card.question is not None
    card.question.arm()
    await turns()
    focus = QApplication.focusWidget()
    for key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space, Qt.Key.Key_Return):
        QTest.keyClick(focus or page.view.composer.edit, key)
    await turns()

    assert focus is None or focus is page.view.composer.edit
    assert chat.questions == 1
    assert page.view.composer.text == " "
    card.question.deny.click()
    await idle(chat)


async def test_a_correction_that_is_typed_does_not_allow_the_call(
    page: ChatPage, providers: FakeProviders
) -> None:
    providers.model.steps += [calls(MULTIPLY), says("no")]
    await _active(page)
    chat = _ask(page, "6 x 7?")
    await asked(chat)
    card = card_of(page, 0, CallCard)
    assert isinstance(card, CallCard)
    question = card.question
    assert question is not None
    question.arm()
    arm(question.once, question.always, question.deny, question.never)
    await turns(10)
    assert question.edit.isVisible()
    QTest.mouseClick(question.edit, LEFT)
    focus = QApplication.focusWidget()
    assert question.form is not None
    assert focus is not None
    assert question.form.isAncestorOf(focus)
    for letter in '{"a": 2, "b": "x"}':
        QTest.keyClicks(QApplication.focusWidget() or page, letter)
    QTest.keyClick(QApplication.focusWidget() or page, Qt.Key.Key_Return)

    assert chat.questions == 1
    question.deny.click()
    await idle(chat)


@pytest.mark.parametrize("by", ["click", "key"])
async def test_after_an_answer_a_person_goes_on_typing_in_the_composer(
    page: ChatPage, providers: FakeProviders, by: str
) -> None:
    providers.model.steps += [calls(MULTIPLY), says("no")]
    await _active(page)
    chat = _ask(page, "6 x 7?")
    await asked(chat)
    card = card_of(page, 0, CallCard)
    assert isinstance(card, CallCard)
    assert card.question is not None
    card.question.arm()
    if by == "click":
        QTest.mouseClick(card.question.deny, LEFT)
    else:
        card.question.reason.setFocus()
        QTest.keyClick(card.question.reason, Qt.Key.Key_Return)
    await idle(chat)
    assert page.view.conversation is not None
    page.view.conversation.flush()
    assert QApplication.focusWidget() is page.view.composer.edit


async def test_ctrl_g_goes_to_the_question_and_answers_nothing(
    page: ChatPage, providers: FakeProviders
) -> None:
    providers.model.steps += [calls(MULTIPLY), says("no")]
    await _active(page)
    chat = _ask(page, "6 x 7?")
    await asked(chat)
    await turns()
    page.view.go_to_question()
    card = card_of(page, 0, CallCard)
    assert isinstance(card, CallCard)
    assert card.question is not None
    assert QApplication.focusWidget() is card
    QTest.keyClick(card, Qt.Key.Key_Return)

    assert chat.questions == 1
    assert page.view.questions.isVisible()
    card.question.arm()
    card.question.reason.setText("too expensive")
    QTest.keyClick(card.question.reason, Qt.Key.Key_Return)
    await idle(chat)
    call = next(entry for entry in chat.entries.entries if isinstance(entry, ToolCallEntry))
    assert call.state == "denied"
    assert call.result is not None
    assert call.result.error is not None
    assert "too expensive" in call.result.error.message


async def test_one_running_call_is_cancelled_from_its_card_and_the_model_goes_on(
    page: ChatPage, providers: FakeProviders, core: Core
) -> None:
    core.store.add_server(stdio("plain"))
    await core.settle()
    slow = ("mcp__plain__slow", {"seconds": 60, "steps": 600})
    providers.model.steps += [calls(slow), says("then not")]
    chat = _ask(page, "go")
    await asked(chat)
    card = card_of(page, 0, CallCard)
    assert isinstance(card, CallCard)
    assert card.question is not None
    assert not card.cancel.isVisible()
    card.question.arm()
    QTest.mouseClick(card.question.once, LEFT)
    await until(chat.entries.changed, lambda: card.entry.detail.startswith("1 of 600"))
    assert page.view.conversation is not None
    page.view.conversation.flush()
    QTest.mouseClick(card.cancel, LEFT)
    await idle(chat)
    page.view.conversation.flush()

    assert (card.state.text(), card.cancel.isVisible()) == ("Cancelled", False)
    last = chat.entries.entries[-1]
    assert isinstance(last, ModelEntry)
    assert last.text.text == "then not"


async def test_arguments_are_corrected_before_they_are_sent(
    page: ChatPage, providers: FakeProviders
) -> None:
    providers.model.steps += [calls(MULTIPLY), says("done")]
    chat = _ask(page, "6 x 7?")
    await asked(chat)
    card = card_of(page, 0, CallCard)
    assert isinstance(card, CallCard)
    question = card.question
    assert question is not None
    question.arm()
    question.edit.click()
    assert question.form is not None
    question.form.set_value({"operation": "multiply", "a": 6, "b": 8})
    question.once.click()
    await idle(chat)

    call = next(entry for entry in chat.entries.entries if isinstance(entry, ToolCallEntry))
    assert (call.state, call.arguments["b"]) == ("done", 8)
    assert call.result is not None
    assert call.result.output == "48"


async def test_parallel_calls_are_a_card_each_and_are_answered_in_any_order(
    page: ChatPage, providers: FakeProviders
) -> None:
    other = ("mcp__calculator__evaluate", {"expression": "1+1"})
    providers.model.steps += [calls(MULTIPLY, other, ("no_such", {})), says("both")]
    chat = _ask(page, "go")
    await asked(chat, 2)
    first, second = card_of(page, 0, CallCard), card_of(page, 1, CallCard)
    assert isinstance(first, CallCard)
    assert isinstance(second, CallCard)
    for card in (second, first):
        assert card.question is not None
        card.question.arm()
    assert second.question is not None
    second.question.deny.click()
    await asked(chat, 1)
    assert first.question is not None
    first.question.once.click()
    await idle(chat)

    made = [entry for entry in chat.entries.entries if isinstance(entry, ToolCallEntry)]
    assert [one.state for one in made] == ["done", "denied", "failed"]


async def test_always_counts_for_the_next_call(page: ChatPage, providers: FakeProviders) -> None:
    providers.model.steps += [calls(MULTIPLY), calls(MULTIPLY), says("twice")]
    chat = _ask(page, "twice")
    await asked(chat)
    card = card_of(page, 0, CallCard)
    assert isinstance(card, CallCard)
    assert card.question is not None
    card.question.arm()
    card.question.always.click()
    await idle(chat)

    made = [entry for entry in chat.entries.entries if isinstance(entry, ToolCallEntry)]
    assert [one.state for one in made] == ["done", "done"]


async def test_esc_stops_an_answer_and_keeps_what_came(
    page: ChatPage, providers: FakeProviders
) -> None:
    providers.model.steps.append(says("never whole"))
    providers.model.hang_after = "So far"
    await _active(page)
    chat = _ask(page, "long one")
    await asyncio.wait_for(providers.model.hanging.wait(), LIMIT)
    await turns(5)
    assert page.view.composer.stop.isVisible()
    QTest.keyClick(page.view.composer.edit, Qt.Key.Key_Escape)
    await idle(chat)

    said = [entry for entry in chat.entries.entries if isinstance(entry, ModelEntry)]
    notices = [entry.kind for entry in chat.entries.entries if isinstance(entry, NoticeEntry)]
    assert (said[0].text.text, notices) == ("So far", ["stopped"])
    assert not page.view.composer.stop.isVisible()


async def test_stop_while_a_question_is_open_takes_the_question_back(
    page: ChatPage, providers: FakeProviders
) -> None:
    providers.model.steps.append(calls(MULTIPLY))
    chat = _ask(page, "6 x 7?")
    await asked(chat)
    page.view.composer.stop.click()
    await idle(chat)

    call = next(entry for entry in chat.entries.entries if isinstance(entry, ToolCallEntry))
    assert (call.state, call.question, chat.questions) == ("cancelled", None, 0)


async def test_a_card_is_opened_in_the_form_of_its_tool(
    page: ChatPage, providers: FakeProviders
) -> None:
    providers.model.steps += [calls(MULTIPLY), says("no")]
    opened = told(page.open_call_requested)
    chat = _ask(page, "6 x 7?")
    await asked(chat)
    card = card_of(page, 0, CallCard)
    assert isinstance(card, CallCard)
    card.open_in_tools.click()
    chat.stop()
    await idle(chat)

    assert opened == [("calculator:calculate", MULTIPLY[1])]


async def test_servers_of_the_conversation_start_with_it_and_end_when_told(
    page: ChatPage, providers: FakeProviders, core: Core
) -> None:
    providers.model.steps += [says("hello"), says("again")]
    page.view.head.fold.click()
    builtins = page.view.head.panel.builtins
    builtins.item(1).setCheckState(Qt.CheckState.Checked)
    chat = _ask(page, "hi")
    await idle(chat)
    assert chat.setup.builtins == (Builtin("time"),)
    assert {one.owner for one in core.tracker.tracked} > {"calculator"}
    assert not builtins.isEnabled()
    await chat.close()
    assert {one.owner for one in core.tracker.tracked} == {"calculator"}
    _ask(page, "and again")
    await idle(chat)

    assert len([entry for entry in chat.entries.entries if isinstance(entry, UserEntry)]) == 2
    assert chat.session is not None
    assert len(chat.session.messages) == 4


async def test_a_stored_conversation_is_listed_opened_and_gone_on_with(
    page: ChatPage, providers: FakeProviders, desk: Chats
) -> None:
    providers.model.steps += [calls(MULTIPLY), says("42")]
    chat = _ask(page, "first")
    await asked(chat)
    chat.prompter.answer("call-1-mcp__calculator__calculate"[:40], ApprovalResponse("once"))
    await idle(chat)
    await chat.close()
    desk.chats.clear()
    await desk.refresh()
    page.new_chat()
    page.list.show_chats(desk.chats, None)
    again = desk.chats[0]
    page.list.view.setCurrentIndex(page.list.model.index(0))
    if not again.entries.entries:
        loaded: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        page.loaded.connect(lambda: loaded.done() or loaded.set_result(None))
        await asyncio.wait_for(loaded, LIMIT)

    kinds = [type(entry).__name__ for entry in again.entries.entries]
    assert (again.title, kinds) == ("first", ["UserEntry", "ToolCallEntry", "ModelEntry"])
    assert again.session is None
    providers.model.steps.append(says("more"))
    _ask(page, "go on")
    await idle(again)
    assert again.session is not None
    assert len(again.session.messages) == 6


async def test_renaming_and_deleting_change_what_is_stored(
    page: ChatPage, providers: FakeProviders, desk: Chats
) -> None:
    providers.model.steps.append(says("hi"))
    chat = _ask(page, "first")
    await idle(chat)
    await chat.rename("Better")
    await chat.close()
    stored = await desk.sessions.store.list()
    assert [one.about.title for one in stored] == ["Better"]
    page.list.show_chats(desk.chats, chat)
    dialog = page.list.ask_delete()
    assert dialog is not None
    dialog.act.click()
    await until(desk.changed, lambda: not desk.chats)

    assert await desk.sessions.store.list() == []
    assert page.view.chat is not chat


async def test_a_conversation_is_exported_as_markdown(
    page: ChatPage, providers: FakeProviders, tmp_path: Path
) -> None:
    providers.model.steps.append(says("hello **you**"))
    chat = _ask(page, "hi")
    await idle(chat)
    dialog = page.export_chat(chat)
    file = tmp_path / "out.md"
    dialog.fileSelected.emit(str(file))
    assert dialog.writing is not None
    await dialog.writing
    dialog.close()

    assert "hello **you**" in file.read_text(encoding="utf-8")


async def test_a_draft_is_there_again_when_the_page_is_opened_anew(
    page: ChatPage, desk: Chats, core: Core, theme: Theme, settings: QSettings
) -> None:
    QTest.keyClicks(page.view.composer.edit, "half a thought")
    page.hide()
    other = ChatPage(theme, desk, core.registry, dict, settings)
    text = other.view.composer.text
    other.deleteLater()

    assert text == "half a thought"


async def test_without_a_usable_provider_the_page_says_the_next_step(
    page: ChatPage, providers: FakeProviders
) -> None:
    wanted: list[str] = []
    page.view.provider_requested.connect(lambda: wanted.append("provider"))
    providers.places["scripted"] = "missing"
    providers.changed.send()
    QTest.keyClicks(page.view.composer.edit, "hello")
    QTest.keyClick(page.view.composer.edit, Qt.Key.Key_Return)
    assert page.view.add_provider.isVisible()
    assert not page.view.composer.send.isEnabled()
    assert "provider" in page.view.composer.hint.text()
    page.view.add_provider.click()

    assert wanted == ["provider"]
    assert page.view.composer.text == "hello"


async def test_a_failure_is_said_with_what_to_do_and_the_next_question_works(
    page: ChatPage, providers: FakeProviders
) -> None:
    from desktop.features.chat.llm.completion import CompletionError

    providers.model.steps += [CompletionError("key", "The key is wrong."), says("fine")]
    chat = _ask(page, "one")
    await idle(chat)
    notice = next(entry for entry in chat.entries.entries if isinstance(entry, NoticeEntry))
    assert (notice.kind, notice.cause) == ("failed", "key")
    _ask(page, "two")
    await idle(chat)

    assert isinstance(chat.entries.entries[-1], ModelEntry)


async def test_what_a_service_cannot_even_begin_is_an_entry_too(
    page: ChatPage, providers: FakeProviders
) -> None:
    from desktop.base.errors import DesktopError

    providers.refusal = DesktopError("There is no such provider.")
    chat = _ask(page, "one")
    await idle(chat)

    notice = chat.entries.entries[-1]
    assert isinstance(notice, NoticeEntry)
    assert "no such provider" in notice.sentence
