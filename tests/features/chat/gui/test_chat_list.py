from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit

from desktop.features.chat.agent.events import ApprovalAsked
from desktop.features.chat.gui.entries import ToolCallEntry
from desktop.features.chat.gui.page import ChatList, ChatListModel
from desktop.tools.approvals import ApprovalQuestion
from desktop.values.tool_types import ToolDefinition
from tests.features.chat.gui.conftest import setup, told
from tests.gui.waiting import turns

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from desktop.features.chat.gui.chat import Chat
    from desktop.features.chat.gui.chats import Chats
    from desktop.gui.theme import Theme


async def test_a_row_says_title_state_and_model(theme: Theme, desk: Chats) -> None:
    chat = desk.new(setup())
    chat.title, chat.used = "A\ntitle", datetime(2020, 1, 2, tzinfo=UTC)
    model = ChatListModel(theme)
    model.show_chats([chat])
    assert model.data(model.index(0)).startswith("A title\n")
    assert model.data(model.index(0)).endswith(" · scripted-1")
    chat.phase = "running"
    assert model.data(model.index(0)) == "A title\nWorking…"
    question = ApprovalQuestion("1", ToolDefinition("s", "t"), {})
    chat.entries.apply(ApprovalAsked(question))
    assert model.data(model.index(0)) == "A title\nNeeds approval"
    assert isinstance(chat.entries.entries[0], ToolCallEntry)


async def test_a_typed_title_is_announced_and_an_empty_one_is_not(
    theme: Theme, desk: Chats
) -> None:
    chat = desk.new(setup())
    chat.title = "Old"
    model = ChatListModel(theme)
    model.show_chats([chat])
    titles = told(model.rename_requested)
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


LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
async def chats(desk: Chats) -> list[Chat]:
    made = [desk.new(setup()), desk.new(setup())]
    for number, chat in enumerate(made):
        chat.title = f"chat {number}"
    return made


@pytest.fixture
async def view(qtbot: QtBot, theme: Theme, chats: list[Chat]) -> ChatList:
    made = ChatList(theme)
    qtbot.addWidget(made)
    made.resize(260, 400)
    made.show()
    made.show_chats(chats, None)
    return made


async def test_arrow_keys_and_clicks_choose(view: ChatList, chats: list[Chat]) -> None:
    chosen: list[Chat] = []
    view.chat_requested.connect(chosen.append)
    QTest.mouseClick(
        view.view.viewport(), LEFT, pos=view.view.visualRect(view.model.index(1)).center()
    )
    QTest.keyClick(view.view, Qt.Key.Key_Up)
    assert chosen == [chats[1], chats[0]]


async def test_selecting_from_outside_is_not_announced(view: ChatList, chats: list[Chat]) -> None:
    chosen: list[Chat] = []
    view.chat_requested.connect(chosen.append)
    view.select(chats[1])
    assert (view.current, chosen) == (chats[1], [])
    view.select(None)
    assert view.current is None


async def test_f2_renames_in_place(view: ChatList, chats: list[Chat]) -> None:
    news = told(view.rename_requested)
    view.select(chats[0])
    view.rename.trigger()
    edit = view.view.findChild(QLineEdit)
    assert edit is not None
    assert edit.text() == "chat 0"
    edit.setText("better")
    QTest.keyClick(edit, Qt.Key.Key_Return)
    await turns()
    assert news == [(chats[0], "better")]


async def test_deleting_asks_first(view: ChatList, chats: list[Chat]) -> None:
    deleted: list[Chat] = []
    view.delete_requested.connect(deleted.append)
    assert view.ask_delete() is None
    view.select(chats[1])
    dialog = view.ask_delete()
    assert dialog is not None
    assert "chat 1" in dialog.question.text()
    dialog.cancel.click()
    dialog = view.ask_delete()
    assert dialog is not None
    dialog.act.click()
    assert deleted == [chats[1]]


async def test_the_menu_of_a_row_has_what_can_be_done(view: ChatList, chats: list[Chat]) -> None:
    assert view.open_menu(QPoint(5, 390)) is None
    view.select(chats[0])
    menu = view.open_menu(view.view.visualRect(view.model.index(0)).center())
    assert menu is not None
    words = [action.text() for action in menu.actions() if action.text()]
    assert words == ["Rename", "Export…", "Show its file", "Stop its servers", "Delete…"]
    assert not view.end.isEnabled()
    menu.close()


async def test_an_empty_list_says_what_comes_into_it(view: ChatList, chats: list[Chat]) -> None:
    assert not view.hint.isVisible()
    view.show_chats([], None)
    assert view.hint.isVisible()
    assert "No conversations yet" in view.hint.text()
    view.show_chats(chats, chats[0])
    assert not view.hint.isVisible()
