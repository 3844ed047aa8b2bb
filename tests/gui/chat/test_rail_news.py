from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.gui.chat.rail_news import ChatBadge
from desktop.gui.main_window import MainWindow
from desktop.gui.rail import CHAT
from desktop.gui.window_state import WindowState
from tests.agent.scripted import calls
from tests.gui.chat.conftest import asked, idle, setup

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from desktop.gui.chat.desk import Chats
    from desktop.gui.theme import Theme
    from tests.gui.chat.conftest import FakeProviders

pytest_plugins = ("tests.gui.theme_fixture",)

MULTIPLY = ("mcp__calculator__calculate", {"operation": "multiply", "a": 6, "b": 7})


async def test_the_rail_says_that_a_conversation_works_or_asks(
    qtbot: QtBot, theme: Theme, tmp_path: Path, desk: Chats, providers: FakeProviders
) -> None:
    from PySide6.QtWidgets import QWidget

    window = MainWindow(theme, WindowState(tmp_path / "state.ini"))
    qtbot.addWidget(window, before_close_func=lambda _: window.finish())
    window.add_page("chat", CHAT, "chat", QWidget)
    ChatBadge(window, desk, "chat")
    told: list[str] = []
    button = window.rail.button("chat")
    desk.changed.connect(lambda: told.append(button.accessibleDescription()))
    providers.model.steps.append(calls(MULTIPLY))
    chat = desk.new(setup())
    chat.ask("go")
    await asked(chat)
    assert "Calls that ask for you: 1" in button.toolTip()
    chat.stop()
    await idle(chat)
    assert button.accessibleDescription() == ""
    assert "Conversations at work: 1" in told
