from __future__ import annotations

import asyncio
import gc
from typing import TYPE_CHECKING
from weakref import ref

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication, QLabel, QWidget

from desktop.errors import DesktopError
from desktop.gui import bridge
from desktop.signals import Signal

if TYPE_CHECKING:
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


async def test_a_task_ends_with_its_widget(qtbot: QtBot) -> None:
    widget = QWidget()
    task = bridge.run(widget, asyncio.sleep(60), "wait")
    await asyncio.sleep(0)
    _destroy(widget)
    await asyncio.wait([task], timeout=5)

    assert task.cancelled()


async def test_a_failure_is_logged_and_shown_by_the_nearest_reader(
    qtbot: QtBot, expected_logs: ExpectedLogs
) -> None:
    expected_logs.expect("task restart failed")
    reader = _Reader()
    qtbot.addWidget(reader)
    child = QLabel(parent=QWidget(parent=reader))

    await asyncio.wait([bridge.run(child, _fail(), "restart")], timeout=5)
    await asyncio.sleep(0)

    assert reader.errors == ["“files” does not start.\nInstall node."]


async def test_an_unexpected_failure_says_what_was_being_done(
    qtbot: QtBot, expected_logs: ExpectedLogs
) -> None:
    expected_logs.expect("task save failed")
    reader = _Reader()
    qtbot.addWidget(reader)

    await asyncio.wait([bridge.run(reader, _break(), "save")], timeout=5)
    await asyncio.sleep(0)

    assert reader.errors == ["save: ValueError: no"]


async def test_the_result_of_a_task_can_be_awaited(qtbot: QtBot) -> None:
    widget = QWidget()
    qtbot.addWidget(widget)

    assert await bridge.run(widget, asyncio.sleep(0, "done"), "ask") == "done"


async def _fail() -> None:
    raise DesktopError("“files” does not start.", remedy="Install node.")


async def _break() -> None:
    raise ValueError("no")


def test_what_a_widget_held_goes_with_it_while_its_wrapper_stays() -> None:
    widget, value = _Reader(), _Value()
    widget.__dict__["value"], alive = value, ref(value)
    bridge.let_go(widget)
    del value
    assert alive() is not None
    widget.deleteLater()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert alive() is None
    assert not vars(widget)
