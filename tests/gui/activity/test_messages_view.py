"""A person follows the messages, stops them, finds one, sees what it answers, and takes them.

One message in full; nothing chosen is said in words. More: test_messages_view.
"""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog
from shiboken6 import isValid

from desktop.base.errors import UsageError
from desktop.gui.activity.messages_model import METHOD
from desktop.gui.activity.messages_view import MessageDetails, MessagesView
from desktop.servers.recording import read_recording
from tests.gui.activity.conftest import TOKEN, caught_up, line, once
from tests.gui.waiting import happens, noted, turns
from tests.patience import LIMIT

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme
    from desktop.servers.message_log import MessageLog, MessageRecorder


@pytest.fixture
def details(theme: Theme, qtbot: QtBot) -> MessageDetails:
    made = MessageDetails(theme)
    qtbot.addWidget(made)
    made.resize(900, 300)
    made.show()
    return made


def test_a_message_and_the_way_to_its_answer(
    details: MessageDetails, traffic: MessageLog, tap: MessageRecorder
) -> None:
    assert not details.text.isVisible()
    tap.note("sent", line(id=1, method="ping"))
    wanted: list[int] = []
    details.message_requested.connect(wanted.append)
    details.follow()
    details.show_message(traffic.after(0)[0], 2)
    assert "ping" in details.facts.accessibleName()
    assert '"method": "ping"' in details.text.editor.toPlainText()
    details.partner.click()
    assert wanted == [2]
    details.show_message(None, None)
    assert not details.text.isVisible()


def call(tap: MessageRecorder, number: int, name: str = "add", **result: object) -> None:
    tap.note("sent", line(id=number, method="tools/call", params={"name": name}))
    tap.note("received", line(id=number, result=result))


async def shows(view: MessagesView, *wanted: int) -> None:
    """Until these messages are the rows; a busy machine takes them in several turns."""
    await once(view.feed.advanced, lambda: numbers(view) == list(wanted))


def numbers(view: MessagesView) -> list[int]:
    return [row.number for row in view.model.rows]


async def test_messages_that_come_are_shown_and_the_last_one_is_in_sight(
    view: MessagesView, tap: MessageRecorder
) -> None:
    assert view.stack.currentWidget() is view.none_yet
    for number in range(200):
        call(tap, number)
    await caught_up(view)
    assert len(numbers(view)) == 400
    assert view.stack.currentWidget() is view.splitter
    assert view.table.is_at_end
    assert view.bar.count.text() == "400 messages"
    for width in (780, 1060):  # of windows of 900 and 1180 pixels
        view.resize(width, 600)
        assert view.table.columnWidth(METHOD) >= 200


async def test_who_scrolled_up_is_left_where_they_read(
    view: MessagesView, tap: MessageRecorder
) -> None:
    for number in range(100):
        call(tap, number)
    await caught_up(view)
    view.table.verticalScrollBar().setValue(20)
    call(tap, 100)
    await caught_up(view)
    assert view.table.verticalScrollBar().value() == 20


async def test_a_pause_leaves_the_rows_and_counts_what_comes(
    view: MessagesView, tap: MessageRecorder
) -> None:
    call(tap, 1)
    await caught_up(view)
    QTest.mouseClick(view.bar.pause, Qt.MouseButton.LeftButton)
    for number in range(2, 5):
        call(tap, number)
    await once(view.feed.advanced, lambda: view.bar.count.text() == "6 new while paused")
    assert numbers(view) == [1, 2]
    assert view.bar.pause.text() == "Resume"
    QTest.mouseClick(view.bar.pause, Qt.MouseButton.LeftButton)
    await caught_up(view)
    assert len(numbers(view)) == 8


async def test_a_filter_during_a_pause_shows_nothing_newer(
    view: MessagesView, tap: MessageRecorder
) -> None:
    call(tap, 1)
    await caught_up(view)
    view.bar.pause.click()
    call(tap, 2)
    view.bar.kind.setCurrentIndex(view.bar.kind.findData("request"))
    await shows(view, 1)


