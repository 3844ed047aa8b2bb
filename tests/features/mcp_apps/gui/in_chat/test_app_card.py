"""The app beside a result: a real server, the real page of tools, clicks, and a page by hand."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING, Any

import httpx2
import pytest
from PySide6.QtCore import QSettings, Qt, QUrl
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from desktop.features.chat.gui.call_card import CallCard
from desktop.features.chat.gui.entries import ToolCallEntry
from desktop.features.mcp_apps.bridge import ShownCall
from desktop.features.mcp_apps.gui.app_card import AppCard
from desktop.features.mcp_apps.gui.feature import AppCards
from desktop.gui.tools.page import ToolsPage
from desktop.history.records import Query
from desktop.values.tool_types import ErrorCode, ToolCall, failed
from tests.features.mcp_apps.looking import Looking, looking, script, until
from tests.features.mcp_apps.test_channel import HELLO, READY, Page
from tests.gui.waiting import happens, noted
from tests.patience import LIMIT

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme

LEFT = Qt.MouseButton.LeftButton
CALL: dict[str, Any] = {
    "jsonrpc": "2.0",
    "id": 2,
    "method": "tools/call",
    "params": {"name": "echo", "arguments": {"message": "hello"}},
}


@pytest.fixture
async def person(tmp_path: Path) -> AsyncGenerator[Looking]:
    still = script("hostile_app", "--what", "still")
    async with looking(tmp_path, with_browser=False, hostile=still, plain=script("plain")) as made:
        yield made


class Shown:
    """A card on the screen, and the addresses that it had opened."""

    def __init__(
        self, theme: Theme, person: Looking, shown: ShownCall, parent: QWidget | None = None
    ) -> None:
        self.opened: list[QUrl] = []
        self.has_browser = True
        self.card = AppCard(theme, person.apps, shown, parent, open_url=self._open)

    def _open(self, url: QUrl) -> bool:
        self.opened.append(url)
        return self.has_browser

    async def read(self) -> None:
        """Wait until the page is read, or could not be."""
        if self.card.state.text() == "Reading…":
            await happens(self.card.loaded)

    async def load(self, http: httpx2.AsyncClient) -> Page:
        """Be the browser that was sent there."""
        view = self.card.view
        assert view is not None
        page = Page(view, http)
        await page.open()
        await page.say(HELLO, READY)
        await until(view, lambda: view.phase == "open")
        return page


async def call(person: Looking, key: str = "hostile:show") -> ShownCall:
    result = await person.core.executor.run(ToolCall(key, {}))
    return ShownCall(person.core.registry.find(key).definition, {}, result)


@pytest.fixture
async def shown(person: Looking, theme: Theme, qtbot: QtBot) -> Shown:
    made = Shown(theme, person, await call(person))
    qtbot.addWidget(made.card)
    made.card.show()
    await made.read()
    return made


async def test_it_says_what_it_would_reach_before_anything_is_opened(shown: Shown) -> None:
    card = shown.card
    assert card.state.text() == "Not open"
    assert "https://api.example.com, https://cdn.example.com" in card.network.text()
    assert "Not possible: http://127.0.0.1:1" in card.network.text()
    assert card.allow.isVisible()
    assert not card.allow.isChecked()
    assert shown.opened == []
    assert card.view is None


async def test_a_click_opens_it_in_the_browser_without_any_network(shown: Shown) -> None:
    card = shown.card
    QTest.mouseClick(card.open, LEFT)
    assert card.view is not None
    assert [url.toString() for url in shown.opened] == [card.view.url]
    assert card.state.text() == "Waiting for the browser"
    assert card.copy.isVisible()
    async with httpx2.AsyncClient(trust_env=False) as http:
        page = await shown.load(http)
        assert card.state.text() == "Open in the browser"
        assert card.network.text().startswith("No network access")
        policy = (await http.get(page.frame)).headers["content-security-policy"]
    assert "connect-src 'none'" in policy
    QTest.mouseClick(card.close_view, LEFT)
    assert card.state.text() == "Closed"
    assert card.open.isVisible()


async def test_the_addresses_are_allowed_by_the_person_alone(shown: Shown) -> None:
    card = shown.card
    card.allow.setChecked(True)
    QTest.mouseClick(card.open, LEFT)
    async with httpx2.AsyncClient(trust_env=False) as http:
        page = await shown.load(http)
        policy = (await http.get(page.frame)).headers["content-security-policy"]
    assert "connect-src https://api.example.com" in policy
    assert card.network.text().startswith("Network access: https://api.example.com")


async def test_its_calls_ask_in_the_card_and_are_in_the_history(
    shown: Shown, person: Looking
) -> None:
    card = shown.card
    asked, written = noted(card.history_requested), asyncio.Event()
    person.core.history.changed.connect(written.set)
    QTest.mouseClick(card.open, LEFT)
    async with httpx2.AsyncClient(trust_env=False) as http:
        page = await shown.load(http)
        await page.hear(3)
        await page.say(CALL)
        view = card.view
        assert view is not None
        await until(view, lambda: bool(view.questions))
        assert card.state.text() == "Approval needed"
        panel = card.panels[0]
        assert panel.question.definition.key == "hostile:echo"
        assert not panel.once.hasFocus()
        panel.arm()
        QTest.mouseClick(panel.once, LEFT)
        (answer,) = await page.hear(1)
    assert answer["app"]["result"]["content"][0]["text"] == "hello"
    assert card.panels == ()
    assert card.calls.text() == "1 call, in the history"
    QTest.mouseClick(card.calls, LEFT)
    assert asked == [("hostile:show",)]
    async with asyncio.timeout(LIMIT):
        while not (calls := (await person.core.history.page(Query(origin="app"))).calls):
            await written.wait()
            written.clear()
    assert [call.key for call in calls] == ["hostile:echo"]


async def test_what_it_is_refused_is_said_once(shown: Shown) -> None:
    card = shown.card
    QTest.mouseClick(card.open, LEFT)
    async with httpx2.AsyncClient(trust_env=False) as http:
        page = await shown.load(http)
        pings = [{"jsonrpc": "2.0", "id": n, "method": "ping"} for n in range(500)]
        await page.say(*pings)
    assert card.notes.text() == "Refused: too many messages."


async def test_without_a_browser_the_address_can_be_copied(shown: Shown) -> None:
    shown.has_browser = False
    QTest.mouseClick(shown.card.open, LEFT)
    assert "No browser could be started" in shown.card.problem.text()
    assert shown.card.copy.isVisible()


async def test_a_page_that_is_none_is_said(person: Looking, theme: Theme, qtbot: QtBot) -> None:
    await person.core.service.connection("hostile").disconnect()
    shown = ShownCall(person_tool(), {}, failed("ServerError", "unused", ErrorCode.UNREACHABLE))
    made = Shown(theme, person, shown)
    qtbot.addWidget(made.card)
    made.card.show()
    await made.read()
    assert not made.card.open.isEnabled()
    assert made.card.problem.isVisible()


def person_tool() -> Any:
    from desktop.values.tool_types import Metadata, ToolDefinition

    meta = Metadata(raw={"ui": {"resourceUri": "ui://hostile/still"}})
    return ToolDefinition("hostile", "show", metadata=meta)


async def test_the_view_ends_with_its_card(person: Looking, theme: Theme, qtbot: QtBot) -> None:
    holder = QWidget()
    qtbot.addWidget(holder)
    made = Shown(theme, person, await call(person), holder)
    await made.read()
    QTest.mouseClick(made.card.open, LEFT)
    view = made.card.view
    assert view is not None
    made.card.deleteLater()
    await until(view, lambda: view.phase == "closed")
    assert person.apps.views == ()


async def test_a_tool_with_an_app_has_its_card_beside_the_result(
    person: Looking, theme: Theme, tmp_path: Path, qtbot: QtBot
) -> None:
    settings = QSettings(str(tmp_path / "window.ini"), QSettings.Format.IniFormat)
    core = person.core
    owner = QWidget()
    qtbot.addWidget(owner)
    apps = AppCards(theme, lambda: person.apps, core.registry, owner)
    page = ToolsPage(
        core.registry, core.executor, theme, settings, companion_of=partial(apps.card, None)
    )
    qtbot.addWidget(page)
    page.resize(1100, 800)
    page.show()
    for key, count in (("hostile:show", 1), ("plain:echo", 0)):
        page.show_tool(key)
        view = page.view
        assert view is not None
        view.run()
        while view.is_running:
            await happens(view.running_changed)
        assert len(view.findChildren(AppCard)) == count


async def test_in_chat_the_card_is_below_the_call(
    person: Looking, theme: Theme, qtbot: QtBot
) -> None:
    made = await call(person)
    entry = ToolCallEntry("1", "show", "hostile:show", state="done", result=made.result, elapsed=1)
    core = person.core
    card = CallCard(theme, entry)
    apps = AppCards(theme, lambda: person.apps, core.registry, card)
    qtbot.addWidget(card)
    with_app = CallCard(theme, entry, companion_of=partial(apps.card, None))
    qtbot.addWidget(with_app)
    assert card.companion is None
    assert isinstance(with_app.companion, AppCard)
