"""Tools that came after a conversation began are offered to the person, not to the model."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from desktop.features.chat.agent.session import NEW_TOOLS
from desktop.features.chat.gui.entries import NoticeEntry
from tests.features.chat.agent.scripted import says
from tests.features.chat.gui.conftest import idle
from tests.gui.waiting import happens
from tests.live_servers import reached, stdio

if TYPE_CHECKING:
    from desktop.core import Core
    from desktop.features.chat.gui.page import ChatPage
    from tests.features.chat.gui.conftest import FakeProviders


async def test_new_tools_wait_for_the_person(
    page: ChatPage, core: Core, providers: FakeProviders
) -> None:
    providers.model.steps += [says("one"), says("two"), says("three")]
    chat = page.new_chat()
    notice = page.view.kept_tools
    chat.ask("go")
    await idle(chat)
    core.store.add_server(stdio("list_changes"))
    await reached(core.service.connection("list_changes"), "connected")
    while notice.isHidden():
        await happens(page.view.head.counted)
    assert "New since then: list_changes:echo, list_changes:add_tool, … (4)" in notice.words.text()
    chat.ask("still?")
    await idle(chat)
    QTest.mouseClick(notice.action, Qt.MouseButton.LeftButton)
    assert notice.isHidden()
    chat.ask("and now?")
    await idle(chat)
    told = ["list_changes" in str(table.tools) for table in providers.model.tables]
    assert told == [False, False, True]
    said = [entry.sentence for entry in chat.entries.entries if isinstance(entry, NoticeEntry)]
    assert said == [NEW_TOOLS]
