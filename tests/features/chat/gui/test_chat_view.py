from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint

from desktop.config.providers import ProviderSettings
from desktop.gui.theme import COLUMN_WIDTH, space
from tests.features.chat.agent.scripted import says
from tests.features.chat.gui.conftest import idle, setup
from tests.gui.waiting import turns

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from desktop.features.chat.gui.chats import Chats
    from desktop.features.chat.gui.interfaces import KeyPlace
    from desktop.features.chat.gui.page import ChatPage
    from tests.features.chat.gui.conftest import FakeProviders


async def test_each_missing_thing_is_a_reason_of_its_own(
    page: ChatPage, providers: FakeProviders
) -> None:
    view = page.view
    chat = view.chat
    assert chat is not None
    providers.known["other"] = ProviderSettings(name="other", kind="gemini")
    reasons: list[str] = []
    cases: tuple[tuple[str, str, KeyPlace], ...] = (
        ("gone", "m", "keyring"),
        ("other", "m", "missing"),
        ("other", "", "keyring"),
        ("other", "m", "keyring"),
    )
    for provider, model, place in cases:
        providers.places["other"] = place
        chat.choose(setup(provider=provider, model=model))
        reasons.append(view.composer.hint.text())
    assert reasons[:3] == [
        "Choose a provider above.",
        "“other” has no API key yet. Enter it in Settings.",
        "Choose a model above.",
    ]
    assert reasons[3] == ""
    assert not view.composer.keys.isHidden()


async def test_a_conversation_goes_on_while_another_one_is_shown(
    page: ChatPage, desk: Chats, providers: FakeProviders
) -> None:
    providers.model.steps.append(says("done meanwhile"))
    first = page.view.chat
    assert first is not None
    first.ask("go")
    other = page.new_chat()
    assert other is not first
    await idle(first)
    assert (page.view.chat, other.entries.entries) == (other, [])
    page.show_chat(first)
    assert page.view.conversation is not None
    assert page.view.stack.currentWidget() is page.view.conversation
    assert len(first.entries.entries) == 2


def _edges(widget: QWidget, window: QWidget) -> tuple[int, int]:
    left = widget.mapTo(window, QPoint()).x()
    return left, left + widget.width()


@pytest.mark.parametrize("width", [1920, 900])
async def test_messages_and_composer_are_one_column_that_no_scroll_bar_moves(
    page: ChatPage, providers: FakeProviders, width: int
) -> None:
    view, chat = page.view, page.view.chat
    assert chat is not None
    page.resize(width, 800)
    places: set[tuple[int, int]] = set()
    for words in ("one line", "line\n\n" * 100):
        providers.model.steps.append(says(words))
        chat.ask("go")
        await idle(chat)
        shown = view.conversation
        assert shown is not None
        shown.flush()
        await turns(10)
        bar = shown.verticalScrollBar()
        assert (bar.maximum() > 0) is (len(words) > 100)
        places |= {_edges(each, view) for each in (view.composer, *shown.cards)}
    ((left, right),) = places
    room = view.width() - bar.width()
    assert abs(left - (room - right)) <= 1
    assert abs(right - left - min(COLUMN_WIDTH, room) + space(8)) <= 2
