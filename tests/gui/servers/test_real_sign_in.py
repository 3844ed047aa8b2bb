"""A person signs in at an authorization server that nobody here wrote, in a real browser."""

from __future__ import annotations

import asyncio
import os
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QObject, Qt, QUrl, Slot
from PySide6.QtGui import QDesktopServices
from PySide6.QtTest import QTest

from desktop.base.tasks import spawn
from desktop.values.tool_types import ToolCall
from tests import peers
from tests.config.keyring_backend import MemoryKeyring, use
from tests.peers import guarded_server
from tests.peers.guarded_server import AGREE, SIGN_IN

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from desktop.core import Core
    from desktop.servers.oauth.device import DeviceCode
    from desktop.values.tool_types import ToolResult
    from tests.gui.servers.conftest import OpenPanel, Panel

pytestmark = [
    pytest.mark.real_servers,
    peers.needs_authorization_server,
    peers.needs_playwright,
]
LEFT = Qt.MouseButton.LeftButton
LIMIT = 60.0


class Chromium(QObject):
    """The browser of the machine, led by the Playwright server through the app itself."""

    def __init__(self, core: Core) -> None:
        super().__init__()
        self._core = core
        self.signing_in: asyncio.Task[None] | None = None

    @Slot(QUrl)
    def show(self, url: QUrl) -> None:
        address = url.toString(QUrl.ComponentFormattingOption.FullyEncoded)
        self.signing_in = spawn(self.agree(address), "sign in")

    async def agree(self, url: str) -> None:
        """Do what a person does at the page to sign in at."""
        await self.visit(url)
        await self.do("Sign-in", SIGN_IN)
        await self.do("Authorize", AGREE)
        await self.reach("Signed in")

    async def visit(self, url: str) -> None:
        await self._run("browser_navigate", url=url)

    async def reach(self, text: str) -> None:
        """Wait until the page says so."""
        await self._run("browser_wait_for", text=text)

    async def do(self, text: str, script: str) -> None:
        """Run a script on the page that has a text."""
        await self.reach(text)
        await self._run("browser_evaluate", function=script)

    async def _run(self, tool: str, **arguments: object) -> ToolResult:
        result = await self._core.executor.run(ToolCall(f"browser:{tool}", arguments))
        assert result.success, result
        return result


@pytest.fixture
def guarded() -> Iterator[tuple[str, str]]:
    with guarded_server.serving() as addresses:
        yield addresses


@pytest.fixture
async def panel(
    guarded: tuple[str, str],
    open_panel: OpenPanel,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Panel:
    use(monkeypatch, MemoryKeyring())
    command, *args = peers.playwright_command()
    browser = {"command": command, "args": args, "cwd": str(tmp_path)}
    made = open_panel({"web": {"url": guarded[0]}, "browser": browser}, dict(os.environ))
    await made.until_words("web", "Sign-in needed")
    await made.until_words("browser", "Connected")
    return made


async def test_the_window_sends_a_person_to_the_page_and_goes_on_when_they_are_back(
    panel: Panel, guarded: tuple[str, str]
) -> None:
    view, chromium = panel.page.sign_in, Chromium(panel.core)
    # Qt takes a text alone, whatever its types say.
    QDesktopServices.setUrlHandler("http", chromium, "show")  # pyright: ignore[reportArgumentType]
    QTest.mouseClick(view.begin, LEFT)
    attempt = view.attempt
    assert attempt is not None
    news = asyncio.Event()
    attempt.changed.connect(news.set)
    async with asyncio.timeout(LIMIT):
        while attempt.phase != "ready":
            news.clear()
            await news.wait()
    assert guarded[1].removeprefix("http://") in view.words.text()
    QTest.mouseClick(view.open, LEFT)
    await panel.until_words("web", "Connected")
    QDesktopServices.unsetUrlHandler("http")
    assert chromium.signing_in is not None
    await asyncio.wait_for(chromium.signing_in, LIMIT)
    result = await panel.core.executor.run(ToolCall("web:greet", {"name": "Ada"}))
    assert result.output == "Hello, Ada!"
    held = panel.core.service.sign_ins.store.known("web")
    assert held is not None
    assert held.scope == "greet"
    assert await panel.core.service.sign_ins.renew(panel.core.store.servers["web"], held)
    assert await panel.core.service.sign_out("web")


async def test_a_code_is_typed_in_on_another_device(panel: Panel) -> None:
    chromium = Chromium(panel.core)
    typing: list[asyncio.Task[None]] = []

    async def type_in(code: DeviceCode) -> None:
        await chromium.visit(code.whole_url)
        await chromium.do(code.code, AGREE)
        await chromium.do("Sign-in", SIGN_IN)
        await chromium.do("Authorize", AGREE)
        await chromium.reach("Success")

    def tell(code: DeviceCode) -> None:
        typing.append(spawn(type_in(code), "type in"))

    await asyncio.wait_for(panel.core.service.sign_in("web", device=tell), LIMIT)
    await panel.until_words("web", "Connected")
    await asyncio.wait_for(typing[0], LIMIT)
