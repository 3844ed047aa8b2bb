from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from desktop.agent.session_info import Builtin
from desktop.gui.chat.chat_head import ChatHeader
from desktop.llm.tool_choice import ToolChoice
from tests.gui.chat.conftest import LIMIT, setup

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from desktop.core import Core
    from desktop.gui.chat.chat import ChatSettings
    from desktop.gui.chat.desk import Chats
    from desktop.gui.theme import Theme

pytest_plugins = ("tests.gui.theme_fixture",)


async def test_it_says_what_the_tools_cost_and_changes_the_setup(
    qtbot: QtBot, theme: Theme, desk: Chats, core: Core
) -> None:
    head = ChatHeader(theme, desk.providers, core.registry, lambda: {"time": "tells it"})
    qtbot.addWidget(head)
    head.show()
    chat = desk.new(setup())
    told: list[ChatSettings] = []
    head.setup_changed.connect(told.append)
    counted = asyncio.Event()
    head.counted.connect(counted.set)
    head.show_chat(chat)
    assert head.fold.text() == "Tools: …"
    await asyncio.wait_for(counted.wait(), LIMIT)
    assert head.fold.text().startswith("Tools: 2 · about ")
    head.fold.click()
    assert head.panel.isVisible()
    assert "(an estimate)" in head.panel.cost.text()
    head.panel.off.click()
    assert told[-1].choice == ToolChoice("off")
    chat.choose(told[-1])
    counted.clear()
    head.show_chat(chat)
    await asyncio.wait_for(counted.wait(), LIMIT)
    assert head.fold.text() == "Tools: 0"


async def test_another_conversation_is_not_shown_with_the_count_of_the_last(
    qtbot: QtBot, theme: Theme, desk: Chats, core: Core
) -> None:
    head = ChatHeader(theme, desk.providers, core.registry, dict)
    qtbot.addWidget(head)
    head.show()
    counted = asyncio.Event()
    head.counted.connect(counted.set)
    head.show_chat(desk.new(setup()))
    await asyncio.wait_for(counted.wait(), LIMIT)

    head.show_chat(desk.new(setup(choice=ToolChoice("off"))))

    assert head.fold.text() == "Tools: …"
    counted.clear()
    await asyncio.wait_for(counted.wait(), LIMIT)
    assert head.fold.text() == "Tools: 0"


async def test_a_built_in_server_is_given_another_folder_than_the_config_gives(
    qtbot: QtBot, theme: Theme, desk: Chats, core: Core
) -> None:
    head = ChatHeader(
        theme,
        desk.providers,
        core.registry,
        lambda: {"filesystem": "files"},
        configured=lambda name: ("/configured",) if name == "filesystem" else (),
    )
    qtbot.addWidget(head)
    head.show()
    told: list[ChatSettings] = []
    head.setup_changed.connect(told.append)
    head.show_chat(desk.new(setup(builtins=(Builtin("filesystem"),))))
    head.fold.click()
    (row,) = head.panel.rows
    assert "/configured" in row.words.text()

    row.take("/mine")

    assert told[-1].builtins == (Builtin("filesystem", ("/mine",)),)
