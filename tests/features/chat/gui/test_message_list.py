from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from desktop.features.chat.agent.events import NoticePosted
from desktop.features.chat.gui.entries import EntryList, NoticeEntry
from desktop.features.chat.gui.message_list import (
    ENTRIES_AT_ONCE,
    MAX_BUILT_ENTRIES,
    Card,
    MessageList,
    ModelCard,
)
from desktop.features.chat.gui.user_card import UserCard
from desktop.features.chat.llm.completion import TextDelta
from desktop.features.models.messages import AssistantMessage, Message, UserMessage
from tests.gui.waiting import turns
from tests.patience import LIMIT

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QPushButton
    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme

    Make = Callable[..., MessageList]


@pytest.fixture
def make(qtbot: QtBot, theme: Theme) -> Make:
    def open_view(
        entries: EntryList,
        max_built: int = MAX_BUILT_ENTRIES,
        place: tuple[int, int] | None = None,
    ) -> MessageList:
        view = MessageList(theme, entries, max_built=max_built, place=place)
        qtbot.addWidget(view)
        view.resize(600, 400)
        view.show()
        return view

    return open_view


async def _settled(view: MessageList, press: QPushButton | None = None) -> None:
    """Wait until it is built. Args: press: what begins it, which may also end it at once."""
    done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    connection = view.settled.connect(lambda: done.done() or done.set_result(None))
    if press is not None:
        press.click()
    await asyncio.wait_for(done, LIMIT)
    view.disconnect(connection)


def _long(count: int) -> EntryList:
    entries = EntryList()
    messages: list[Message] = []
    for number in range(count):
        messages += [UserMessage(f"question {number}"), AssistantMessage(f"answer {number}")]
    entries.load(messages)
    return entries


async def test_a_long_conversation_is_built_from_its_end_and_earlier_when_asked(
    make: Make,
) -> None:
    view = make(_long(500))
    await _settled(view)
    assert len(view.cards) == ENTRIES_AT_ONCE
    assert view.is_at_end
    last = view.cards[-1]
    assert isinstance(last, ModelCard)
    assert last.entry.text.text == "answer 499"
    await _settled(view, view.earlier)
    assert len(view.cards) == 2 * ENTRIES_AT_ONCE
    assert view.cards[-1] is last


async def test_what_arrives_is_taken_in_together(make: Make) -> None:
    entries = EntryList()
    view = make(entries)
    await _settled(view)
    for _ in range(500):
        entries.apply(TextDelta("word "))
    assert view.cards == []
    await _settled(view)
    (card,) = view.cards
    assert isinstance(card, ModelCard)
    assert card.text.proses[0].toPlainText().count("word") == 500


