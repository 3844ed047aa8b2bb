"""The history as a person uses it: look, compare, run again, save, delete."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from datetime import datetime
from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from desktop.gui.activity.call_view import CallView
from desktop.gui.activity.export import SaveExportDialog
from desktop.gui.activity.history_model import TOOL
from desktop.history.serialization import HistoryLimits
from desktop.values.tool_types import Content
from tests.gui.activity.conftest import history_view, once
from tests.gui.waiting import happens, turns
from tests.history.calls import ended, keep, record_of, store_at
from tests.live_servers import until

if TYPE_CHECKING:
    from pathlib import Path

    from PySide6.QtCore import QSettings
    from pytestqt.qtbot import QtBot

    from desktop.gui.activity.history_view import HistoryView
    from desktop.gui.theme import Theme
    from desktop.history.records import FinishedCall, Summary
    from tests.conftest import ExpectedLogs
    from tests.gui.activity.conftest import OpenHistory


@pytest.fixture
def view(qtbot: QtBot, theme: Theme) -> CallView:
    made = CallView(theme)
    qtbot.addWidget(made)
    return made


def show(view: CallView, finished: FinishedCall, limits: HistoryLimits | None = None) -> None:
    view.show_record(record_of(finished, limits=limits))


def test_arguments_and_result_are_shown_side_by_side(view: CallView) -> None:
    show(view, ended(arguments={"message": "hi"}, output="hello"))
    assert view.arguments.toPlainText() == '{\n  "message": "hi"\n}'
    assert view.result.text.editor.toPlainText() == "hello"
    assert view.note.isHidden()


def test_what_is_missing_is_said(view: CallView) -> None:
    show(view, ended(arguments={"password": "hunter22"}))
    assert "password" in view.note.text()
    assert "hunter22" not in view.arguments.toPlainText()
    show(view, ended(arguments={"a": "x" * 5000}), HistoryLimits(text=1000))
    assert view.arguments.toPlainText() == ""
    assert "Kept only in part: arguments" in view.note.text()


def test_of_long_arguments_the_beginning_is_shown(view: CallView) -> None:
    show(view, ended(arguments={"a": "x" * 100_000}))
    assert "more characters" in view.arguments.toPlainText()


CONTROL = Qt.KeyboardModifier.ControlModifier


def wishes(view: HistoryView) -> list[tuple[str, str, dict[str, Any]]]:
    """What the view asks for, as it does."""
    told: list[tuple[str, str, dict[str, Any]]] = []

    def run(call: Summary, arguments: dict[str, Any]) -> None:
        told.append(("run", call.key, arguments))

    def show_offer(call: Summary, arguments: dict[str, Any]) -> None:
        told.append((call.kind, call.key, arguments))

    def show(key: str, arguments: dict[str, Any]) -> None:
        told.append(("open", key, arguments))

    view.run_requested.connect(run)
    view.open_call_requested.connect(show)
    view.open_offer_requested.connect(show_offer)
    return told


async def test_without_calls_the_next_step_is_said(opened: OpenHistory) -> None:
    view = opened.view
    assert view.stack.currentWidget() is view.empty
    wanted: list[int] = []
    view.tools_requested.connect(lambda: wanted.append(1))
    QTest.mouseClick(view.to_tools, Qt.MouseButton.LeftButton)
    assert wanted == [1]


async def test_a_call_appears_when_it_ends_and_is_shown_whole(opened: OpenHistory) -> None:
    image = Content("image", data=b"\x89PNG", mime="image/png")
    await opened.add(
        ended("s:t", {"n": 1}, output="said", content=(Content("text", "said"), image))
    )
    view = opened.view
    assert view.stack.currentWidget() is view.splitter
    await opened.choose(0)
    assert view.call.arguments.toPlainText() == '{\n  "n": 1\n}'
    assert view.call.result.text.editor.toPlainText() == "said"
    assert view.record is not None
    assert view.record.result.content[1] == image


async def test_two_calls_are_compared_and_three_are_too_many(opened: OpenHistory) -> None:
    await opened.add(*(ended("s:t", output=f"line {n}") for n in range(3)))
    await opened.choose(0, 1)
    view = opened.view
    assert view.comparison.output.toPlainText() == "- line 1\n+ line 2"
    assert not view.again.isEnabled()
    view.list.table.selectAll()
    assert view.details.currentWidget() is view.hint
    assert "3 calls selected" in view.hint.text()


async def test_a_call_is_run_again_or_opened_by_key(opened: OpenHistory) -> None:
    await opened.add(ended("s:t", {"n": 1}))
    await opened.choose(0)
    told = wishes(opened.view)
    opened.view.list.table.setFocus()
    QTest.keyClick(opened.view.list.table, Qt.Key.Key_R, CONTROL)
    QTest.keyClick(opened.view.list.table, Qt.Key.Key_E, CONTROL)
    QTest.keyClick(opened.view.list.table, Qt.Key.Key_O, CONTROL)
    assert told == [("run", "s:t", {"n": 1}), *[("open", "s:t", {"n": 1})] * 2]


async def test_what_was_read_is_opened_at_its_server_and_cannot_be_saved_as_a_call(
    opened: OpenHistory,
) -> None:
    await opened.add(ended("s:x://a", {"uri": "x://a"})._replace(kind="resource"))
    await opened.choose(0)
    told, view = wishes(opened.view), opened.view
    view.edit.trigger()
    view.again.trigger()
    assert told == [("resource", "s:x://a", {"uri": "x://a"}), ("run", "s:x://a", {"uri": "x://a"})]
    assert not view.save.isEnabled()
    assert view.list.model.index(0, TOOL).data() == "Resource · s · x://a"


async def test_a_call_whose_secret_was_not_kept_goes_to_the_form_without_it(
    opened: OpenHistory,
) -> None:
    await opened.add(ended("s:t", {"user": "ann", "password": "hunter22"}))
    await opened.choose(0)
    told = wishes(opened.view)
    opened.view.again.trigger()
    assert told == [("open", "s:t", {"user": "ann"})]


async def test_a_call_whose_arguments_were_too_large_cannot_be_run_again(
    qtbot: QtBot, theme: Theme, settings: QSettings, tmp_path: Path
) -> None:
    async with store_at(tmp_path / "small", HistoryLimits(text=100)) as store:
        view = history_view(theme, store, settings)
        qtbot.addWidget(view)
        await keep(store, ended("s:t", {"a": "x" * 1000}))
        view.show()
        await once(view.shown, lambda: view.record is not None)
        assert not view.again.isEnabled()
        assert view.delete.isEnabled()
        view.hide()


async def test_a_call_can_be_saved(opened: OpenHistory) -> None:
    await opened.add(ended("s:t", {"n": 1}))
    await opened.choose(0)
    wanted: list[Any] = []
    opened.view.offer_saving(wanted.append)
    opened.view.list.table.setFocus()
    QTest.keyClick(opened.view.list.table, Qt.Key.Key_S, CONTROL)
    assert wanted == [opened.view.record]


async def test_delete_asks_and_a_stray_enter_deletes_nothing(opened: OpenHistory) -> None:
    await opened.add(*(ended(f"s:{n}") for n in range(3)))
    await opened.choose(1)
    dialog = opened.view.ask_delete()
    assert dialog is not None
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    assert (await opened.store.page()).total == 3
    dialog = opened.view.ask_delete()
    assert dialog is not None
    QTest.mouseClick(dialog.act, Qt.MouseButton.LeftButton)
    await opened.until(lambda: opened.keys == ["s:2", "s:0"])


async def test_everything_can_be_deleted(opened: OpenHistory) -> None:
    await opened.add(*(ended(f"s:{n}") for n in range(3)))
    dialog = opened.view.ask_delete_all()
    QTest.mouseClick(dialog.act, Qt.MouseButton.LeftButton)
    await opened.until(lambda: not opened.keys)
    assert opened.view.stack.currentWidget() is opened.view.empty


async def test_a_search_that_finds_nothing_says_what_to_do(opened: OpenHistory) -> None:
    await opened.add(ended("s:t"))
    opened.view.list.search.setText("nothing like it")
    await opened.until(lambda: not opened.keys)
    assert opened.view.stack.currentWidget() is opened.view.splitter
    assert "Search for part" in opened.view.hint.text()


async def test_while_it_is_hidden_nothing_is_read(opened: OpenHistory) -> None:
    opened.view.hide()
    await keep(opened.store, ended("s:t"))
    await turns()
    assert opened.keys == []
    opened.view.show()
    await opened.until(lambda: opened.keys == ["s:t"])


async def test_the_call_that_was_run_again_is_chosen_once_it_has_ended(opened: OpenHistory) -> None:
    await opened.add(ended("s:old"))
    await opened.choose(0)
    opened.view.note_running(True)
    assert not opened.view.again.isEnabled()
    await opened.add(ended("s:new"))
    opened.view.note_running(False)
    opened.view.refresh()
    view = opened.view
    await once(view.shown, lambda: view.record and view.record.summary.key == "s:new")
    assert view.again.isEnabled()


async def test_why_calls_are_not_recorded_is_said_until_they_are(
    qtbot: QtBot, theme: Theme, settings: QSettings, tmp_path: Path, expected_logs: ExpectedLogs
) -> None:
    expected_logs.expect("calls are not recorded")
    (tmp_path / "taken").mkdir()
    async with store_at(tmp_path / "taken") as store:
        view = history_view(theme, store, settings)
        qtbot.addWidget(view)
        view.show()
        store.add(ended())
        await until(store.changed, lambda: store.problem)
        assert not view.banners.isHidden()
        (tmp_path / "taken").rmdir()
        store.add(ended("s:after"))
        await until(store.changed, lambda: not store.problem)
        await once(view.list.loaded, lambda: view.list.model.total == 2)
        view.hide()


async def test_below_the_list_stands_how_many_calls_are_kept_and_since_when(
    opened: OpenHistory,
) -> None:
    line = opened.view.list.kept
    await keep(opened.store, ended())
    await once(opened.view.list.loaded, lambda: "The oldest" in line.words.text())
    day = datetime.now().astimezone().strftime("%Y-%m-%d")
    assert line.words.text() == f"Keeps 10,000 calls or 200 MB. The oldest is from {day}."
    assert line.export.isHidden()
    opened.store.follow_limits(HistoryLimits(calls=500, days=7))
    opened.view.refresh()
    await once(opened.view.list.loaded, lambda: "7 days" in line.words.text())


async def test_what_goes_next_can_be_exported(opened: OpenHistory, tmp_path: Path) -> None:
    line = opened.view.list.kept
    opened.store.follow_limits(HistoryLimits(calls=20))
    await keep(opened.store, *(ended(arguments={"number": number}) for number in range(20)))
    await once(opened.view.list.loaded, lambda: line.next_to_go > 0)
    assert line.words.text().endswith("The oldest go next.")
    assert line.export.text() == "Export the oldest 2…"
    line.export.click()
    (dialog,) = opened.view.findChildren(SaveExportDialog)
    file = tmp_path / "oldest.jsonl"
    dialog.fileSelected.emit(str(file))
    await happens(opened.view.exported)
    dialog.reject()
    numbers = [json.loads(text)["arguments"]["number"] for text in file.read_text().splitlines()]
    assert numbers == [1, 0]


async def test_calls_that_wait_for_the_disk_are_counted(
    opened: OpenHistory, expected_logs: ExpectedLogs
) -> None:
    expected_logs.expect("calls are not recorded")
    path = opened.store.path
    await keep(opened.store, ended())
    with closing(sqlite3.connect(path)) as other:
        other.execute("BEGIN EXCLUSIVE")
        opened.store.add(ended())
        opened.store.add(ended())
        await until(opened.store.changed, lambda: bool(opened.store.problem))
    (said,) = opened.view.banners.messages
    assert "2 calls wait and are written once that is possible." in said
