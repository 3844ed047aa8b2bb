"""The results of saved calls in the dialog: run on two real servers, and against a recording."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton, QWidget

from desktop.base.paths import Paths
from desktop.core import build_core
from desktop.features.recordings.gui.compare_dialog import CompareDialog
from desktop.features.recordings.gui.results_view import AFTER, BEFORE, RESULT
from desktop.features.saved_calls.saved_call import SavedCall
from desktop.features.saved_calls.saved_call_files import CallFile, write_calls
from desktop.features.saved_calls.saved_call_runner import SavedCallRunner
from desktop.features.saved_calls.saved_calls import SavedCalls
from desktop.servers.recording import Recorder
from tests import peers
from tests.gui.activity.conftest import once
from tests.live_servers import stdio, until
from tests.patience import LIMIT

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from desktop.core import Core
    from desktop.gui.theme import Theme

CREATE: dict[str, Any] = {"name": "create", "tool": "notes:create", "arguments": {"text": "milk"}}
READ: dict[str, Any] = {
    "name": "read",
    "tool": "notes:read",
    "arguments": {"id": "${{ create.id }}"},
    "expect": {"equals": {"text": "milk"}},
}


@dataclass
class Bench:
    """The dialog over a core whose servers are connected."""

    parent: QWidget
    dialog: CompareDialog
    core: Core
    calls: SavedCalls

    @property
    def rows(self) -> list[list[str]]:
        tree = self.dialog.results.tree
        items = [tree.topLevelItem(row) for row in range(tree.topLevelItemCount())]
        return [[item.text(column) for column in range(4)] for item in items if item is not None]

    def button(self, text: str) -> QPushButton:
        found = [
            each for each in self.dialog.results.findChildren(QPushButton) if each.text() == text
        ]
        return found[0]

    def press(self, text: str) -> None:
        QTest.mouseClick(self.button(text), Qt.MouseButton.LeftButton)

    def choose(self, first: str, other: str) -> None:
        self.dialog.old.setCurrentIndex(self.dialog.old.findText(first))
        self.dialog.new.setCurrentIndex(self.dialog.new.findText(other))

    async def run(self) -> None:
        self.press("Run on both")
        assert self.dialog.results.is_running
        await once(self.dialog.results.ended, lambda: not self.dialog.results.is_running)


def save(core: Core, *calls: dict[str, Any]) -> None:
    found = tuple(SavedCall.model_validate(call) for call in calls)
    write_calls(CallFile(core.paths.saved_calls / "a.json", found, {"calls": []}))


@pytest.fixture
async def core(tmp_path: Path) -> AsyncIterator[Core]:
    made = build_core(Paths(tmp_path / "mcp.json", tmp_path / "data"), {"SHELL": "/bin/sh"})
    made.follow_store()
    made.store.add_server(stdio("notes"))
    made.store.add_server(stdio("notes", name="twin"))
    made.store.add_server(stdio("notes", "--version", 2, name="later"))
    await made.settle()
    yield made
    await made.close()


@pytest.fixture
def settings(tmp_path: Path) -> QSettings:
    return QSettings(str(tmp_path / "window.ini"), QSettings.Format.IniFormat)


async def opened(
    qtbot: QtBot, theme: Theme, core: Core, settings: QSettings, server: str = "notes"
) -> Bench:
    parent = QWidget()
    qtbot.addWidget(parent)
    runner = SavedCallRunner(core.service, core.executor)
    calls = SavedCalls(core.paths.saved_calls, core.history)
    dialog = CompareDialog(parent, theme, core.service, server, calls, runner, settings)
    dialog.open()
    dialog.tabs.setCurrentWidget(dialog.results)
    await until(calls.changed, lambda: bool(calls.entries))
    return Bench(parent, dialog, core, calls)


@pytest.fixture
async def bench(qtbot: QtBot, theme: Theme, core: Core, settings: QSettings) -> Bench:
    save(core, CREATE, READ)
    made = await opened(qtbot, theme, core, settings)
    made.choose("notes", "later")
    return made


async def test_nothing_is_called_before_the_button_and_what_would_be_is_said(bench: Bench) -> None:
    results = bench.dialog.results
    assert results.about.text() == (
        "2 saved calls. They are made on “notes” first, then on “later”."
    )
    assert results.risk.text().endswith("may change something: create, read")
    assert bench.rows == [["create", "", "", ""], ["read", "", "", ""]]
    assert not bench.button("Stop").isEnabled()
    assert not bench.button("Run on both").hasFocus()
    assert (await bench.core.history.page()).total == 0


async def test_the_calls_are_made_on_both_and_what_differs_is_chosen_and_shown(
    bench: Bench,
) -> None:
    await bench.run()
    assert bench.rows == [
        ["create", "Passed", "Passed", "Same"],
        ["read", "Passed", "Failed", "Differ"],
    ]
    results = bench.dialog.results
    assert results.summary.text() == "1 result differs"
    shown = results.diff.toPlainText().splitlines()
    assert '-     "text": "milk"' in shown
    assert '+     "text": "MILK"' in shown
    assert 'After: text: expected "milk", got "MILK"' in results.words.text()
    QTest.keyClick(results.tree, Qt.Key.Key_Home)
    assert (results.words.text(), results.diff.isHidden()) == ("Same", True)


async def test_two_servers_that_answer_alike_are_the_same_and_another_pair_begins_anew(
    bench: Bench,
) -> None:
    bench.choose("notes", "twin")
    await bench.run()
    assert bench.dialog.results.summary.text() == "The results are the same"
    bench.choose("notes", "later")
    assert bench.dialog.results.summary.isHidden()
    assert bench.rows[0][BEFORE:] == ["", "", ""]


async def test_the_calls_of_a_third_server_are_made_where_they_are_chosen(bench: Bench) -> None:
    bench.choose("twin", "later")
    results = bench.dialog.results
    assert (results.empty.isVisible(), results.run.isEnabled()) == (True, False)
    QTest.keyClick(results.whose, Qt.Key.Key_Down)
    assert results.whose.currentText() == "notes"
    made: list[str] = []
    bench.core.executor.started.connect(lambda call: made.append(call.key))
    await bench.run()
    assert made == ["twin:create", "twin:read", "later:create", "later:read"]
    assert bench.rows[1][RESULT] == "Differ"


async def test_a_recording_is_the_other_side_and_only_the_server_is_called(
    bench: Bench, tmp_path: Path
) -> None:
    path = tmp_path / "session.jsonl"
    recorder = Recorder(bench.core.traffic, path, with_kept=True)
    bench.choose("notes", "twin")
    await bench.run()
    recorder.close()
    bench.dialog.open_recording(str(path))
    await once(
        bench.dialog.compared, lambda: bench.dialog.old.findText("notes · session.jsonl") > 0
    )
    bench.choose("notes · session.jsonl", "later")
    results = bench.dialog.results
    assert "Only “later” is called" in results.about.text()
    made: list[str] = []
    bench.core.executor.started.connect(lambda call: made.append(call.key))
    await bench.run()
    assert made == ["later:create", "later:read"]
    assert bench.rows[1] == ["read", "Passed", "Failed", "Differ"]
    save(bench.core, CREATE | {"arguments": {"text": "eggs"}})
    results.load()
    await until(bench.calls.changed, lambda: len(bench.rows) == 1)
    await bench.run()
    assert bench.rows == [["create", "Not recorded", "Passed", "Not compared"]]
    assert results.summary.text() == "No call was answered on both."


async def test_calls_that_only_one_side_answered_are_counted_in_the_verdict(bench: Bench) -> None:
    later = {"name": "uses it", "tool": "notes:read", "arguments": {"id": "${{ none.id }}"}}
    refused = {"name": "refused", "tool": "notes:read", "arguments": {"id": "none"}}
    save(bench.core, refused, later)
    bench.dialog.results.load()
    await until(bench.calls.changed, lambda: bench.rows[1][0] == "uses it")
    bench.choose("notes", "twin")
    await bench.run()
    assert bench.rows[1][BEFORE:] == ["Skipped", "Skipped", "Not compared"]
    assert bench.dialog.results.summary.text() == "The results are the same · 1 not compared"


@pytest.mark.parametrize("way", ["button", "escape"])
async def test_a_run_is_stopped_at_its_server_and_nothing_follows(
    bench: Bench, theme: Theme, settings: QSettings, way: str
) -> None:
    bench.core.store.add_server(stdio("plain"))
    bench.core.store.add_server(stdio("plain", name="plain2"))
    await bench.core.settle()
    slow = {"name": "slow", "tool": "plain:slow", "arguments": {"seconds": 60}}
    save(bench.core, slow, {"name": "adds", "tool": "plain:add", "arguments": {"a": 1, "b": 2}})
    dialog = CompareDialog(
        bench.parent,
        theme,
        bench.core.service,
        "plain",
        bench.calls,
        SavedCallRunner(bench.core.service, bench.core.executor),
        settings,
    )
    other = Bench(bench.parent, dialog, bench.core, bench.calls)
    dialog.open()
    dialog.tabs.setCurrentWidget(dialog.results)
    other.choose("plain", "plain2")
    await until(bench.calls.changed, lambda: len(other.rows) == 2)
    begun, ended = asyncio.Event(), asyncio.Event()
    bench.core.executor.started.connect(lambda _: begun.set())
    bench.core.executor.finished.connect(lambda _, __: ended.set())
    other.press("Run on both")
    async with asyncio.timeout(LIMIT):
        await begun.wait()
    assert other.rows[0][BEFORE] == "Running…"
    assert not dialog.old.isEnabled()
    assert dialog.results.progress.bar.maximum() == 4
    if way == "button":
        other.press("Stop")
    else:
        QTest.keyClick(dialog.results.tree, Qt.Key.Key_Escape)
    assert dialog.isVisible()
    assert dialog.old.isEnabled()
    assert dialog.results.progress.isHidden()
    async with asyncio.timeout(LIMIT):
        await ended.wait()
    assert [row[AFTER:] for row in other.rows] == [["", ""], ["", ""]]
    dialog.reject()


async def test_closing_the_dialog_stops_the_run(bench: Bench) -> None:
    bench.press("Run on both")
    bench.dialog.reject()
    assert not bench.dialog.results.is_running


async def test_without_saved_calls_the_next_step_is_said(
    qtbot: QtBot, theme: Theme, core: Core, settings: QSettings
) -> None:
    save(core, {"name": "x", "tool": "another:x"})
    bench = await opened(qtbot, theme, core, settings)
    results = bench.dialog.results
    assert not results.run.isEnabled()
    assert results.empty.isVisible()
    assert results.empty.accessibleName().startswith("No saved calls of “notes” or ")


@pytest.mark.real_servers
@peers.needs_everything
async def test_two_runs_of_a_published_server_differ_only_in_what_changes_each_time(
    qtbot: QtBot, theme: Theme, core: Core, settings: QSettings
) -> None:
    command, *args = peers.everything_command()
    for name in ("everything", "everything2"):
        entry = stdio("plain", name=name, era="auto")
        core.store.add_server(entry.model_copy(update={"command": command, "args": tuple(args)}))
    await core.settle()
    save(
        core,
        {"name": "echo", "tool": "everything:echo", "arguments": {"message": "hello"}},
        {"name": "sum", "tool": "everything:get-sum", "arguments": {"a": 1, "b": 2}},
        {"name": "picture", "tool": "everything:get-tiny-image"},
    )
    bench = await opened(qtbot, theme, core, settings, "everything")
    bench.choose("everything", "everything2")
    await bench.run()
    assert [row[RESULT] for row in bench.rows] == ["Same", "Same", "Same"]
    bench.dialog.reject()
