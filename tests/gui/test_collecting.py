"""Garbage is collected, and never by another thread than the window's."""

from __future__ import annotations

import gc
import threading
from typing import TYPE_CHECKING, Any

import pytest

from desktop.gui.collecting import Collector

if TYPE_CHECKING:
    from PySide6.QtCore import QObject


class Cycle:
    """Goes only when somebody collects, and says in which thread that was."""

    def __init__(self, gone: list[str]) -> None:
        self.own, self._gone = self, gone

    def __del__(self) -> None:
        self._gone.append(threading.current_thread().name)


@pytest.fixture
def collector(qapp: QObject) -> Collector:
    return Collector(qapp)


def allocate() -> None:
    """More than enough for a collection, were it on."""
    kept: list[Any] = [[] for _ in range(100_000)]
    del kept


def test_a_thread_that_allocates_leaves_the_garbage_of_the_window_alone(
    collector: Collector,
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


def test_nothing_is_collected_before_it_is_due(collector: Collector) -> None:
    gc.collect()
    gone: list[str] = []
    Cycle(gone)
    collector.collect_if_due()
    assert gone == []
    gc.collect()


def test_older_garbage_is_collected_after_some_rounds(collector: Collector) -> None:
    gone: list[str] = []
    cycle = Cycle(gone)
    gc.collect(0)
    del cycle
    for _ in range(30):
        kept: list[Any] = [[] for _ in range(2_000)]
        collector.collect_if_due()
        del kept
    assert gone
