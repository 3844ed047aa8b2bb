"""What is sent while the model works is asked next, and lost by nothing."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from desktop.config.providers import Price
from desktop.features.chat.agent import session_store
from desktop.features.chat.gui.labels import usage_label
from desktop.features.chat.gui.page import ChatPreferences
from desktop.features.models.messages import Usage
from tests.features.chat.agent.scripted import calls, says
from tests.features.chat.gui.conftest import setup, until
from tests.gui.waiting import happens
from tests.patience import LIMIT

if TYPE_CHECKING:
    import pytest
    from PySide6.QtCore import QSettings

    from desktop.features.chat.gui.chat import Chat
    from desktop.features.chat.gui.page import ChatPage
    from tests.features.chat.gui.conftest import FakeProviders


def _send(page: ChatPage, text: str) -> None:
    page.view.composer.edit.set_text(text)
    QTest.keyClick(page.view.composer.edit, Qt.Key.Key_Return)


async def _begun(page: ChatPage) -> Chat:
    chat = page.new_chat()
    chat.choose(setup())
    _send(page, "first")
    return chat


async def _hanging(page: ChatPage, providers: FakeProviders) -> Chat:
    """Whose model has begun an answer, and goes on when it is stopped."""
    providers.model.steps.append(says("never"))
    providers.model.hang_after = "The"
    chat = await _begun(page)
    await asyncio.wait_for(providers.model.hanging.wait(), LIMIT)
    return chat


async def test_questions_are_asked_one_after_the_other(
    page: ChatPage, providers: FakeProviders
) -> None:
    model = providers.model
    model.steps += [says("one"), says("two"), says("three")]
    chat = await _begun(page)
    _send(page, "second\nline")
    _send(page, "third")
    assert page.view.composer.text == ""
    assert page.view.queue.words.text() == "Asked next: second line (+1)"
    await until(chat.changed, lambda: len(model.requests) == 3 and not chat.is_busy)
    asked = [str(request.messages[-1]) for request in model.requests]
    assert ["first" in asked[0], "second" in asked[1], "third" in asked[2]] == [True] * 3
    assert page.view.queue.isHidden()


async def test_after_a_stop_they_wait_and_can_be_taken_back(
    page: ChatPage, providers: FakeProviders
) -> None:
    chat = await _hanging(page, providers)
    _send(page, "second")
    page.view.stop()
    await until(chat.changed, lambda: not chat.is_busy)
    assert page.view.queue.words.text() == "Not asked yet: second"
    assert not chat.can_be_let_go
    QTest.mouseClick(page.view.queue.action, Qt.MouseButton.LeftButton)
    assert page.view.composer.text == "second"
    assert (chat.queue, page.view.queue.isHidden()) == ([], True)


async def test_what_waits_is_in_the_question_when_the_app_was_closed(
    page: ChatPage, providers: FakeProviders, settings: QSettings
) -> None:
    chat = await _hanging(page, providers)
    _send(page, "second")
    _send(page, "third")
    page.view.composer.edit.set_text("and more")
    page.hide()
    kept = ChatPreferences(settings)
    assert kept.draft(chat.id) == "second\n\nthird\n\nand more"
    page.show()
    assert page.view.composer.text == "and more", "what waits is asked once in this run"
    page.view.stop()
    await until(chat.changed, lambda: not chat.is_busy)


async def test_what_waits_elsewhere_is_stored_too_and_gone_once_it_was_asked(
    page: ChatPage, providers: FakeProviders, settings: QSettings
) -> None:
    providers.model.steps += [says("one"), says("two")]
    providers.model.hang_after = "The"
    chat = await _begun(page)
    await asyncio.wait_for(providers.model.hanging.wait(), LIMIT)
    page.new_chat()
    chat.put_off("second")
    kept = ChatPreferences(settings)
    await happens(page.refreshed)
    assert kept.draft(chat.id) == "second"
    chat.take_back()
    await happens(page.refreshed)
    assert kept.draft(chat.id) == ""
    chat.stop()
    await until(chat.changed, lambda: not chat.is_busy)


async def test_conversations_are_found_by_title_and_by_what_was_said(
    page: ChatPage, providers: FakeProviders, monkeypatch: pytest.MonkeyPatch
) -> None:
    unknown = calls(("nowhere__rome", {}))  # its answer is a result, too
    providers.model.steps += [says("Paris, on the Seine."), unknown, says("巴黎")]
    titles: list[str] = []
    for question in ("Capital of France?", "Weather today?"):
        chat = page.new_chat()
        chat.choose(setup())
        chat.ask(question)
        await until(chat.changed, lambda chat=chat: not chat.is_busy)
        titles.append(chat.title)
    for words, found in (("seine", titles[:1]), ("巴黎", titles[1:]), ("Unknown TOOL", titles[1:])):
        page.list.search.setText(words)
        await happens(page.search.searched)
        assert [chat.title for chat in page.list.model.chats] == found
    page.list.search.setText("nothing")
    await happens(page.search.searched)
    assert (page.list.hint.isHidden(), page.list.rest.isHidden()) == (False, True)
    monkeypatch.setattr(session_store, "SEARCH_SECONDS", -1.0)
    page.list.search.setText("seine")
    await happens(page.search.searched)
    assert not page.list.rest.isHidden(), "what was not looked through is said"
    page.list.search.clear()
    assert (len(page.list.model.chats), page.list.rest.isHidden()) == (2, True)


def test_what_a_conversation_costs_stands_beside_its_tokens() -> None:
    price = Price(input=3, output=15, cached=0.3)
    label = usage_label(Usage(1_000_000, 100_000, 500_000), price)
    assert label.endswith("· about 3.15 USD")
    assert usage_label(Usage(1_000, 20, 0), price).endswith("· about 0.0033 USD")
    yuan = price.model_copy(update={"currency": "CNY", "cached": None})
    assert usage_label(Usage(10_000, 0, 10_000), yuan).endswith("· about 0.03 CNY")
    assert "about" not in usage_label(Usage(1_000, 10, 0))
