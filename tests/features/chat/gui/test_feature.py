"""Whole conversations through the real window, over each provider's wire and official client.

The model calls a tool of a server and one of a built-in of the conversation side by side; one is
denied, one fails, one brings a picture. Its answer arrives, and with the window everything ends.
"""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING

import psutil
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from desktop.app import WindowApp
from desktop.base.paths import Paths
from desktop.base.tasks import spawn
from desktop.features.chat.gui.call_card import CallCard
from desktop.features.chat.gui.early import PAGE
from desktop.features.chat.gui.entries import ModelEntry, ToolCallEntry
from desktop.features.chat.gui.message_list import ModelCard
from desktop.features.chat.gui.page import ChatPage
from desktop.features.chat.gui.providers_section import ProvidersSection
from desktop.features.chat.gui.signs import ChatBadge
from desktop.features.models.formats import ApiFormat
from desktop.gui.main_window import MainWindow
from desktop.gui.settings.page import SettingsPage
from desktop.gui.window_state import WindowState
from tests.features.chat.agent.scripted import calls
from tests.features.chat.gui.conftest import asked, card_of, idle, setup
from tests.features.models.loopback.script import Script, turn
from tests.features.models.loopback.server import Loopback
from tests.gui.waiting import turns
from tests.patience import LIMIT
from tests.server_commands import command

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from desktop.core import Core
    from desktop.features.chat.gui.chats import Chats
    from desktop.gui.page_factory import Pages
    from desktop.gui.theme import Theme
    from tests.features.chat.gui.conftest import FakeProviders


async def test_a_new_conversation_is_begun_from_anywhere(window: MainWindow, pages: Pages) -> None:
    (begin,) = (action for action in pages.navigation.actions if action.id == "new chat")
    begin.act()
    assert window.current_page == PAGE.id
    assert isinstance(window.page(PAGE.id), ChatPage)


@pytest.mark.parametrize("key", [Qt.Key.Key_L, Qt.Key.Key_N], ids=["message", "new"])
async def test_a_key_of_the_page_leads_from_the_rail_to_the_message(
    window: MainWindow, key: Qt.Key
) -> None:
    window.activateWindow()
    window.show_page(PAGE.id)
    page = window.page(PAGE.id)
    assert isinstance(page, ChatPage)
    await turns(6)
    button = window.rail.button(PAGE.id)
    button.setFocus()
    QTest.keyClick(button, key, Qt.KeyboardModifier.ControlModifier)
    async with asyncio.timeout(LIMIT):
        while not page.view.composer.edit.hasFocus():
            await turns()
    window.hide()


@pytest.mark.parametrize("width", [900, 1180, 1920])
async def test_no_row_of_the_settings_gets_less_height_than_its_words_take(
    window: MainWindow, width: int
) -> None:
    window.resize(width, 760)
    window.show()
    window.show_page("settings")
    page = window.page("settings")
    assert isinstance(page, SettingsPage)
    providers = page.section(ProvidersSection)
    assert providers is not None
    assert providers.rows
    async with asyncio.timeout(LIMIT):  # sections come a turn each, and each moves the rows
        while any(row.height() < row.minimumSizeHint().height() for row in providers.rows):
            await turns()


MULTIPLY = ("mcp__calculator__calculate", {"operation": "multiply", "a": 6, "b": 7})


async def test_the_rail_says_that_a_conversation_works_or_asks(
    qtbot: QtBot, theme: Theme, tmp_path: Path, desk: Chats, providers: FakeProviders
) -> None:
    from PySide6.QtWidgets import QWidget

    window = MainWindow(theme, WindowState(tmp_path / "state.ini"))
    qtbot.addWidget(window, before_close_func=lambda _: window.finish())
    window.add_page("chat", PAGE.title, "chat", QWidget)
    ChatBadge(window, desk, "chat")
    told: list[str] = []
    button = window.rail.button("chat")
    desk.changed.connect(lambda: told.append(button.accessibleDescription()))
    providers.model.steps.append(calls(MULTIPLY))
    chat = desk.new(setup())
    chat.ask("go")
    await asked(chat)
    assert "Calls that need approval: 1" in button.toolTip()
    chat.stop()
    await idle(chat)
    assert button.accessibleDescription() == ""
    assert "Running conversations: 1" in told