async def test_messages_are_filtered_by_text_server_kind_and_error(
    view: MessagesView, tap: MessageRecorder, traffic: MessageLog
) -> None:
    call(tap, 1, "find", content=[{"text": "Paris"}])
    call(tap, 2, "fail", isError=True)
    traffic.tap("other").note("received", b"Starting")
    await caught_up(view)
    view.bar.focus_search()
    QTest.keyClicks(view.bar.text, "pARIS")
    await shows(view, 2)
    assert view.bar.count.text() == "1 of 5"
    QTest.keyClick(view.bar.text, Qt.Key.Key_Escape)
    await shows(view, 1, 2, 3, 4, 5)
    view.bar.errors.click()
    await shows(view, 4, 5)
    view.bar.server.setCurrentText("other")
    await shows(view, 5)
    view.bar.kind.setCurrentIndex(view.bar.kind.findData("request"))
    await shows(view)
    assert view.stack.currentWidget() is view.none_fits
    QTest.mouseClick(view.unfilter, Qt.MouseButton.LeftButton)
    await shows(view, 1, 2, 3, 4, 5)


async def test_a_message_is_shown_without_secrets_and_leads_to_its_answer(
    view: MessagesView, tap: MessageRecorder
) -> None:
    tap.note("sent", line(id=1, method="tools/call", params={"arguments": {"q": TOKEN}}))
    tap.note("received", line(id=1, result={"said": TOKEN}))
    await caught_up(view)
    view.table.select_row(0)
    assert '"q": "‹redacted›"' in view.details.text.editor.toPlainText()
    assert view.details.partner.text() == "Go to the answer"
    QTest.mouseClick(view.details.partner, Qt.MouseButton.LeftButton)
    assert view.table.currentIndex().row() == 1
    assert TOKEN not in view.details.text.editor.toPlainText()
    assert view.details.partner.text() == "Go to the request"
    QTest.keyClick(view.table, Qt.Key.Key_Return)
    assert view.table.currentIndex().row() == 0


async def test_the_way_to_a_message_that_the_filter_hides_opens_the_filter(
    view: MessagesView, tap: MessageRecorder
) -> None:
    call(tap, 1)
    await caught_up(view)
    view.bar.kind.setCurrentIndex(view.bar.kind.findData("response"))
    await shows(view, 2)
    view.table.select_row(0)
    view.details.follow()
    await once(view.feed.caught_up, lambda: view.table.currentIndex().row() == 0)
    assert numbers(view) == [1, 2]
    assert view.bar.kind.currentIndex() == 0


async def test_an_answer_that_comes_later_can_be_gone_to(
    view: MessagesView, tap: MessageRecorder
) -> None:
    tap.note("sent", line(id=1, method="slow"))
    await caught_up(view)
    view.table.select_row(0)
    assert not view.details.partner.isVisible()
    tap.note("received", line(id=1, result={}))
    await caught_up(view)
    assert view.details.partner.isVisible()


async def test_cleared_messages_are_gone_and_later_ones_come(
    view: MessagesView, tap: MessageRecorder
) -> None:
    call(tap, 1)
    await caught_up(view)
    view.table.select_row(0)
    view.table.setFocus()
    QTest.keyClick(view.table, Qt.Key.Key_L, Qt.KeyboardModifier.ControlModifier)
    assert view.details.message is None
    assert view.stack.currentWidget() is view.none_yet
    call(tap, 2)
    await caught_up(view)
    assert numbers(view) == [3, 4]


async def test_hidden_it_does_nothing_and_shown_it_has_all(
    view: MessagesView, tap: MessageRecorder
) -> None:
    view.hide()
    call(tap, 1)
    await asyncio.sleep(0)
    assert numbers(view) == []
    view.show()
    await caught_up(view)
    assert numbers(view) == [1, 2]


async def export(view: MessagesView, file: Path, *, everything: bool) -> int:
    """Pick `file` in the dialog; the number of lines that the view tells."""
    told: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    def note(_file: str, lines: int) -> None:
        told.set_result(lines)

    view.exported.connect(note, Qt.ConnectionType.SingleShotConnection)
    dialog = view.export(everything=everything)
    dialog.selectFile(str(file))
    dialog.accept()
    return await asyncio.wait_for(told, LIMIT)


