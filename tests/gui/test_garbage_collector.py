"""Garbage is collected, and never by another thread than the window's."""

from __future__ import annotations

import gc
import threading
from typing import TYPE_CHECKING, Any
from weakref import ref

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QGuiApplication

from desktop.gui.garbage_collector import MAX_ASIDE, MAX_WALKED, GuiGarbageCollector

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtCore import QObject
    from pytestqt.qtbot import QtBot


class Cycle:
    """Goes only when somebody collects, and says in which thread that was."""

    def __init__(self, gone: list[str]) -> None:
        self.own, self._gone = self, gone

    def __del__(self) -> None:
        self._gone.append(threading.current_thread().name)


@pytest.fixture
def collector(qapp: QObject) -> Iterator[GuiGarbageCollector]:
    gc.collect()
    gc.freeze()  # what hundreds of tests left alive is no mass of the window's
    yield GuiGarbageCollector(qapp)
    gc.collect()


def allocate() -> None:
    """More than enough for a collection, were it on."""
    kept: list[Any] = [[] for _ in range(100_000)]
    del kept


def test_a_thread_that_allocates_leaves_the_garbage_of_the_window_alone(
    collector: GuiGarbageCollector,
) -> None:
    gone: list[str] = []
    Cycle(gone)
    thread = threading.Thread(target=allocate)
    thread.start()
    thread.join()
    assert gone == []
    kept: list[Any] = [[] for _ in range(10_000)]
    collector.collect_if_due()
    assert gone == [threading.current_thread().name]
    assert len(kept) == 10_000


def test_nothing_is_collected_before_it_is_due(collector: GuiGarbageCollector) -> None:
    gc.collect()
    gone: list[str] = []
    Cycle(gone)
    collector.collect_if_due()
    assert gone == []
    gc.collect()


def test_older_garbage_is_collected_after_some_rounds(collector: GuiGarbageCollector) -> None:
    gone: list[str] = []
    cycle = Cycle(gone)
    gc.collect(0)
    del cycle
    more_than_due = gc.get_threshold()[0] + 1_000  # 700 or 2,000 objects, by the version of Python
    for _ in range(30):
        kept: list[Any] = [[] for _ in range(more_than_due)]
        collector.collect_if_due()
        del kept
    assert gone


class Row(list[Any]):
    """Something of a mass that can be seen to go."""


def mass() -> list[Row]:
    return [Row() for _ in range(MAX_WALKED + 1)]


def test_a_mass_is_set_aside_and_freed_with_its_last_reference(
    collector: GuiGarbageCollector,
) -> None:
    rows = mass()
    last = ref(rows[-1])
    collector.collect_if_due()
    aside = gc.get_freeze_count()
    assert aside > MAX_WALKED
    del rows
    assert last() is None
    assert gc.get_freeze_count() <= aside - MAX_WALKED


def test_garbage_amid_a_mass_is_collected_when_the_person_turns_to_another_app(
    collector: GuiGarbageCollector,
) -> None:
    gone: list[str] = []
    Cycle(gone)
    rows = mass()
    collector.collect_if_due()
    app = QGuiApplication.instance()
    assert isinstance(app, QGuiApplication)
    app.applicationStateChanged.emit(Qt.ApplicationState.ApplicationActive)
    assert gone == []
    app.applicationStateChanged.emit(Qt.ApplicationState.ApplicationInactive)
    assert len(gone) == 1
    assert len(rows) > MAX_WALKED


def test_masses_of_garbage_do_not_pile_up(collector: GuiGarbageCollector) -> None:
    gone: list[str] = []
    for _ in range(MAX_ASIDE // MAX_WALKED + 1):
        Cycle(gone).__dict__["rows"] = mass()
        collector.collect_if_due()
    assert gone


def test_garbage_is_collected_soon_after_it_is_due(
    collector: GuiGarbageCollector, qtbot: QtBot
) -> None:
    gone: list[str] = []
    Cycle(gone)
    kept: list[Any] = [[] for _ in range(10_000)]
    qtbot.waitUntil(lambda: bool(gone))
    assert len(kept) == 10_000
    assert collector.parent() is not None


def test_nothing_wakes_a_window_that_idles(collector: GuiGarbageCollector, qtbot: QtBot) -> None:
    gc.collect()
    qtbot.wait(1)  # a turn of the loop that ends in waiting
    assert not any(timer.isActive() for timer in collector.findChildren(QTimer))
