from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from desktop.base.tasks import spawn
from desktop.features.window import rail_pages
from desktop.gui import shortcuts
from desktop.gui.activity.history_view import HistoryView
from desktop.gui.activity.page import ActivityPage
from desktop.gui.main_window import MainWindow
from desktop.gui.page_factory import Pages
from desktop.gui.requests.form_view import FormView
from desktop.gui.window_state import WindowState
from desktop.servers.requests import Accepted, Declined, Dismissed
from tests.gui.requests.asked import form, prompt, visit
from tests.gui.waiting import turns
from tests.patience import LIMIT

if TYPE_CHECKING:
    from desktop.core import Core
    from desktop.gui.requests.feature import RequestsFeature
    from desktop.gui.requests.panel import RequestsPanel
    from desktop.gui.theme import Theme
    from desktop.servers.requests import Answer, Request

LEFT = Qt.MouseButton.LeftButton


async def ask(core: Core, *asked: tuple[str, Request]) -> list[asyncio.Task[Answer]]:
    """Ask what servers ask, and let the window show it."""
    tasks = [spawn(core.requests.ask(server, request), server) for server, request in asked]
    await turns(10)
    return tasks


def panel_of(feature: RequestsFeature) -> RequestsPanel:
    assert feature.panel is not None
    return feature.panel


def filled(panel: RequestsPanel, **content: object) -> FormView:
    """The form in sight with this in it, ready to be answered."""
    view = panel.view
    assert isinstance(view, FormView)
    assert view.form is not None
    view.form.set_value(content)
    view.form.reveal_issues()
    view.answers.arm()
    return view


async def _history_read(history: QWidget | None) -> None:
    """The focus moves from the table to the next step when there turns out to be nothing in it."""
    assert isinstance(history, HistoryView)
    async with asyncio.timeout(LIMIT):
        while not history.to_tools.isVisible():
            await turns()


@pytest.mark.parametrize(
    "page",
    ["servers", "tools", "resources", "prompts", "chat", "activity", "processes", "settings"],
)
async def test_a_request_lies_over_every_page_and_takes_no_focus(
    core: Core, window: MainWindow, feature: RequestsFeature, page: str
) -> None:
    window.show_page(page)
    window.activateWindow()
    assert QTest.qWaitForWindowActive(window)
    await turns(5)
    shown = window.page(page)
    if isinstance(shown, ActivityPage) and isinstance(shown.tabs.currentWidget(), HistoryView):
        await _history_read(shown.tabs.currentWidget())
    focus = QApplication.focusWidget()
    (asking,) = await ask(core, ("files", form()))
    panel = panel_of(feature)

    assert panel.isVisible()
    middle = panel.mapTo(window, panel.band.rect().center())
    seen = window.childAt(middle)
    assert seen is not None
    assert panel.isAncestorOf(seen)
    assert QApplication.focusWidget() is focus
    assert panel.band.server.accessibleName() == "Request from “files”"
    asking.cancel()


async def test_what_is_filled_in_is_sent_when_it_is_accepted(
    core: Core, feature: RequestsFeature
) -> None:
    (asking,) = await ask(core, ("files", form()))
    view = filled(panel_of(feature), name="Ada", seats=3)
    QTest.mouseClick(view.accept, LEFT)

    assert await asking == Accepted({"name": "Ada", "seats": 3})
    assert not panel_of(feature).isVisible()


@pytest.mark.parametrize(("button", "answer"), [("decline", Declined()), ("cancel", Dismissed())])
async def test_no_and_no_choice_are_answers_of_their_own(
    core: Core, feature: RequestsFeature, button: str, answer: Answer
) -> None:
    (asking,) = await ask(core, ("files", form()))
    view = panel_of(feature).view
    assert view is not None
    view.answers.arm()
    QTest.mouseClick(getattr(view, button), LEFT)

    assert await asking == answer


async def test_requests_queue_by_server_and_say_how_many_there_are(
    core: Core, feature: RequestsFeature
) -> None:
    tasks = await ask(
        core, ("files", form()), ("mail", prompt()), ("files", visit("https://a.example/"))
    )
    band = panel_of(feature).band
    seen = [(band.server.accessibleName(), band.position.text())]
    for _ in range(2):
        QTest.mouseClick(band.after, LEFT)
        seen.append((band.server.accessibleName(), band.position.text()))

    assert seen == [
        ("Request from “files”", "1 of 3"),
        ("Request from “files”", "2 of 3"),
        ("Request from “mail”", "3 of 3"),
    ]
    for task in tasks:
        task.cancel()


