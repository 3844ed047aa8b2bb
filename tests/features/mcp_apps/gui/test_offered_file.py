"""A file of an app: asked for beside the app, saved by a person where they say, or not at all."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Any

import httpx2
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from desktop.features.mcp_apps.bridge import ShownCall
from desktop.features.mcp_apps.gui.app_card import AppCard
from desktop.values.tool_types import ToolCall
from tests.features.mcp_apps.looking import looking, script, until
from tests.features.mcp_apps.test_channel import HELLO, READY, Page
from tests.gui.waiting import happens

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator
    from pathlib import Path

    from PySide6.QtCore import QUrl
    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme
    from tests.conftest import ExpectedLogs

LEFT = Qt.MouseButton.LeftButton


def download(*contents: Any, number: int = 2) -> dict[str, Any]:
    params = {"contents": list(contents)}
    return {"jsonrpc": "2.0", "id": number, "method": "ui/download-file", "params": params}


def file(uri: str, **content: str) -> dict[str, Any]:
    return {"type": "resource", "resource": {"uri": uri, **content}}


class Opened:
    """A card with an open app, and the page of it."""

    def __init__(self, card: AppCard, page: Page) -> None:
        self.card, self.page = card, page
        assert card.view is not None
        self.view = card.view

    async def ask(self, *contents: Any) -> None:
        await self.page.say(download(*contents))
        await until(self.view, lambda: self.view.download is not None)

    async def answer(self) -> Any:
        """What the app is told, after its hello and its call."""
        told = (await self.page.hear(4))[3]["app"]
        return told.get("result", told.get("error"))


@pytest.fixture
async def opened(theme: Theme, tmp_path: Path, qtbot: QtBot) -> AsyncGenerator[Opened]:
    def no_browser(_: QUrl) -> bool:
        return True

    still = script("hostile_app", "--what", "still")
    async with looking(tmp_path, with_browser=False, hostile=still) as person:
        result = await person.core.executor.run(ToolCall("hostile:show", {}))
        tool = person.core.registry.find("hostile:show").definition
        card = AppCard(theme, person.apps, ShownCall(tool, {}, result), open_url=no_browser)
        qtbot.addWidget(card)
        card.show()
        await happens(card.loaded)
        QTest.mouseClick(card.open, LEFT)
        view = card.view
        assert view is not None
        async with httpx2.AsyncClient(trust_env=False) as http:
            page = Page(view, http)
            await page.open()
            await page.say(HELLO, READY)
            await until(view, lambda: view.phase == "open")
            yield Opened(card, page)


async def test_a_person_saves_it_where_they_say_under_a_harmless_name(
    opened: Opened, tmp_path: Path
) -> None:
    blob = base64.b64encode(b"\0one").decode()
    await opened.ask(file("file:///../../etc/cron\u202e.d/..\\evil.bin", blob=blob))
    row = opened.card.download
    assert row is not None
    assert row.name == "evil.bin"
    assert "evil.bin, 4 B" in row.words.text()
    assert opened.card.state.text() == "Approval needed"
    assert not row.save.hasFocus()
    QTest.mouseClick(row.save, LEFT)
    assert row.dialog is not None
    row.dialog.fileSelected.emit(str(tmp_path / "mine.bin"))
    assert await opened.answer() == {}
    assert (tmp_path / "mine.bin").read_bytes() == b"\0one"
    assert opened.card.download is None


async def test_what_a_person_denies_is_written_nowhere(opened: Opened) -> None:
    await opened.ask(file("ui://x/a.txt", text="one"))
    assert opened.card.download is not None
    QTest.mouseClick(opened.card.download.deny, LEFT)
    assert await opened.answer() == {"isError": True}


async def test_what_cannot_be_written_is_told_to_both(
    opened: Opened, tmp_path: Path, expected_logs: ExpectedLogs
) -> None:
    expected_logs.expect("not saved: .*a.txt cannot be written")
    await opened.ask(file("ui://x/a.txt", text="one"))
    row = opened.card.download
    assert row is not None
    QTest.mouseClick(row.save, LEFT)
    assert row.dialog is not None
    (tmp_path / "taken").write_bytes(b"")
    row.dialog.fileSelected.emit(str(tmp_path / "taken" / "a.txt"))
    assert await opened.answer() == {"isError": True}


async def test_a_link_is_read_at_the_server_of_the_app(opened: Opened) -> None:
    await opened.ask({"type": "resource_link", "uri": "ui://hostile/still", "name": "page"})
    row = opened.card.download
    assert row is not None
    assert row.name == "page.html"
    assert b"Hostile" in row.download.content


async def test_a_file_that_waits_goes_with_its_app(opened: Opened) -> None:
    await opened.ask(file("ui://x/a.txt", text="one"))
    QTest.mouseClick(opened.card.close_view, LEFT)
    await opened.view.closed()
    assert opened.card.download is None


@pytest.mark.parametrize(
    "contents",
    [
        [],
        [7],
        [{"type": "text", "text": "x"}],
        [{"type": "resource", "resource": {"uri": "x"}}],
        [file("x", blob="no base64!")],
        [{"type": "resource_link"}],
        [{"type": "resource", "resource": {"uri": 7, "text": ""}}],
        [file("x", text="")] * 6,
    ],
)
async def test_what_is_no_file_is_refused(opened: Opened, contents: list[Any]) -> None:
    await opened.page.say(download(*contents))
    assert (await opened.answer())["code"] == -32602
    assert opened.card.download is None
