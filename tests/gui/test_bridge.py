from __future__ import annotations

import asyncio
import gc
from contextlib import contextmanager
from typing import TYPE_CHECKING, cast
from weakref import ref

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication, QDialog, QLabel, QWidget
from shiboken6 import isValid

from desktop.base.errors import DesktopError
from desktop.base.signals import Signal
from desktop.gui import bridge
from desktop.gui.event_loop import WindowLoop
from tests.patience import LIMIT

if TYPE_CHECKING:
    from collections.abc import Generator

    from pytestqt.qtbot import QtBot

    from tests.conftest import ExpectedLogs


class _Counter(QLabel):
    """Counts what reaches it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.seen: list[str] = []

    def take(self, text: str) -> None:
        self.setText(text)  # raises once the C++ object is gone
        self.seen.append(text)


class _Value:
    """Something that can be seen to go."""


class _Reader(QWidget):
    """Shows errors, as the window does."""

    def __init__(self) -> None:
        super().__init__()
        self.errors: list[str] = []

    def show_error(self, message: str) -> None:
        self.errors.append(message)


def _destroy(widget: QWidget) -> None:
    widget.deleteLater()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def test_what_the_core_announces_reaches_the_widget(qtbot: QtBot) -> None:
    signal: Signal[[str]] = Signal()
    widget = _Counter()
    qtbot.addWidget(widget)
    bridge.connect(widget, signal, widget.take)

    signal.send("connected")

    assert widget.seen == ["connected"]


def test_a_destroyed_widget_is_told_nothing_more(qtbot: QtBot) -> None:
    signal: Signal[[str]] = Signal()
    widget = _Counter()
    bridge.connect(widget, signal, widget.take)
    _destroy(widget)

    signal.send("late")  # a call into the destroyed widget would be logged, and fail the test

    assert widget.seen == []


def test_a_connected_function_ends_with_the_widget_too(qtbot: QtBot) -> None:
    signal: Signal[[str]] = Signal()
    seen: list[str] = []
    widget = QWidget()
    bridge.connect(widget, signal, seen.append)
    signal.send("early")
    _destroy(widget)
    signal.send("late")

    assert seen == ["early"]


def test_the_connection_keeps_no_widget_alive(qtbot: QtBot) -> None:
    signal: Signal[[str]] = Signal()
    widget = _Counter()
    bridge.connect(widget, signal, widget.take)
    alive = ref(widget)
    del widget
    gc.collect()

    assert alive() is None


def test_what_a_dialog_does_to_its_parent_keeps_the_parent_no_longer_alive(qtbot: QtBot) -> None:
    parent = _Counter()
    dialog = QDialog(parent)
    dialog.accepted.connect(bridge.if_alive(parent, lambda parent: parent.take("accepted")))
    seen = parent.seen
    dialog.accepted.emit()
    alive = ref(parent)
    del parent

    assert seen == ["accepted"]
    assert alive() is None
    assert not isValid(dialog)


def test_what_was_to_be_done_to_a_widget_that_is_gone_is_left_out() -> None:
    seen: list[str] = []
    value = _Value()
    slot = bridge.if_alive(value, lambda _: seen.append("done"))
    slot()
    del value
    slot()

    assert seen == ["done"]


async def test_a_task_ends_with_its_widget(qtbot: QtBot) -> None:
    widget = QWidget()
    task = bridge.run(widget, asyncio.sleep(60), "wait")
    assert task is not None
    await asyncio.sleep(0)
    _destroy(widget)
    await asyncio.wait([task], timeout=LIMIT)

    assert task.cancelled()


async def test_a_failure_is_logged_and_shown_by_the_nearest_reader(
    qtbot: QtBot, expected_logs: ExpectedLogs
) -> None:
    expected_logs.expect("^WARNING .*: restart: “files” does not start. Install node.$")
    reader = _Reader()
    qtbot.addWidget(reader)
    child = QLabel(parent=QWidget(parent=reader))

    task = bridge.run(child, _fail(), "restart")
    assert task is not None
    await asyncio.wait([task], timeout=LIMIT)
    await asyncio.sleep(0)

    assert reader.errors == ["“files” does not start.\nInstall node."]


async def test_an_unexpected_failure_says_what_was_being_done(
    qtbot: QtBot, expected_logs: ExpectedLogs
) -> None:
    expected_logs.expect("task save failed")
    reader = _Reader()
    qtbot.addWidget(reader)

    task = bridge.run(reader, _break(), "save")
    assert task is not None
    await asyncio.wait([task], timeout=LIMIT)
    await asyncio.sleep(0)

    assert reader.errors == ["save: ValueError: no"]


async def test_the_result_of_a_task_can_be_awaited(qtbot: QtBot) -> None:
    widget = QWidget()
    qtbot.addWidget(widget)

    task = bridge.run(widget, asyncio.sleep(0, "done"), "ask")
    assert task is not None
    assert await task == "done"


def test_what_is_begun_between_two_runs_of_the_loop_runs_in_the_second(qtbot: QtBot) -> None:
    widget = _Counter()
    qtbot.addWidget(widget)

    async def say() -> None:
        await asyncio.sleep(0)
        widget.take("done")

    with _loop() as loop:
        task = bridge.run(widget, say(), "say")
        assert task is not None
        QApplication.processEvents()
        assert widget.seen == []
        loop.run_until_complete(task)
    assert widget.seen == ["done"]


def test_what_a_timer_begins_while_no_loop_runs_ends_with_the_widget(qtbot: QtBot) -> None:
    widget = QWidget()
    with _loop() as loop:
        task = bridge.run(widget, asyncio.sleep(60), "wait")
        assert task is not None
        _destroy(widget)
        loop.run_until_complete(asyncio.wait([task]))
        assert task.cancelled()


def test_nothing_is_begun_once_the_loop_is_closed(qtbot: QtBot) -> None:
    widget = QWidget()
    qtbot.addWidget(widget)
    with _loop() as loop:
        loop.close()
        assert bridge.run(widget, asyncio.sleep(0), "wait") is None


@contextmanager
def _loop() -> Generator[asyncio.AbstractEventLoop]:
    """A loop of the window that does not run."""
    made = WindowLoop(cast("QApplication", QApplication.instance()))
    loop = cast("asyncio.AbstractEventLoop", made)
    asyncio.set_event_loop(loop)
    try:
        yield loop
    finally:
        loop.close()
        asyncio.set_event_loop(None)


async def _fail() -> None:
    raise DesktopError("“files” does not start.", remedy="Install node.")


async def _break() -> None:
    raise ValueError("no")


def test_what_a_widget_held_goes_with_it_while_its_wrapper_stays() -> None:
    widget, value = _Reader(), _Value()
    widget.__dict__["value"], alive = value, ref(value)
    bridge.release_on_destroy(widget)
    del value
    assert alive() is not None
    widget.deleteLater()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert alive() is None
    assert not vars(widget)