async def test_a_double_click_does_not_answer_the_next_request(
    core: Core, feature: RequestsFeature
) -> None:
    first, second = await ask(core, ("files", form()), ("files", form()))
    panel = panel_of(feature)
    QTest.mouseClick(filled(panel, name="Ada").accept, LEFT)
    await first
    await turns()
    view = panel.view
    assert isinstance(view, FormView)
    assert view.form is not None
    view.form.set_value({"name": "Ada"})
    view.form.reveal_issues()
    QTest.mouseClick(view.accept, LEFT)
    QTest.mouseClick(view.decline, LEFT)
    await turns()

    assert not second.done()
    second.cancel()


async def test_one_that_is_stepped_back_to_takes_no_click_for_a_moment(
    core: Core, feature: RequestsFeature
) -> None:
    tasks = await ask(core, ("files", form()), ("files", form()))
    panel = panel_of(feature)
    view = filled(panel, name="Ada")
    QTest.mouseClick(panel.band.after, LEFT)
    QTest.mouseClick(panel.band.before, LEFT)
    QTest.mouseClick(view.accept, LEFT)
    await turns()

    assert panel.view is view
    assert not any(task.done() for task in tasks)
    for task in tasks:
        task.cancel()


async def test_one_that_ends_by_itself_says_so_and_can_only_be_read(
    core: Core, feature: RequestsFeature
) -> None:
    first, second = await ask(core, ("files", form()), ("mail", form()))
    panel = panel_of(feature)
    view = panel.view
    assert view is not None
    first.cancel()
    await turns(5)

    assert "“files” no longer waits" in panel.ended.words.text()
    assert panel.ended.isVisible()
    assert not view.decline.isEnabled()
    QTest.mouseClick(panel.ended.close_it, LEFT)
    assert panel.band.server.accessibleName() == "Request from “mail”"
    assert not panel.ended.isVisible()
    second.cancel()


async def test_later_puts_it_aside_and_the_sign_in_the_rail_brings_it_back(
    core: Core, window: MainWindow, feature: RequestsFeature
) -> None:
    (asking,) = await ask(core, ("files", form()))
    panel = panel_of(feature)
    sign = window.rail.requests_button
    assert sign is not None
    QTest.mouseClick(panel.band.later, LEFT)
    aside = panel.isVisible(), sign.isVisible(), sign.text()
    QTest.mouseClick(sign, LEFT)

    assert aside == (False, True, "1")
    assert panel.isVisible()
    assert not asking.done()
    asking.cancel()
    await turns(5)
    assert not sign.isVisible()


async def test_a_new_request_is_seen_though_others_were_put_aside(
    core: Core, feature: RequestsFeature
) -> None:
    (first,) = await ask(core, ("files", form()))
    panel = panel_of(feature)
    QTest.mouseClick(panel.band.later, LEFT)
    (second,) = await ask(core, ("mail", form()))
    both = panel.isVisible(), panel.band.server.accessibleName(), panel.band.position.text()
    QTest.mouseClick(panel.band.later, LEFT)
    for task in (first, second):
        task.cancel()
    await turns(5)
    (third,) = await ask(core, ("time", form()))

    assert both == (True, "Request from “mail”", "2 of 2")
    assert panel.isVisible()  # those that ended meanwhile do not stand before it
    assert (panel.band.server.accessibleName(), panel.band.position.text()) == (
        "Request from “time”",
        "",
    )
    third.cancel()


async def test_by_keyboard_alone_one_gets_there_and_back(
    core: Core, window: MainWindow, feature: RequestsFeature
) -> None:
    window.activateWindow()
    assert QTest.qWaitForWindowActive(window)
    (asking,) = await ask(core, ("files", form()))
    panel = panel_of(feature)
    QTest.keySequence(window, shortcuts.REQUESTS.keys[0])
    there = panel.hasFocus()
    QTest.keyClick(panel, Qt.Key.Key_Escape)
    focus = QApplication.focusWidget()

    assert there
    assert not panel.isVisible()
    assert focus is None or not panel.isAncestorOf(focus)
    assert not asking.done()
    asking.cancel()


async def test_a_declined_flood_is_one_banner(
    core: Core, window: MainWindow, feature: RequestsFeature
) -> None:
    tasks = await ask(core, *[("files", form())] * 50)
    waiting = len(core.requests.pending)

    assert panel_of(feature).band.position.text() == f"1 of {waiting}"
    assert len(window.banners.messages) == 1
    assert "files" in window.banners.messages[0]
    for task in tasks:
        task.cancel()


async def test_nobody_is_there_once_the_window_has_gone(core: Core, theme: Theme) -> None:
    window = MainWindow(theme, WindowState(core.paths.window_state))
    Pages(window, rail_pages()).open(core)
    window.finish()
    window.deleteLater()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    (asking,) = await ask(core, ("files", form()))

    assert isinstance(await asking, Declined)
