from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from desktop.gui.requests.url_view import UrlView
from desktop.servers.requests import Accepted
from tests.gui.requests.asked import visit
from tests.gui.waiting import noted

if TYPE_CHECKING:
    from PySide6.QtCore import QUrl
    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme
    from desktop.servers.requests import UrlElicitationRequest

LEFT = Qt.MouseButton.LeftButton
SIGN_IN = "https://accounts.example.com/login?state=1&to=https%3A%2F%2Fevil.example"


class Browser:
    """Notes what it is to open."""

    def __init__(self) -> None:
        self.opened: list[str] = []
        self.works = True

    def __call__(self, url: QUrl) -> bool:
        self.opened.append(url.toString(url.ComponentFormattingOption.FullyEncoded))
        return self.works


@pytest.fixture
def browser() -> Browser:
    return Browser()


def shown(qtbot: QtBot, theme: Theme, browser: Browser, request: UrlElicitationRequest) -> UrlView:
    view = UrlView(theme, request, browser)
    qtbot.addWidget(view)
    view.show()
    view.answers.arm()
    return view


def marked(view: UrlView) -> list[tuple[int, str]]:
    """What is marked, and where it begins."""
    selections = view.address.extraSelections()
    cursors = [selection.cursor for selection in selections]  # pyright: ignore
    return [(each.selectionStart(), each.selectedText()) for each in cursors]  # pyright: ignore


def test_the_whole_address_is_in_sight_with_its_host_marked(
    qtbot: QtBot, theme: Theme, browser: Browser
) -> None:
    view = shown(qtbot, theme, browser, visit(SIGN_IN))

    assert view.address.toPlainText() == SIGN_IN
    assert marked(view) == [(8, "accounts.example.com")]
    assert view.host.text() == "It leads to accounts.example.com"
    assert browser.opened == []


def test_a_click_opens_it_and_agrees(qtbot: QtBot, theme: Theme, browser: Browser) -> None:
    view = shown(qtbot, theme, browser, visit(SIGN_IN))
    answers = noted(view.answered)
    QTest.mouseClick(view.open, LEFT)

    assert browser.opened == [SIGN_IN]
    assert answers == [(Accepted(),)]
    assert not view.done.isVisible()


def test_where_a_call_waits_for_it_the_person_says_when_it_is_done(
    qtbot: QtBot, theme: Theme, browser: Browser
) -> None:
    view = shown(qtbot, theme, browser, visit(SIGN_IN, blocks_call=True))
    answers = noted(view.answered)
    QTest.mouseClick(view.done, LEFT)
    QTest.mouseClick(view.open, LEFT)
    before = list(answers)
    QTest.mouseClick(view.done, LEFT)

    assert before == []
    assert browser.opened == [SIGN_IN]
    assert answers == [(Accepted(),)]


def test_the_host_is_not_what_only_looks_like_one(
    qtbot: QtBot, theme: Theme, browser: Browser
) -> None:
    url = "https://evil.example.good.com@evil.example/evil.example"
    view = shown(qtbot, theme, browser, visit(url))

    assert marked(view) == [(url.index("@") + 1, "evil.example")]
    assert "The address imitates another address" in view.warning.label.text()


@pytest.mark.parametrize(
    "url",
    [
        "https://good.example\\@evil.example/",
        "https://good.example\u202e/",
        "file:///etc/passwd",
        "https://a.example/" + "x" * 25_000,
    ],
)
def test_what_can_be_read_in_two_ways_is_not_opened(
    qtbot: QtBot, theme: Theme, browser: Browser, url: str
) -> None:
    view = shown(qtbot, theme, browser, visit(url))
    QTest.mouseClick(view.open, LEFT)

    assert not view.open.isEnabled()
    assert browser.opened == []
    assert "not opened here" in view.warning.label.text()
    assert "\u202e" not in view.address.toPlainText()


def test_a_browser_that_does_not_start_is_said_and_nothing_is_agreed(
    qtbot: QtBot, theme: Theme, browser: Browser
) -> None:
    browser.works = False
    view = shown(qtbot, theme, browser, visit(SIGN_IN))
    answers = noted(view.answered)
    QTest.mouseClick(view.open, LEFT)
    QTest.mouseClick(view.copy, LEFT)

    assert "No browser" in view.problem.text()
    assert answers == []
    assert QApplication.clipboard().text() == SIGN_IN


def test_a_host_that_is_read_differently_elsewhere_is_not_opened(
    qtbot: QtBot, theme: Theme, browser: Browser
) -> None:
    request = replace(visit("https://evil.example/"), host="good.example")
    view = shown(qtbot, theme, browser, request)
    QTest.mouseClick(view.open, LEFT)

    assert browser.opened == []
    assert "not opened here" in view.warning.label.text()
