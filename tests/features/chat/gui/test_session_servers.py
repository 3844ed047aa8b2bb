"""Which servers a conversation can have for itself, and what they are started with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

from builtin_servers.catalog import CATALOG
from desktop.features.chat.agent.agent import Agent
from desktop.features.chat.agent.session_info import Builtin
from desktop.features.chat.gui.chat import Chat
from desktop.features.chat.gui.entries import NoticeEntry
from desktop.features.chat.gui.feature import ChatFeature
from desktop.features.chat.gui.tools_panel import access_label
from desktop.features.window import rail_pages
from desktop.gui.main_window import MainWindow
from desktop.gui.page_factory import Pages
from desktop.gui.window_state import WindowState
from tests.features.chat.agent.scripted import says
from tests.features.chat.gui.conftest import idle, setup
from tests.live_servers import stdio

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from desktop.core import Core
    from desktop.gui.theme import Theme
    from tests.features.chat.gui.conftest import FakeProviders


def faults(chat: Chat) -> list[str]:
    return [entry.sentence for entry in chat.entries.entries if isinstance(entry, NoticeEntry)]


async def test_a_server_of_the_persons_own_is_started_for_the_conversation_alone(
    core: Core, providers: FakeProviders
) -> None:
    core.store.add_server(stdio("plain", name="mine", enabled=False))
    providers.model.steps.append(says("hello"))
    chat = Chat(core.part(Agent).sessions, providers, setup(builtins=(Builtin("mine"),)))
    chat.ask("hello")
    await idle(chat)
    assert chat.session is not None
    assert chat.session.tools.registry.get("mine:echo") is not None
    assert "mine__echo" in str(providers.model.tables[0].declarations)
    assert core.service.connections["mine"].pid is None  # the one that all share is off
    owned = [one for one in core.tracker.tracked if one.owner == "mine"]
    assert len(owned) == 1
    await chat.close()
    assert not [one for one in core.tracker.tracked if one.owner == "mine"]


async def test_files_without_a_folder_begin_no_conversation_and_those_of_the_page_are_taken(
    core: Core, providers: FakeProviders, tmp_path: Path
) -> None:
    chat = Chat(core.part(Agent).sessions, providers, setup(builtins=(Builtin("filesystem"),)))
    chat.ask("hello")
    await idle(chat)
    assert "was given nothing that it may use" in faults(chat)[0]
    assert (chat.session, chat.is_begun) == (None, False)
    assert not [one for one in core.tracker.tracked if one.owner == "filesystem"]
    core.store.set_arguments("filesystem", ["--read-only", str(tmp_path)])
    providers.model.steps.append(says("hello"))
    chat.ask("again")
    await idle(chat)
    assert chat.session is not None
    (files,) = chat.session.tools.connections
    assert files.config.args == ("--read-only", str(tmp_path))
    await chat.close()


async def test_the_panel_offers_both_and_shows_what_the_servers_page_set(
    core: Core, qtbot: QtBot, theme: Theme, tmp_path: Path
) -> None:
    core.store.add_server(stdio("plain", name="mine", enabled=False))
    core.store.set_arguments("filesystem", [str(tmp_path)])
    window = MainWindow(theme, WindowState(tmp_path / "state.ini"))
    qtbot.addWidget(window, before_close_func=lambda _: window.finish())
    pages = Pages(window, rail_pages())
    pages.follow(core)
    feature = pages.part(ChatFeature)
    page = feature.make_page()
    qtbot.addWidget(page)
    head = page.view.head
    chat = feature.chats.new(setup(builtins=(Builtin("filesystem"), Builtin("mine"))))
    head.show_chat(chat)
    head.fold.click()
    listed = head.panel.builtins
    names = [listed.item(row).text().split(" · ")[0] for row in range(listed.count())]
    assert names == [*CATALOG, "mine"]
    checked = [
        listed.item(row).checkState() == Qt.CheckState.Checked for row in range(listed.count())
    ]
    assert [name for name, is_on in zip(names, checked, strict=True) if is_on] == [
        "filesystem",
        "mine",
    ]
    files, mine = head.panel.rows
    assert files.edit.text() == str(tmp_path)
    assert "mine starts once more" in mine.words.text()
    await pages.close()


def test_a_server_of_the_persons_own_is_not_called_harmless() -> None:
    assert "no access" not in access_label(Builtin("mine"))