KINDS = {
    ApiFormat.OPENAI: {"kind": "openai", "api": "chat"},
    ApiFormat.OPENAI_RESPONSES: {"kind": "openai", "api": "responses"},
    ApiFormat.ANTHROPIC: {"kind": "anthropic"},
    ApiFormat.GEMINI: {"kind": "gemini"},
}
CALLS: list[tuple[str, dict[str, str]]] = [
    ("mcp__plain__image", {}),
    ("time__get_current_time", {"timezone": "Asia/Tokyo"}),
    ("mcp__plain__echo", {"text": "not this one"}),
    ("mcp__plain__fail", {}),
]


@pytest.fixture
def loopback() -> Iterator[Loopback]:
    with Loopback() as server:
        yield server


@pytest.fixture
async def running(
    tmp_path: Path, loopback: Loopback, request: pytest.FixtureRequest
) -> AsyncIterator[tuple[WindowApp, Core, asyncio.Task[None]]]:
    """The app with one server, one provider, and this conversation's setup remembered."""
    wire: ApiFormat = request.param
    program, arguments = command("plain")
    provider = {**KINDS[wire], "baseUrl": loopback.base_url(wire), "model": "a-model"}
    config = {
        "mcpServers": {"plain": {"command": program, "args": arguments}},
        "mcpDesktop": {"providers": {"loopback": provider}},
    }
    (tmp_path / "mcp.json").write_text(json.dumps(config), encoding="utf-8")
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    app = WindowApp(application, Paths(tmp_path / "mcp.json", tmp_path / "data"))
    ready: asyncio.Future[Core] = asyncio.get_running_loop().create_future()

    async def then(_: WindowApp, core: Core) -> None:
        ready.set_result(core)

    app.show()
    run = spawn(app.run(then), "app")
    yield app, await asyncio.wait_for(ready, LIMIT), run
    app.quit()
    await asyncio.wait_for(run, LIMIT)
    app.window.deleteLater()


def _choose(page: ChatPage) -> None:
    """The provider, and the built-in clock, as a person would."""
    head = page.view.head
    head.model.provider.setCurrentText("loopback")
    head.model.provider.activated.emit(head.model.provider.currentIndex())
    head.fold.click()
    builtins = head.panel.builtins
    for row in range(builtins.count()):
        if builtins.item(row).text().startswith("time"):
            builtins.item(row).setCheckState(Qt.CheckState.Checked)
    head.fold.click()


@pytest.mark.parametrize("running", list(KINDS), indirect=True, ids=[str(one) for one in KINDS])
async def test_a_conversation_from_question_to_answer(
    running: tuple[WindowApp, Core, asyncio.Task[None]], loopback: Loopback
) -> None:
    app, core, run = running
    script = Script([turn("Let me see.", CALLS), turn("All **done**.")])
    loopback.play(script)
    app.window.show_page("chat")
    page = app.window.page("chat")
    assert isinstance(page, ChatPage)
    _choose(page)
    QTest.keyClicks(page.view.composer.edit, "Go")
    QTest.keyClick(page.view.composer.edit, Qt.Key.Key_Return)
    chat = page.view.chat
    assert chat is not None
    await asked(chat, len(CALLS))
    await turns()
    processes = [one.process.pid for one in core.tracker.tracked]
    assert {one.owner for one in core.tracker.tracked} >= {"plain", "time"}
    for number, (name, _) in enumerate(CALLS):
        card = card_of(page, number, CallCard)
        assert isinstance(card, CallCard)
        assert card.question is not None
        card.question.arm()
        (card.question.deny if name.endswith("echo") else card.question.once).click()
    await idle(chat)

    made = [entry for entry in chat.entries.entries if isinstance(entry, ToolCallEntry)]
    assert [(one.key, one.state) for one in made] == [
        ("plain:image", "done"),
        ("time:get_current_time", "done"),
        ("plain:echo", "denied"),
        ("plain:fail", "failed"),
    ]
    picture = made[0].result
    assert picture is not None
    assert [one.mime for one in picture.content] == ["image/png"]
    said = [entry.text.text for entry in chat.entries.entries if isinstance(entry, ModelEntry)]
    assert said == ["Let me see.", "All **done**."]
    last = card_of(page, 1, ModelCard)
    assert isinstance(last, ModelCard)
    assert last.text.proses[0].toPlainText() == "All done."
    assert script.is_done
    app.window.close()
    await asyncio.wait_for(run, LIMIT)
    assert not any(psutil.pid_exists(pid) for pid in processes)
