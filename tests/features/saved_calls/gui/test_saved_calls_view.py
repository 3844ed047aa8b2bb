"""Saved calls in the window: run, see the difference, edit, delete, another folder."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, QSettings, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QListWidget, QMenu, QVBoxLayout, QWidget

from desktop.features.saved_calls.gui.saved_calls_view import (
    DURATION,
    NAME,
    OUTCOME,
    WHEN,
    SavedCallsView,
)
from desktop.features.saved_calls.gui.saved_calls_view import TOOL as TOOL_NAME
from desktop.features.saved_calls.saved_call import SavedCall
from desktop.features.saved_calls.saved_call_runner import SavedCallRunner
from desktop.features.saved_calls.saved_calls import SavedCalls
from desktop.gui import shortcuts
from desktop.gui.activity.actions import button_for, make_action, offer_menu
from desktop.gui.activity.compare_view import DiffView
from tests.gui.activity.conftest import activate, once
from tests.history.calls import ended, record_of
from tests.live_servers import until
from tests.patience import LIMIT

if TYPE_CHECKING:
    from pathlib import Path

    from PySide6.QtWidgets import QTreeWidgetItem
    from pytestqt.qtbot import QtBot

    from desktop.core import Core
    from desktop.gui.theme import Theme


def test_key_button_and_menu_do_the_same(qtbot: QtBot, theme: Theme) -> None:
    owner, view = QWidget(), QListWidget()
    qtbot.addWidget(owner)
    done: list[str] = []
    action = make_action(
        owner, theme, "play", "Run", shortcuts.RUN_AGAIN, lambda: done.append("run")
    )
    button = button_for(action)
    column = QVBoxLayout(owner)
    column.addWidget(view)
    column.addWidget(button)
    offer_menu(view, owner)
    action.setText("Run")
    with qtbot.waitActive(owner):
        owner.show()
        owner.activateWindow()
    view.setFocus()
    assert (button.text(), button.toolTip()) == ("Run", "Run (Ctrl+R)")

    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    QTest.keyClick(view, Qt.Key.Key_R, Qt.KeyboardModifier.ControlModifier)
    view.customContextMenuRequested.emit(QPoint(1, 1))
    menu = owner.findChild(QMenu)
    assert menu is not None
    assert menu.actions() == [action]
    menu.close()
    assert done == ["run", "run"]

    action.setEnabled(False)
    assert not button.isEnabled()
    action.setVisible(False)
    assert button.isHidden()


TOOL = "calculator:calculate"
ADD = {"operation": "add", "a": 1, "b": 2}


@dataclass
class Bench:
    """The view over the calls of a folder, with the calculator behind."""

    view: SavedCallsView
    calls: SavedCalls

    @property
    def outcomes(self) -> list[str]:
        tree = self.view.tree
        return [self.item(row).text(OUTCOME) for row in range(tree.topLevelItemCount())]

    def item(self, row: int) -> QTreeWidgetItem:
        item = self.view.tree.topLevelItem(row)
        assert item is not None
        return item

    async def save(self, name: str, **fields: object) -> None:
        call = {"name": name, "tool": TOOL, "arguments": ADD, **fields}
        await self.calls.add(SavedCall.model_validate(call))

    async def ended(self) -> None:
        """The run that goes on is over, or was before."""
        if self.view.running is not None:
            await asyncio.wait_for(self.view.running, LIMIT)

    async def ran(self, count: int) -> None:
        await until(self.calls.judged, lambda: len(self.calls.verdicts) == count)
        await self.ended()


@pytest.fixture
async def bench(qtbot: QtBot, theme: Theme, core: Core, settings: QSettings) -> Bench:
    runner = SavedCallRunner(core.service, core.executor)
    calls = SavedCalls(core.paths.saved_calls, core.history)
    view = SavedCallsView(theme, calls, runner, settings)
    qtbot.addWidget(view)
    view.resize(1000, 500)
    view.show()
    await until(calls.changed, lambda: True)
    return Bench(view, calls)


async def test_without_saved_calls_the_next_step_is_said(bench: Bench) -> None:
    await until(bench.calls.changed, lambda: True)
    assert bench.view.stack.currentWidget() is bench.view.empty
    assert not bench.view.run_all.isEnabled()
    assert bench.view.folder.geometry().right() == bench.view.rect().right()
    assert bench.view.folder.alignment() & Qt.AlignmentFlag.AlignRight


async def test_all_run_in_order_and_each_says_how_it_went(bench: Bench) -> None:
    await bench.save("a passes", expect={"equals": {"result": 3}})
    await bench.save("b fails", expect={"equals": {"result": 4}})
    await bench.save("c is away", tool="nowhere:x")
    assert bench.outcomes == ["Not run yet"] * 3
    bench.view.run_all.trigger()
    assert bench.view.stop.isEnabled()
    await bench.ran(3)
    assert bench.outcomes == ["Passed", "Failed", "No server"]
    bench.view.tree.setCurrentItem(bench.item(1))
    assert "result: expected 4, got 3" in bench.view.outcome.text()
    assert bench.item(0).text(DURATION).endswith("s")


async def test_after_a_restart_the_list_still_says_how_each_went_and_when(
    bench: Bench,
) -> None:
    await bench.save("a passes", expect={"equals": {"result": 3}})
    await bench.save("b fails", expect={"equals": {"result": 4}})
    bench.view.run_all.trigger()
    await bench.ran(2)
    bench.calls.verdicts.clear()  # what a restart leaves
    bench.calls.last.clear()
    await bench.calls.load()

    assert bench.outcomes == ["Passed", "Failed"]
    assert all(bench.item(row).text(WHEN) for row in range(2))
    bench.view.tree.setCurrentItem(bench.item(1))
    assert "Run it again" in bench.view.outcome.text()


async def test_one_runs_by_key_and_opens_in_the_form(bench: Bench) -> None:
    await bench.save("one")
    await activate(bench.view)
    bench.view.tree.setFocus()
    opened: list[tuple[str, dict[str, object]]] = []

    def note(key: str, arguments: dict[str, object]) -> None:
        opened.append((key, arguments))

    bench.view.open_call_requested.connect(note)
    QTest.keyClick(bench.view.tree, Qt.Key.Key_E, Qt.KeyboardModifier.ControlModifier)
    assert opened == [(TOOL, ADD)]
    QTest.keyClick(bench.view.tree, Qt.Key.Key_R, Qt.KeyboardModifier.ControlModifier)
    await bench.ran(1)
    assert bench.outcomes == ["Passed"]


async def test_a_call_runs_with_those_whose_values_it_needs(bench: Bench) -> None:
    await bench.save("adds")
    uses = {"operation": "add", "a": "${{ adds.result }}", "b": 10}
    await bench.save("other")
    await bench.save("uses", arguments=uses, expect={"equals": {"result": 13}})
    await bench.save("wrong", arguments=uses | {"a": "${{ ads.result }}"})
    bench.view.tree.setCurrentItem(bench.item(2))
    bench.view.open_form.trigger()
    assert "not known before 'adds' has run" in bench.view.banners.messages[0]
    bench.view.run.trigger()
    await bench.ended()
    assert bench.outcomes == ["Passed", "Not run yet", "Passed", "Not run yet"]
    opened: list[object] = []

    def note(_: str, arguments: dict[str, object]) -> None:
        opened.append(arguments)

    bench.view.open_call_requested.connect(note)
    bench.view.open_form.trigger()
    assert opened == [uses | {"a": 3}]
    bench.view.tree.setCurrentItem(bench.item(3))
    bench.view.run.trigger()
    await bench.ended()
    assert bench.outcomes[3] == "Skipped"
    assert "did you mean 'adds'?" in bench.view.outcome.text()


async def test_an_outcome_changes_its_own_row_and_makes_none_anew(bench: Bench) -> None:
    for number in range(4):
        await bench.save(f"call {number}")
    rows = [bench.item(row) for row in range(4)]
    bench.view.tree.setCurrentItem(rows[2])
    touched: set[int] = set()
    at_outcomes: list[set[int]] = []

    def note(item: QTreeWidgetItem) -> None:
        touched.add(rows.index(item))

    bench.view.tree.itemChanged.connect(note)
    bench.calls.judged.connect(lambda _: at_outcomes.append(set(touched)))
    bench.view.run_all.trigger()
    await bench.ended()
    assert bench.outcomes == ["Passed"] * 4
    assert all(seen <= set(range(n + 1)) for n, seen in enumerate(at_outcomes))
    assert [bench.item(row) for row in range(4)] == rows
    assert bench.view.tree.currentItem() is rows[2]
    assert bench.view.outcome.text() == "All expectations were met."


async def test_the_call_that_runs_is_marked_until_its_outcome(bench: Bench) -> None:
    await bench.save("a")
    await bench.save("b")
    seen: list[list[str]] = []
    bench.view.tree.itemChanged.connect(lambda: seen.append(bench.outcomes))
    bench.view.run_all.trigger()
    await bench.ended()
    assert seen[0] == ["Running…", "Not run yet"]
    assert bench.outcomes == ["Passed", "Passed"]


async def test_files_read_again_keep_the_rows_of_the_calls_that_stay(bench: Bench) -> None:
    await bench.save("a")
    await bench.save("c")
    rows = [bench.item(0), bench.item(1)]
    bench.view.tree.setCurrentItem(rows[1])
    first = bench.calls.entries[0]
    await bench.calls.replace(first, first.call.model_copy(update={"tool": "nowhere:x"}))
    assert [bench.item(0), bench.item(1)] == rows
    assert rows[0].text(TOOL_NAME) == "nowhere:x"
    await bench.save("b")
    assert [bench.item(row).text(NAME) for row in range(3)] == ["a", "b", "c"]
    assert bench.view.current == bench.calls.entries[2]


async def test_a_stopped_call_is_marked_no_more(bench: Bench) -> None:
    await bench.save("a")
    stopped = asyncio.Event()

    def stop(item: QTreeWidgetItem) -> None:
        if item.text(OUTCOME) == "Running…" and not stopped.is_set():
            stopped.set()
            asyncio.get_running_loop().call_soon(bench.view.stop.trigger)

    bench.view.tree.itemChanged.connect(stop)
    bench.view.run_all.trigger()
    running = bench.view.running
    assert running is not None
    await asyncio.wait([running], timeout=LIMIT)
    assert stopped.is_set()
    assert bench.outcomes == ["Not run yet"]


async def test_a_run_of_all_says_how_far_it_is(bench: Bench) -> None:
    for number in range(3):
        await bench.save(f"call {number}")
    seen: list[str] = []
    bench.calls.judged.connect(lambda _: seen.append(bench.view.progress.words.text()))
    assert bench.view.progress.isHidden()
    bench.view.run_all.trigger()
    await bench.ended()
    assert seen[0] == "1 of 3 · call 0"
    assert bench.view.progress.isHidden()


async def test_a_new_result_is_accepted_after_its_difference_was_seen(bench: Bench) -> None:
    await bench.save("adds", expect={"snapshot": True})
    stored = bench.calls.folder / "adds.snapshots" / "adds.json"
    assert not bench.view.review.isVisible()
    bench.view.run.trigger()
    await bench.ended()
    assert (bench.outcomes, stored.exists()) == (["Failed"], False)
    dialog = bench.view.open_review()
    assert dialog is not None
    QTest.keyClick(dialog, Qt.Key.Key_Return)  # no key accepts by itself
    assert not stored.exists()
    await accept(bench)
    assert bench.outcomes == ["Passed"]
    stored.write_text(stored.read_text("utf-8").replace("3", "4"), encoding="utf-8")
    bench.view.run.trigger()
    await bench.ended()
    assert bench.outcomes == ["Failed"]
    dialog = bench.view.open_review()
    assert dialog is not None
    diff = dialog.findChild(DiffView)
    assert diff is not None
    lines = [line.split() for line in diff.toPlainText().splitlines()]
    assert ["-", '"result":', "4"] in lines
    assert ["+", '"result":', "3"] in lines
    dialog.reject()
    await accept(bench)
    assert '"result": 3' in stored.read_text("utf-8")
    assert not bench.view.review.isVisible()


async def accept(bench: Bench) -> None:
    dialog = bench.view.open_review()
    assert dialog is not None
    QTest.mouseClick(dialog.act, Qt.MouseButton.LeftButton)
    await once(bench.view.tree.itemChanged, lambda: bench.outcomes == ["Passed"])


async def test_a_run_can_be_stopped(bench: Bench) -> None:
    for number in range(3):
        await bench.save(f"call {number}")
    bench.view.run_all.trigger()
    bench.view.stop.trigger()
    await bench.calls.load()
    assert not bench.view.is_running
    assert bench.outcomes.count("Not run yet") >= 2


async def test_an_edit_is_written_to_the_file(bench: Bench) -> None:
    await bench.save("old")
    dialog = bench.view.open_editor()
    assert dialog is not None
    dialog.name.setText("new")
    row = dialog.expect.rows[0]
    row.kind.setCurrentIndex(row.kind.findData("seconds"))
    row.text.setText("5")
    dialog.accept()
    await until(bench.calls.changed, lambda: bench.calls.entries[0].call.name == "new")
    text = (bench.calls.folder / "old.json").read_text(encoding="utf-8")
    assert json.loads(text)["expect"] == {"seconds": 5.0}


async def test_delete_asks_first(bench: Bench) -> None:
    await bench.save("one")
    dialog = bench.view.ask_delete()
    assert dialog is not None
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    assert (bench.calls.folder / "one.json").exists()
    dialog = bench.view.ask_delete()
    assert dialog is not None
    QTest.mouseClick(dialog.act, Qt.MouseButton.LeftButton)
    await until(bench.calls.changed, lambda: not bench.calls.entries)


async def test_a_call_of_the_history_can_be_saved(bench: Bench) -> None:
    finished = ended(TOOL, {"a": 1, "token": "hunter22"}, structured={"x": 1})
    dialog = bench.view.save_record(record_of(finished))
    dialog.name.setText("from history")
    dialog.accept()
    await until(bench.calls.changed, lambda: len(bench.calls.entries) == 1)
    assert bench.calls.entries[0].call.arguments == {"a": 1}


@pytest.mark.parametrize("is_unchecked", [True, False])
async def test_a_call_that_was_sent_unchecked_is_saved_as_one(
    bench: Bench, is_unchecked: bool
) -> None:
    finished = ended(TOOL, {"a": 1}, is_unchecked=is_unchecked)
    dialog = bench.view.save_record(record_of(finished))
    dialog.name.setText("from history")
    dialog.accept()
    await until(bench.calls.changed, lambda: len(bench.calls.entries) == 1)
    assert bench.calls.entries[0].call.is_validated is not is_unchecked


async def test_another_folder_is_remembered_and_a_broken_file_is_said(
    bench: Bench, tmp_path: Path, settings: QSettings
) -> None:
    folder = tmp_path / "team"
    write_broken(folder)
    bench.view.use_folder(str(folder))
    await until(bench.calls.changed, lambda: bench.calls.problems)
    assert not bench.view.banners.isHidden()
    assert settings.value("history/calls_folder") == str(folder)


def write_broken(folder: Path) -> None:
    folder.mkdir()
    (folder / "broken.json").write_text("{", encoding="utf-8")
