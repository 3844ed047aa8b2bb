"""The page over real servers: what was called and said is there, and no secret of any of it."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPlainTextEdit, QTableView, QWidget

from desktop.base.tasks import spawn
from desktop.diagnostics.logs import LogBuffer
from desktop.gui.activity.history_model import ORIGIN, OUTCOME, TIME, TOOL
from desktop.gui.activity.messages_view import MessagesView
from desktop.gui.activity.page import ActivityPage, LogsView
from desktop.history.store import HistoryStore
from desktop.servers.message_log import MessageLog
from desktop.tools.call_log import CallLog
from desktop.tools.executor import ToolExecutor
from desktop.tools.registry import ToolRegistry
from desktop.values.tool_types import Decision, ToolCall
from tests.gui.activity.conftest import TOKEN, activate, caught_up, entry, once
from tests.patience import LIMIT

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from desktop.gui.activity.history_view import HistoryView
    from desktop.gui.theme import Theme
    from tests.gui.activity.conftest import OpenPage


def texts(page: QWidget) -> str:
    """All that can be read on the page, in every row of every table."""
    found = [child.text() for child in page.findChildren(QLabel)]
    found += [child.toPlainText() for child in page.findChildren(QPlainTextEdit)]
    for tree in page.findChildren(QTableView):
        model = tree.model()
        found += [
            str(model.index(row, column).data())
            for row in range(model.rowCount())
            for column in range(model.columnCount())
        ]
    return "\n".join(found)


async def test_a_token_that_a_server_repeats_is_nowhere_on_the_page_nor_exported(
    open_page: OpenPage, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    opened = await open_page(plain=entry("plain", env={"API_TOKEN": TOKEN}))
    core, page = opened.core, opened.page
    for key, arguments in (
        ("plain:env", {"names": ["API_TOKEN"]}),
        ("plain:echo", {"message": TOKEN}),
        ("plain:fail", {"message": f"bad {TOKEN}"}),
        (f"plain:{TOKEN}", {}),
    ):
        result = await core.executor.run(ToolCall(key, arguments))
        assert TOKEN in str(result)
    logging.getLogger("desktop.test").info("it was %s", TOKEN)
    shown = ""
    calls = page.calls
    await once(calls.list.loaded, lambda: calls.list.model.total == 4)
    for row in range(4):
        calls.list.choose(calls.list.model.calls[row].id)
        await once(calls.shown, lambda: calls.record is not None)
        shown += texts(page)
    page.tabs.setCurrentWidget(page.messages)
    await caught_up(page.messages)
    for row in range(len(page.messages.model.rows)):
        page.messages.table.select_row(row)
        shown += texts(page)
    page.tabs.setCurrentWidget(page.logs)
    shown += texts(page)
    assert "‹redacted›" in shown
    assert "tools/call" in shown
    assert TOKEN not in shown
    for name, export in (
        ("calls", page.calls.export_calls),
        ("messages", lambda: page.messages.export(everything=True)),
    ):
        file = tmp_path / f"{name}.jsonl"
        dialog = export()
        dialog.selectFile(str(file))
        dialog.accept()
        await _told(page, str(file))
        text = file.read_text(encoding="utf-8")
        assert "‹redacted›" in text
        assert TOKEN not in text


async def _told(page: ActivityPage, words: str) -> None:
    """Until the page says so above its tabs."""
    done = asyncio.Event()

    def note(_file: str, _lines: int) -> None:
        done.set()

    for view in (page.calls, page.messages):
        view.exported.connect(note)
    await asyncio.wait_for(done.wait(), LIMIT)
    assert words in " ".join(page.banners.messages)


async def test_a_running_call_is_followed_into_the_history(open_page: OpenPage) -> None:
    opened = await open_page(plain=entry("plain"))
    core, view = opened.core, opened.page.calls
    await once(view.list.loaded, lambda: view.list.is_loaded)
    call = ToolCall("plain:slow", {"seconds": 0.3, "steps": 3}, origin="agent", model="a-model")
    running = spawn(core.executor.run(call), "slow call")
    await once(view.list.model.rowsInserted, lambda: view.list.model.live)
    assert view.list.count.text() == "1 call · 1 running"
    view.list.choose(view.list.model.calls[0].id)
    await once(view.shown, lambda: view.record is not None)
    assert view.call.no_result.text() == "Still running."
    assert row_of(view, 0)[1:] == ["a-model", "plain:slow", "Running"]
    await running
    await once(view.shown, lambda: view.record is not None and view.record.summary.id > 0)
    assert view.call.result.text.editor.toPlainText() == "done after 3 steps"
    assert row_of(view, 0)[1:] == ["a-model", "plain:slow", "Success"]
    assert view.list.model.live == ()
    assert view.list.count.text() == "1 call"
    steps = view.call.steps.tree
    last = steps.topLevelItem(steps.topLevelItemCount() - 1)
    first = steps.topLevelItem(0)
    assert first is not None
    assert last is not None
    assert (first.text(0), last.text(0)) == ("Started", "Finished")


def row_of(view: HistoryView, row: int) -> list[str]:
    """Time, caller, tool and outcome of a row."""
    return [
        str(view.list.model.index(row, column).data()) for column in (TIME, ORIGIN, TOOL, OUTCOME)
    ]


async def test_a_call_of_this_run_is_opened_with_its_secrets_by_key(open_page: OpenPage) -> None:
    opened = await open_page(plain=entry("plain", env={"API_TOKEN": TOKEN}))
    page = opened.page
    await opened.core.executor.run(ToolCall("plain:echo", {"message": TOKEN}))
    wanted: list[tuple[str, object]] = []

    def note(key: str, arguments: object) -> None:
        wanted.append((key, arguments))

    page.open_call_requested.connect(note)
    view = page.calls
    await once(view.shown, lambda: view.record is not None and view.record.summary.id > 0)
    assert TOKEN not in view.call.arguments.toPlainText()
    view.list.table.setFocus()
    QTest.keyClick(view.list.table, Qt.Key.Key_Return)
    assert wanted == [("plain:echo", {"message": TOKEN})]


async def test_a_call_that_waits_for_approval_says_so_and_its_wait_is_apart(
    open_page: OpenPage,
) -> None:
    opened = await open_page(plain=entry("plain"))
    view = opened.page.calls
    await once(view.list.loaded, lambda: view.list.is_loaded)
    asked, answer = asyncio.Event(), asyncio.Event()

    class Person:
        async def approve(self, *args: object, **_: object) -> Decision:
            asked.set()
            await answer.wait()
            return Decision(True, {"message": "hi"})

    executor = ToolExecutor(opened.core.registry, approver=Person())
    opened.calls.follow(executor)
    running = spawn(executor.run(ToolCall("plain:echo", {"message": "hi"})), "echo")
    await asked.wait()
    view.list.show_live()
    (waiting,) = view.list.model.live
    assert (waiting.outcome, waiting.duration) == ("waiting", 0)
    assert waiting.approval_wait > 0
    assert row_of(view, 0)[3] == "Needs approval"
    answer.set()
    result = await running
    assert result.approval_wait > 0
    view.list.show_live()
    (ended,) = view.list.model.live
    assert (ended.duration, ended.approval_wait) == (result.execution_time, result.approval_wait)


async def test_below_a_call_that_is_listed_nothing_says_that_none_was_found(
    open_page: OpenPage,
) -> None:
    opened = await open_page(plain=entry("plain"))
    view = opened.page.calls
    await once(view.list.loaded, lambda: view.list.is_loaded)
    running = spawn(opened.core.executor.run(ToolCall("plain:slow", {"seconds": 60})), "slow call")
    await once(view.list.model.rowsInserted, lambda: view.list.model.live)
    assert view.details.currentWidget() is view.hint
    assert view.hint.text() == "Select a call to see it, or two to compare them."
    running.cancel()


def make_page(theme: Theme, settings: QSettings, folder: Path) -> ActivityPage:
    """One without servers."""
    calls = CallLog(ToolExecutor(ToolRegistry()))
    history = HistoryStore(folder / "history.sqlite3")
    return ActivityPage(theme, MessageLog(), history, calls, LogBuffer(), settings)


@pytest.fixture
def page(theme: Theme, settings: QSettings, qtbot: QtBot, tmp_path: Path) -> ActivityPage:
    made = make_page(theme, settings, tmp_path)
    qtbot.addWidget(made)
    made.resize(1000, 600)
    made.show()
    return made


def test_the_views_of_tabs_that_nobody_has_opened_are_not_there_yet(page: ActivityPage) -> None:
    assert page.findChild(MessagesView) is None
    assert page.findChild(LogsView) is None
    bar = page.tabs.tabBar()
    for tab in (1, 2, 0, 1):
        QTest.mouseClick(bar, Qt.MouseButton.LeftButton, pos=bar.tabRect(tab).center())
        assert page.tabs.currentIndex() == tab
    assert page.tabs.currentWidget() is page.findChild(MessagesView)
    assert page.findChild(LogsView) is not None
    assert page.tabs.count() == 3
    assert page.messages.accessibleName() == "Messages"


async def test_the_messages_that_were_open_last_time_are_made_with_the_page_and_get_the_keys(
    theme: Theme, settings: QSettings, qtbot: QtBot, tmp_path: Path
) -> None:
    settings.setValue("activity/open", 1)
    page = make_page(theme, settings, tmp_path)
    qtbot.addWidget(page)
    made: list[object] = []
    page.messages_made.connect(made.append)
    page.show()
    await activate(page)
    assert page.tabs.currentWidget() is page.findChild(MessagesView)
    assert made == [page.messages]
    assert page.messages.isAncestorOf(page.focusWidget()) or page.focusWidget() is page.messages


def test_an_empty_page_says_what_to_do(page: ActivityPage) -> None:
    asked: list[str] = []
    page.tools_requested.connect(lambda: asked.append("tools"))
    page.servers_requested.connect(lambda: asked.append("servers"))
    QTest.mouseClick(page.calls.to_tools, Qt.MouseButton.LeftButton)
    page.tabs.setCurrentIndex(1)
    QTest.mouseClick(page.messages.to_servers, Qt.MouseButton.LeftButton)
    assert asked == ["tools", "servers"]


def test_a_tab_from_outside_is_added_and_the_open_one_remembered(
    page: ActivityPage, theme: Theme, settings: QSettings, qtbot: QtBot, tmp_path: Path
) -> None:
    page.add_tab("History", QLabel("all of it"))
    page.tabs.setCurrentIndex(3)
    again = make_page(theme, settings, tmp_path)
    qtbot.addWidget(again)
    label = QLabel("all of it")
    again.add_tab("History", label)
    assert again.tabs.currentWidget() is label


def test_a_failed_export_is_told_in_words(page: ActivityPage) -> None:
    page.show_error("it cannot be written")
    assert page.banners.messages == ("it cannot be written",)
