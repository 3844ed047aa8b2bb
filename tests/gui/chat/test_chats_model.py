from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

from desktop.agent.events import ApprovalAsked, ApprovalQuestion
from desktop.gui.chat.chats_model import ChatListModel
from desktop.gui.chat.entries import ToolCallEntry
from desktop.tool_types import ToolDefinition
from tests.gui.chat.conftest import setup, told

if TYPE_CHECKING:
    from desktop.gui.chat.desk import Chats
    from desktop.gui.theme import Theme

pytest_plugins = ("tests.gui.theme_fixture",)


async def test_a_row_says_title_state_and_model(theme: Theme, desk: Chats) -> None:
    chat = desk.new(setup())
    chat.title, chat.used = "A\ntitle", datetime(2020, 1, 2, tzinfo=UTC)
    model = ChatListModel(theme)
    model.show_chats([chat])
    assert model.data(model.index(0)).startswith("A title\n")
    assert model.data(model.index(0)).endswith(" · scripted-1")
    chat.phase = "running"
    assert model.data(model.index(0)) == "A title\nAt work…"
    question = ApprovalQuestion("1", ToolDefinition("s", "t"), {})
    chat.entries.apply(ApprovalAsked(question))
    assert model.data(model.index(0)) == "A title\nAsks for you"
    assert isinstance(chat.entries.entries[0], ToolCallEntry)


async def test_a_typed_title_is_announced_and_an_empty_one_is_not(
    theme: Theme, desk: Chats
) -> None:
    chat = desk.new(setup())
    chat.title = "Old"
    model = ChatListModel(theme)
    model.show_chats([chat])
    titles = told(model.renamed)
    assert model.data(model.index(0), Qt.ItemDataRole.EditRole) == "Old"
    assert model.setData(model.index(0), "  New\n title ")
    assert not model.setData(model.index(0), "   ")
    assert (titles, chat.title) == ([(chat, "New title")], "Old")


async def test_the_place_of_a_conversation_is_found(theme: Theme, desk: Chats) -> None:
    one, two = desk.new(setup()), desk.new(setup())
    model = ChatListModel(theme)
    model.show_chats([one, two])
    assert model.place(two).row() == 1
    assert not model.place(desk.new(setup())).isValid()
    assert not model.place(None).isValid()
