"""A person signs in where the error stands: they see whose page opens, and what went wrong."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import httpx2
import pytest
from PySide6.QtCore import QObject, Qt, QUrl, QUrlQuery, Slot
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtTest import QTest

from desktop.base.tasks import spawn
from desktop.gui.servers.server_dialog import RemoveDialog
from desktop.gui.servers.sign_in_view import SignInStepsDialog
from desktop.gui.theme import space
from tests.config.keyring_backend import MemoryKeyring, use
from tests.gui.waiting import turns
from tests.http_stub import serving
from tests.oauth_stub import Authorization
from tests.patience import LIMIT

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Generator

    from PySide6.QtWidgets import QPushButton

    from desktop.gui.servers.sign_in_view import SignInView
    from tests.gui.servers.conftest import OpenPanel, Panel

LEFT = Qt.MouseButton.LeftButton
FULLY_DECODED = QUrl.ComponentFormattingOption.FullyDecoded


class TestBrowser(QObject):
    """Goes where Qt would send the system's browser, and follows what it is told there."""

    __test__ = False

    def __init__(self) -> None:
        super().__init__()
        self.visited: list[str] = []
        self.pages: list[str] = []

    @Slot(QUrl)
    def show(self, url: QUrl) -> None:
        self.visited.append(url.host())
        spawn(self._visit(url.toString(QUrl.ComponentFormattingOption.FullyEncoded)), "visit")

    async def _visit(self, url: str) -> None:
        async with httpx2.AsyncClient(follow_redirects=True) as client:
            self.pages.append((await client.get(url)).text)


@pytest.fixture
def browser() -> Generator[TestBrowser]:
    made = TestBrowser()
    # Qt takes a text alone, whatever its types say.
    QDesktopServices.setUrlHandler("http", made, "show")  # pyright: ignore[reportArgumentType]
    yield made
    QDesktopServices.unsetUrlHandler("http")


@pytest.fixture
def keyring(monkeypatch: pytest.MonkeyPatch) -> MemoryKeyring:
    made = MemoryKeyring()
    use(monkeypatch, made)
    return made


@pytest.fixture
async def guarded() -> AsyncGenerator[Authorization]:
    async with serving() as stub:
        yield Authorization(stub)


@pytest.fixture
async def panel(guarded: Authorization, keyring: MemoryKeyring, open_panel: OpenPanel) -> Panel:
    made = open_panel({"web": {"type": "http", "url": guarded.stub.config().url}})
    await made.until_words("web", "Sign-in needed")
    return made


def shown(view: SignInView) -> list[str]:
    """The words and the buttons that a person sees."""
    parts = (view.begin, view.open, view.copy, view.cancel, view.steps, view.sign_out)
    words = [] if view.words.isHidden() else [view.words.text()]
    return [] if view.isHidden() else words + [b.text() for b in parts if not b.isHidden()]


def steps_of(dialog: SignInStepsDialog) -> list[str]:
    lines = map(dialog.list.topLevelItem, range(dialog.list.topLevelItemCount()))
    return [line.text(0) for line in lines if line is not None]


async def reach(view: SignInView, button: QPushButton) -> None:
    """Wait until a button is offered."""
    assert view.attempt is not None
    news = asyncio.Event()
    end = view.attempt.changed.connect(news.set)
    async with asyncio.timeout(LIMIT):
        while button.isHidden():
            news.clear()
            await news.wait()
    end()


async def is_open(port: int) -> bool:
    try:
        _, writer = await asyncio.open_connection("127.0.0.1", port)
    except OSError:
        return False
    writer.close()
    return True


async def begun(panel: Panel) -> SignInView:
    """The view when the page to sign in at is known, asked for with the keys."""
    await panel.activate()
    view = panel.page.sign_in
    assert shown(view) == ["Sign in…"]
    assert "Sign in below" in panel.page.details.error.text  # a terminal gets its command
    view.begin.setFocus()
    QTest.keyClick(view.begin, Qt.Key.Key_Space)
    await reach(view, view.open)
    assert view.open.hasFocus()
    return view


