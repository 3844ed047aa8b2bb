"""The window goes along with the end: silent while it is short, in words when it is not."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton

from desktop.base.tasks import spawn
from desktop.gui import shutdown
from desktop.gui.main_window import MainWindow
from desktop.gui.shutdown import ClosingView, Shutdown, shortened
from desktop.gui.window_state import WindowState
from desktop.processes.tracker import McpProcessTracker, ShutdownReport
from tests.patience import LIMIT
from tests.processes.recorder import tracked_server

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme
    from tests.conftest import ExpectedLogs


def shown(view: ClosingView) -> str:
    return "\n".join(label.text() for label in view.findChildren(QLabel))


def test_it_says_who_still_runs_and_how_the_others_ended(qtbot: QtBot, theme: Theme) -> None:
    view = ClosingView(theme)
    qtbot.addWidget(view)
    view.show_progress(["files", "git"], 3, 1)
    assert "Closing 6 servers…" in shown(view)
    assert "3 closed, 1 forced." in shown(view)
    assert "Still running: files, git" in shown(view)
    view.show_progress([], 1, 0)
    assert "Closing 1 server…" in shown(view)
    assert "Still running" not in shown(view)


def test_who_could_not_be_ended_is_named(qtbot: QtBot, theme: Theme) -> None:
    view = ClosingView(theme)
    qtbot.addWidget(view)
    view.show_left(["files (PID 7)"], 3, 1)
    assert "3 closed, 1 forced, 1 left." in view.words
    assert "Could not be stopped: files (PID 7)" in view.words


def test_its_button_asks_to_end_at_once(qtbot: QtBot, theme: Theme) -> None:
    view = ClosingView(theme)
    qtbot.addWidget(view)
    view.show_progress(["files"], 0, 0)
    with qtbot.waitSignal(view.hurry_requested):
        QTest.mouseClick(view.findChildren(QPushButton)[0], Qt.MouseButton.LeftButton)


def test_what_a_server_is_called_is_no_markup(qtbot: QtBot, theme: Theme) -> None:
    view = ClosingView(theme)
    qtbot.addWidget(view)
    view.show_progress(["<b>x</b>{count}"], 0, 0)
    formats = {label.textFormat() for label in view.findChildren(QLabel) if label.text()}
    assert formats == {Qt.TextFormat.PlainText}
    assert "<b>x</b>{count}" in shown(view)


def test_many_names_are_counted() -> None:
    assert shortened([str(n) for n in range(7)]) == "0, 1, 2, 3, 4 (+2)"


@pytest.fixture
def window(qtbot: QtBot, theme: Theme, tmp_path: Path) -> Iterator[MainWindow]:
    made = MainWindow(theme, WindowState(tmp_path / "window.ini"))
    qtbot.addWidget(made)
    yield made
    made.finish()


def words(window: MainWindow) -> str:
    return "\n".join(view.words for view in window.findChildren(ClosingView))


async def test_a_short_end_needs_no_words(window: MainWindow) -> None:
    tracker = McpProcessTracker()
    await tracked_server(tracker, "plain")
    receipt = await Shutdown(window, tracker).run(tracker.close_all(), watched=True)
    assert receipt.closed == ("plain",)
    assert words(window) == ""


async def test_a_long_end_says_who_is_still_there(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutdown, "QUIET", 0.0)
    tracker = McpProcessTracker()
    await tracked_server(tracker, "stubborn")
    running = spawn(Shutdown(window, tracker).run(tracker.close_all(), watched=True), "end")
    await _until_words(window)
    assert "Closing 1 server…" in words(window)
    assert "Still running: stubborn" in words(window)
    assert (await asyncio.wait_for(running, LIMIT)).forced == ("stubborn",)
    assert "0 closed, 1 forced." in words(window)


async def test_a_second_wish_kills_at_once_and_the_receipt_says_so(window: MainWindow) -> None:
    tracker = McpProcessTracker()
    tracked, _ = await tracked_server(tracker, "stubborn")

    async def close() -> ShutdownReport:
        """As a connection and the core do it."""
        await tracker.close_connection(tracked)
        return await tracker.close_all()

    ending = Shutdown(window, tracker)
    running = spawn(ending.run(close(), watched=True), "end")
    await asyncio.sleep(0)
    ending.hurry()
    ending.hurry()
    receipt = await asyncio.wait_for(running, LIMIT)
    assert receipt == ShutdownReport((), ("stubborn",), ())
    assert tracked.process.exit_code == -9


async def test_a_closing_that_hangs_does_not_survive_the_second_wish(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch, expected_logs: ExpectedLogs
) -> None:
    expected_logs.expect("connections did not end")
    monkeypatch.setattr(shutdown, "HURRY_LIMIT", 0.01)

    async def hang() -> ShutdownReport:
        await asyncio.Event().wait()
        return ShutdownReport()

    ending = Shutdown(window, McpProcessTracker())
    running = spawn(ending.run(hang(), watched=True), "end")
    await asyncio.sleep(0)
    ending.hurry()
    assert await asyncio.wait_for(running, LIMIT) == ShutdownReport()


@pytest.mark.parametrize("watched", [True, False])
async def test_what_is_left_is_named_to_whoever_is_there(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch, *, watched: bool
) -> None:
    monkeypatch.setattr(shutdown, "LEFT_SHOWN", 0.01)
    tracker = McpProcessTracker()
    tracked, _ = await tracked_server(tracker, "plain")

    async def close() -> ShutdownReport:
        tracker.removed.send(tracked, "left")
        return ShutdownReport(left=("plain",))

    await Shutdown(window, tracker).run(close(), watched=watched)
    named = f"Could not be stopped: plain (PID {tracked.process.pid})"
    assert (named in words(window)) == watched
    await tracker.close_all()


async def _until_words(window: MainWindow) -> None:
    async with asyncio.timeout(LIMIT):
        while not words(window):  # noqa: ASYNC110 - a timer of the loop shows it
            await asyncio.sleep(0)