async def test_it_stays_at_the_end_until_a_person_reads_above(make: Make) -> None:
    entries = _long(30)
    view = make(entries)
    await _settled(view)
    bar = view.verticalScrollBar()
    assert bar.value() == bar.maximum()
    bar.setValue(bar.maximum() // 2)
    assert not view.is_at_end
    first = next(card for card in view.cards if card.geometry().bottom() > bar.value())
    place = first.y() - bar.value()
    entries.apply(TextDelta("more\n\n" * 50))
    await _settled(view)
    assert first.y() - bar.value() == place
    view.go_to_end()
    assert bar.value() == bar.maximum()


async def test_what_a_person_reads_stays_where_it_is_while_what_is_above_grows(make: Make) -> None:
    view = make(_long(30))
    await _settled(view)
    await turns()
    bar = view.verticalScrollBar()
    bar.setValue(bar.maximum() // 2)
    read = next(card for card in view.cards if card.geometry().bottom() > bar.value())
    place = read.y() - bar.value()
    for height in (200, 90, 300):
        view.cards[1].setFixedHeight(height)
        await turns()
        assert read.y() - bar.value() == place
    read.move(read.x(), read.y() + 13)  # as a layout does that is not done yet: no range changes
    assert read.y() - bar.value() == place


async def test_what_is_far_above_is_taken_away_while_it_grows(make: Make) -> None:
    entries = EntryList()
    view = make(entries, max_built=10)
    await _settled(view)
    for number in range(15):
        entries.apply(NoticePosted(f"sentence {number}"))
    await _settled(view)
    assert [view.card(entry) is not None for entry in entries.entries] == [False] * 5 + [True] * 10
    assert view.earlier.isVisible()


def _read(view: MessageList) -> tuple[Card, int]:
    """What is at the top of what a person sees, and how far from there it begins."""
    value = view.verticalScrollBar().value()
    card = next(card for card in view.cards if card.geometry().bottom() >= value)
    return card, card.y() - value


def _stays(view: MessageList, read: tuple[Card, int]) -> bool:
    card, place = read
    return card in view.cards and card.y() - view.verticalScrollBar().value() == place


def _words(card: Card) -> str:
    assert isinstance(card, UserCard | ModelCard)
    return card.entry.text.text


async def test_earlier_and_later_keep_few_cards_and_what_is_read_stays(make: Make) -> None:
    entries = _long(100)
    view = make(entries, max_built=60)
    await _settled(view)
    view.verticalScrollBar().setValue(0)
    presses = 0
    while view.earlier.isVisible():
        before = _read(view)
        await _settled(view, view.earlier)
        await turns()
        assert _stays(view, before)
        assert len(view.cards) <= 60
        view.verticalScrollBar().setValue(0)
        presses += 1
    assert presses > 6
    assert _words(view.cards[0]) == "question 0"
    assert view.later.isVisible()
    assert view.later.text() == "Show later messages (140)"
    bar = view.verticalScrollBar()
    while view.later.isVisible():
        bar.setValue(bar.maximum())
        assert not view.is_at_end
        before = _read(view)
        await _settled(view, view.later)
        await turns()
        assert _stays(view, before)
        assert len(view.cards) <= 60
    bar.setValue(bar.maximum())
    assert view.is_at_end
    last = view.cards[-1]
    assert isinstance(last, ModelCard)
    assert last.entry.text.text == "answer 99"


async def test_what_is_said_meanwhile_is_built_when_a_person_goes_to_the_end(make: Make) -> None:
    entries = _long(100)
    view = make(entries, max_built=30)
    await _settled(view)
    for _ in range(3):
        await _settled(view, view.earlier)
    before = _read(view)
    entries.say("a new question")
    await _settled(view)
    await turns()
    assert view.card(entries.entries[-1]) is None
    assert _stays(view, before)
    assert not view.again.isVisible()
    view.go_to_end()
    await _settled(view)
    await turns()
    assert view.card(entries.entries[-1]) is not None
    assert view.is_at_end
    assert len(view.cards) <= 30
    assert not view.later.isVisible()
    entries.say("and another")
    await _settled(view)
    assert view.card(entries.entries[-1]) is not None


@pytest.mark.parametrize("steps", [1, 4])
async def test_a_place_is_shown_again_as_it_was(make: Make, steps: int) -> None:
    entries = _long(100)
    view = make(entries)
    await _settled(view)
    for _ in range(steps):
        await _settled(view, view.earlier)
    bar = view.verticalScrollBar()
    bar.setValue(bar.value() + 77)
    card, offset = _read(view)
    entries.entries.insert(3, NoticeEntry("said", "not stored"))  # the next time it is not there
    place = view.place
    del entries.entries[3]
    again = make(entries, place=place)
    await _settled(again)
    await turns()
    shown, same = _read(again)
    assert (shown.entry, same) == (card.entry, offset)
    assert len(again.cards) <= 2 * ENTRIES_AT_ONCE
    again.go_to_end()
    again.flush()
    assert again.is_at_end
    assert again.place is None


async def test_end_and_home_go_to_the_ends(make: Make) -> None:
    from PySide6.QtCore import Qt
    from PySide6.QtTest import QTest

    view = make(_long(30))
    await _settled(view)
    QTest.keyClick(view, Qt.Key.Key_Home)
    assert view.verticalScrollBar().value() == 0
    QTest.keyClick(view, Qt.Key.Key_End)
    assert view.is_at_end