async def test_a_person_sees_whose_page_opens_and_the_server_goes_on_by_itself(
    panel: Panel, guarded: Authorization, browser: TestBrowser
) -> None:
    view = await begun(panel)
    host = guarded.stub.address.removeprefix("http://")
    assert shown(view)[0] == f"Sign in at {host}. The page opens in your browser."
    assert browser.visited == []
    QTest.mouseClick(view.open, LEFT)
    assert shown(view)[0].startswith(f"Waiting for your sign-in at {host}, until ")
    assert shown(view)[1:] == ["Open again", "Copy address", "Cancel"]
    await panel.until_words("web", "Connected")
    assert browser.visited == ["127.0.0.1"]
    assert shown(view) == [f"Signed in at {host}.", "Another account…", "Sign out"]
    assert "prompt" not in guarded.asked[0]


async def test_another_account_is_asked_for_and_signing_out_asks_again(
    panel: Panel, guarded: Authorization, browser: TestBrowser, keyring: MemoryKeyring
) -> None:
    view = await begun(panel)
    QTest.mouseClick(view.open, LEFT)
    await panel.until_words("web", "Connected")
    QTest.mouseClick(view.begin, LEFT)
    await reach(view, view.open)
    QTest.mouseClick(view.open, LEFT)
    await panel.until(lambda: len(guarded.tokens) == 2 and view.attempt is None)
    await panel.until_words("web", "Connected")
    assert guarded.asked[1]["prompt"] == "login"
    QTest.mouseClick(view.sign_out, LEFT)
    await panel.until_words("web", "Sign-in needed")
    assert keyring.kept == {}
    assert shown(view) == ["Sign in…"]


async def test_a_sign_in_that_fails_says_why_and_shows_its_steps_without_secrets(
    panel: Panel, guarded: Authorization, browser: TestBrowser
) -> None:
    guarded.metadata["token_endpoint"] = f"{guarded.stub.address}/nowhere"
    view = await begun(panel)
    QTest.mouseClick(view.open, LEFT)
    await reach(view, view.steps)
    assert shown(view)[1:] == ["Try again", "Close", "Steps…"]
    assert "did not issue a token" in shown(view)[0]
    QTest.mouseClick(view.steps, LEFT)
    (dialog,) = view.findChildren(SignInStepsDialog)
    assert steps_of(dialog) == [
        *("The server refused", "Metadata of the server", "Metadata of the sign-in"),
        *("Register this app", "Sign-in page", "Back from the browser", "Get the tokens"),
    ]
    chosen = dialog.list.currentItem()
    assert chosen is not None
    assert (chosen.text(0), chosen.text(2)) == ("Get the tokens", "404")
    assert dialog.list.allColumnsShowFocus()  # the ring is around the row
    letters, row = dialog.list.fontMetrics().height(), dialog.list.visualItemRect(chosen).height()
    assert row >= letters + 2 * space(1)
    assert "Status 200 and JSON with access_token" in dialog.whole.toPlainText()
    QTest.mouseClick(dialog.copy, LEFT)
    copied = QGuiApplication.clipboard().text()
    assert "did not issue a token" in copied
    assert "canary" not in copied
    QTest.mouseClick(dialog.end, LEFT)
    QTest.mouseClick(view.cancel, LEFT)
    assert shown(view) == ["Sign in…"]


async def test_a_cancelled_sign_in_leaves_nothing_and_its_page_is_gone(
    panel: Panel, guarded: Authorization
) -> None:
    view = await begun(panel)
    QTest.mouseClick(view.copy, LEFT)
    address = QUrl(QGuiApplication.clipboard().text())
    assert address.path() == "/authorize"
    QTest.mouseClick(view.cancel, LEFT)
    assert shown(view) == ["Sign in…"]
    back = QUrl(QUrlQuery(address).queryItemValue("redirect_uri", FULLY_DECODED))
    async with asyncio.timeout(LIMIT):
        while await is_open(back.port()):
            await turns()
    assert guarded.forms == []


async def test_a_server_that_is_removed_takes_its_sign_in_along(
    panel: Panel, guarded: Authorization, browser: TestBrowser, keyring: MemoryKeyring
) -> None:
    view = await begun(panel)
    QTest.mouseClick(view.open, LEFT)
    await panel.until_words("web", "Connected")
    assert keyring.kept
    panel.page.details.remove.trigger()
    (dialog,) = panel.page.findChildren(RemoveDialog)
    QTest.mouseClick(dialog.act, LEFT)
    async with asyncio.timeout(LIMIT):
        await guarded.was_revoked.wait()
    assert keyring.kept == {}
    assert guarded.revoked == ["canary-refresh-1"]