async def test_what_is_shown_or_all_is_exported_without_secrets(
    view: MessagesView, tap: MessageRecorder, tmp_path: Path
) -> None:
    call(tap, 1, said=TOKEN)
    call(tap, 2, isError=True)
    await caught_up(view)
    view.bar.errors.click()
    await shows(view, 4)
    assert await export(view, tmp_path / "shown.jsonl", everything=False) == 1
    assert await export(view, tmp_path / "all.jsonl", everything=True) == 4
    text = (tmp_path / "all.jsonl").read_text(encoding="utf-8")
    assert [json.loads(line)["number"] for line in text.splitlines()] == [1, 2, 3, 4]
    assert TOKEN not in text
    assert (tmp_path / "shown.jsonl").read_text(encoding="utf-8") in text


def choose(view: MessagesView, file: Path) -> None:
    """Begin a recording from the menu, into this file."""
    view.bar.record.trigger()
    dialog = view.findChild(QFileDialog)
    assert dialog is not None
    dialog.selectFile(str(file))
    dialog.accept()


async def test_a_recording_has_what_was_kept_and_what_came_until_it_was_stopped(
    view: MessagesView, tap: MessageRecorder, tmp_path: Path
) -> None:
    file = tmp_path / "session.jsonl"
    call(tap, 1, said=TOKEN)
    await shows(view, 1, 2)
    choose(view, file)
    await happens(view.recording.changed)
    assert (view.bar.export.text(), view.bar.record.text()) == ("Recording…", "Stop recording")
    call(tap, 2)
    await shows(view, 1, 2, 3, 4)
    told = noted(view.exported)
    view.bar.record.trigger()
    call(tap, 3)

    assert told == [(str(file), 4)]
    assert (view.bar.export.text(), view.bar.record.text()) == ("Export", "Record to a file…")
    recording = read_recording(file)
    assert recording.notes == []
    exchanges = [each for server in recording.servers.values() for each in server.of("tools/call")]
    assert len(exchanges) == 2
    assert all(each.result is not None for each in exchanges)
    assert TOKEN not in file.read_text(encoding="utf-8")


async def test_a_recording_ends_with_its_view(
    view: MessagesView, tap: MessageRecorder, tmp_path: Path
) -> None:
    call(tap, 1)
    choose(view, tmp_path / "session.jsonl")
    await happens(view.recording.changed)
    view.recording.deleteLater()
    while isValid(view.recording):
        await turns()
    assert read_recording(tmp_path / "session.jsonl").notes == []


async def test_a_recording_that_cannot_be_written_is_an_error_and_not_begun(
    view: MessagesView, tmp_path: Path
) -> None:
    (tmp_path / "in the way").write_text("", encoding="utf-8")
    file = str(tmp_path / "in the way" / "session.jsonl")
    with pytest.raises(UsageError, match="cannot be written"):
        await view.recording._begin(file)  # pyright: ignore[reportPrivateUsage]
    assert not view.recording.is_on


async def test_the_kind_is_remembered_and_the_text_is_not(
    view: MessagesView, theme: Theme, traffic: MessageLog, settings: QSettings, qtbot: QtBot
) -> None:
    view.bar.kind.setCurrentIndex(view.bar.kind.findData("error"))
    view.bar.errors.click()
    view.bar.text.setText("x")
    view.table.horizontalHeader().resizeSection(0, 222)
    again = MessagesView(theme, traffic, settings)
    qtbot.addWidget(again)
    assert (again.bar.filter.kind, again.bar.filter.errors_only) == ("error", True)
    assert again.bar.filter.text == ""
    assert again.table.horizontalHeader().sectionSize(0) == 222


async def test_rows_that_the_ring_forgot_go(
    theme: Theme, settings: QSettings, qtbot: QtBot, tap: MessageRecorder
) -> None:
    from desktop.servers.message_log import MessageLog

    ring = MessageLog(kept=10)
    view = MessagesView(theme, ring, settings)
    qtbot.addWidget(view)
    view.show()
    own = ring.tap("server")
    for number in range(4):
        call(own, number)
    await caught_up(view)
    for number in range(4, 9):
        call(own, number)
    await caught_up(view)
    assert numbers(view) == list(range(9, 19))


async def test_ten_thousand_messages_are_taken_in_turns(
    view: MessagesView, tap: MessageRecorder
) -> None:
    batches: list[int] = []
    view.model.rowsInserted.connect(lambda: batches.append(len(numbers(view))))
    for number in range(5_000):
        call(tap, number)
    await caught_up(view)
    assert len(numbers(view)) == 10_000
    assert len(batches) > 2
