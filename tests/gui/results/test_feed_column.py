from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel

from desktop.gui.results.content_cards import MAX_CARDS
from desktop.gui.results.feed import BlockPart, feed_of
from desktop.gui.results.feed_column import PARTS_A_TIME, FeedColumn, LinkCard
from desktop.gui.results.structured_view import StructuredView
from desktop.gui.results.view_settings import ViewSettings
from desktop.values.resource_types import ReadResult
from desktop.values.tool_types import Content, ErrorCode, ToolError, ToolResult
from tests.gui.waiting import noted, turns

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme

LEFT = Qt.MouseButton.LeftButton
LINK = Content("link", uri="demo://one", name="One", mime="text/plain")


class Server:
    """Answers what it is asked for."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.answer = ReadResult((Content("resource", text="what it says", uri="demo://one"),))

    async def __call__(self, uri: str, /) -> ReadResult:
        self.asked.append(uri)
        return self.answer


@pytest.fixture
def server() -> Server:
    return Server()


@pytest.fixture
def column(theme: Theme, server: Server, qtbot: QtBot) -> FeedColumn:
    made = FeedColumn(theme, ViewSettings(), reader=server, can_show=True)
    qtbot.addWidget(made)
    made.resize(600, 500)
    made.show()
    return made


def link(column: FeedColumn) -> LinkCard:
    column.show_parts(feed_of(ToolResult(success=True, content=(LINK,))))
    (card,) = column.parts
    assert isinstance(card, LinkCard)
    return card


async def test_a_link_is_read_through_the_server_and_opens_below_its_card(
    column: FeedColumn, server: Server
) -> None:
    card = link(column)
    assert server.asked == []
    QTest.mouseClick(card.open, LEFT)
    await turns()
    assert server.asked == ["demo://one"]
    assert card.feed is not None
    assert card.feed.text.editor.toPlainText() == "what it says"
    assert card.feed.isVisible()
    assert card.feed.y() > card.card.y()
    QTest.mouseClick(card.open, LEFT)
    assert not card.feed.isVisible()
    QTest.mouseClick(card.open, LEFT)
    await turns()
    assert card.feed.isVisible()
    assert server.asked == ["demo://one"]


async def test_a_link_opens_by_the_keyboard_and_json_is_shown_as_such(
    column: FeedColumn, server: Server
) -> None:
    server.answer = ReadResult((Content("resource", text='{"n": 1}', mime="application/json"),))
    card = link(column)
    card.open.setFocus()
    QTest.keyClick(card.open, Qt.Key.Key_Space)
    await turns()
    assert card.feed is not None
    assert isinstance(card.feed.parts[0], StructuredView)


async def test_a_link_that_cannot_be_read_says_why_and_can_be_tried_again(
    column: FeedColumn, server: Server
) -> None:
    error = ToolError("ServerError", "No <b>such</b> thing.", ErrorCode.TOOL_ERROR)
    server.answer = ReadResult(error=error)
    card = link(column)
    QTest.mouseClick(card.open, LEFT)
    await turns()
    assert card.problem.isVisible()
    assert card.problem.text() == "No <b>such</b> thing."
    assert card.problem.textFormat() == Qt.TextFormat.PlainText
    assert not card.open.isChecked()
    QTest.mouseClick(card.open, LEFT)
    await turns()
    assert len(server.asked) == 2


def test_a_link_can_be_shown_on_its_own_page(column: FeedColumn) -> None:
    asked = noted(column.resource_requested)
    QTest.mouseClick(link(column).read, LEFT)
    assert asked == [("demo://one",)]


def test_without_a_reader_a_link_is_only_named(theme: Theme, qtbot: QtBot) -> None:
    column = FeedColumn(theme, ViewSettings())
    qtbot.addWidget(column)
    column.show_parts([BlockPart(LINK)])
    assert not column.findChildren(LinkCard)


def test_more_parts_than_a_person_looks_at_are_counted(column: FeedColumn, qtbot: QtBot) -> None:
    column.show_parts([BlockPart(LINK)] * (MAX_CARDS + 3))
    assert len(column.parts) == PARTS_A_TIME, "the others come once the loop has had a turn"
    qtbot.waitUntil(lambda: len(column.parts) > MAX_CARDS)
    assert len(column.parts) == MAX_CARDS + 1
    last = column.parts[-1]
    assert isinstance(last, QLabel)
    assert last.text() == "3 more are not shown"


async def test_what_was_not_drawn_yet_is_forgotten_with_the_rest(column: FeedColumn) -> None:
    column.show_parts([BlockPart(LINK)] * MAX_CARDS)
    column.show_parts([BlockPart(LINK)] * (PARTS_A_TIME + 1))
    await turns()
    assert len(column.parts) == PARTS_A_TIME + 1
    column.show_parts([BlockPart(LINK)] * 2)
    await turns()
    assert len(column.parts) == 2


def test_a_short_text_among_others_has_no_row_of_tools(column: FeedColumn) -> None:
    content = (Content("text", "short"), LINK, Content("text", "line\n" * 9))
    column.show_parts(feed_of(ToolResult(success=True, output="…", content=content)))
    assert not column.text.bar.isVisible()
    long = column.parts[2]
    assert long is not column.text
    assert column.text.height() < long.height()
