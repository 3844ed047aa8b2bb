"""The protocol under any page of a real window, by keys and clicks, with a real server."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from desktop.features.window import rail_pages
from desktop.gui.activity.page import ActivityPage
from desktop.gui.activity.send_request import RequestDialog
from desktop.gui.main_window import MainWindow
from desktop.gui.page_factory import Pages
from desktop.gui.window_state import WindowState
from desktop.servers.message_log import BY_HAND
from desktop.values.tool_types import ToolCall
from tests.gui.activity.conftest import activate, caught_up, once
from tests.gui.waiting import turns

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from desktop.core import Core
    from desktop.gui.activity.messages_view import MessagesView
    from desktop.gui.activity.protocol_feature import ProtocolDrawer
    from desktop.gui.theme import Theme
    from tests.conftest import ExpectedLogs

TOOL = "calculator:calculate"
CONTROL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
async def opened(qtbot: QtBot, theme: Theme, core: Core) -> Pages:
    """The pages of a window that is active, with Tools open."""
    window = MainWindow(theme, WindowState(core.paths.window_state))
    qtbot.addWidget(window, before_close_func=lambda _: window.finish())
    pages = Pages(window, rail_pages())
    pages.open(core)
    window.show()
    window.show_page("tools")
    await activate(window)
    while not window.findChildren(type(window.rail)):
        await turns()
    return pages


def press(pages: Pages) -> ProtocolDrawer:
    """Press Ctrl+` wherever the focus is."""
    protocol = pages.protocol
    assert protocol is not None
    focus = QApplication.focusWidget()
    assert focus is not None
    QTest.keyClick(focus, Qt.Key.Key_QuoteLeft, CONTROL)
    assert protocol.drawer is not None
    return protocol.drawer


async def run(core: Core, b: int = 2) -> None:
    result = await core.executor.run(ToolCall(TOOL, {"operation": "add", "a": 1, "b": b}))
    assert result.success


def methods(view: MessagesView) -> list[str]:
    return [message.method for message in view.model.rows]


async def test_a_key_opens_it_under_any_page_and_closes_it_again(opened: Pages, core: Core) -> None:
    drawer = press(opened)
    assert drawer.isVisible()
    await caught_up(drawer.messages)
    assert "tools/list" in methods(drawer.messages)
    await run(core)
    await once(drawer.messages.feed.advanced, lambda: "tools/call" in methods(drawer.messages))
    QTest.keyClick(drawer.messages.table, Qt.Key.Key_Escape)
    assert not drawer.isVisible()
    assert press(opened).isVisible()
    assert opened.protocol is not None
    QTest.mouseClick(opened.protocol.button, Qt.MouseButton.LeftButton)
    assert not drawer.isVisible()


async def test_the_page_above_it_keeps_its_room(opened: Pages) -> None:
    window = opened.window
    for width, height, least in ((900, 600, 310), (720, 540, 260)):
        window.resize(width, height)
        drawer = press(opened)
        await turns()
        page = window.page("tools")
        assert page is not None
        assert page.height() >= least
        assert drawer.height() >= drawer.minimumSizeHint().height()
        QTest.mouseClick(drawer.close_button, Qt.MouseButton.LeftButton)


async def test_it_shows_the_messages_of_the_call_that_was_made_last_or_is_selected(
    opened: Pages, core: Core
) -> None:
    await run(core, 10)
    await run(core, 20)
    drawer = press(opened)
    await turns()
    QTest.mouseClick(drawer.one, Qt.MouseButton.LeftButton)
    await caught_up(drawer.messages)
    assert methods(drawer.messages) == ["tools/call", "tools/call"]
    assert b'"b":20' in drawer.messages.model.rows[0].body
    opened.window.show_page("activity")
    page = opened.window.page("activity")
    assert isinstance(page, ActivityPage)
    view = page.calls
    await once(view.list.loaded, lambda: view.list.model.total == 2)
    view.list.choose(view.list.model.calls[1].id)
    await once(view.call_chosen, lambda: drawer.call and drawer.call.number == 1)
    await caught_up(drawer.messages)
    assert b'"b":10' in drawer.messages.model.rows[0].body
    QTest.mouseClick(drawer.all, Qt.MouseButton.LeftButton)
    await caught_up(drawer.messages)
    assert "tools/list" in methods(drawer.messages)


async def test_a_request_is_sent_again_with_one_click_and_shown_as_your_own(
    opened: Pages, core: Core
) -> None:
    await run(core)
    drawer = press(opened)
    view = drawer.messages
    await caught_up(view)
    request = next(m for m in view.model.rows if m.method == "tools/call")
    view.select(request.number)
    assert view.details.again.isVisible()
    QTest.mouseClick(view.details.again, Qt.MouseButton.LeftButton)
    await once(view.feed.advanced, lambda: methods(view).count("tools/call") == 4)
    again = view.model.rows[-2]
    assert again.call_id.startswith(BY_HAND)
    assert json.loads(again.body)["params"]["arguments"] == {"operation": "add", "a": 1, "b": 2}
    while view.details.message is None or view.details.message.number != again.number:
        await turns()
    assert "You" in view.model.index(len(view.model.rows) - 2, 1).data()
    view.select(again.number + 1)
    assert not view.details.again.isVisible()


async def test_a_request_is_edited_and_what_is_wrong_with_it_is_said(
    opened: Pages, core: Core
) -> None:
    await run(core)
    drawer = press(opened)
    view = drawer.messages
    await caught_up(view)
    view.select(next(m for m in view.model.rows if m.method == "tools/call").number)
    QTest.mouseClick(view.details.edit, Qt.MouseButton.LeftButton)
    (dialog,) = view.findChildren(RequestDialog)
    assert QApplication.focusWidget() is not dialog.send
    text = dialog.params.toPlainText()
    dialog.params.setPlainText("{")
    QTest.mouseClick(dialog.send, Qt.MouseButton.LeftButton)
    assert dialog.isVisible()
    assert "not JSON" in dialog.error.text()
    dialog.params.setPlainText(text.replace('"b": 2', '"b": 41'))
    while QApplication.activeWindow() is not dialog:
        await turns()
    QTest.keyClick(dialog.params, Qt.Key.Key_Return, CONTROL)
    await once(view.feed.advanced, lambda: methods(view).count("tools/call") == 4)
    assert b'"b":41' in view.model.rows[-2].body
    assert b"42" in view.model.rows[-1].body


async def test_of_a_server_that_was_switched_off_that_is_said(
    opened: Pages, core: Core, expected_logs: ExpectedLogs
) -> None:
    expected_logs.expect("Sending the request: calculator is not connected")
    await run(core)
    drawer = press(opened)
    view = drawer.messages
    await caught_up(view)
    view.select(next(m for m in view.model.rows if m.method == "tools/call").number)
    core.store.set_enabled("calculator", enabled=False)
    await core.settle()
    QTest.mouseClick(view.details.again, Qt.MouseButton.LeftButton)
    while not drawer.banners.messages:
        await turns()
    assert "is not connected" in drawer.banners.messages[0]


async def test_a_filter_hides_the_details_of_what_it_hides(opened: Pages, core: Core) -> None:
    await run(core)
    view = press(opened).messages
    await caught_up(view)
    view.select(next(m for m in view.model.rows if m.method == "tools/call").number)
    assert view.details.text.isVisible()
    view.bar.kind.setCurrentIndex(view.bar.kind.findData("notification"))
    assert view.details.message is None
    assert not view.details.text.isVisible()
    view.bar.reset()
    view.select(next(m for m in view.model.rows if m.method == "tools/call").number)
    view.bar.text.setText("tools/list")
    await once(view.bar.changed, lambda: view.details.message is None)
