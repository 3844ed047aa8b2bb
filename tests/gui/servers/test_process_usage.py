from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QObject, QTimer

from desktop.gui.servers.process_usage import INTERVAL_MS, MAX_INTERVAL_MS, UsagePoller, UsageReader

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.usefixtures("qapp")


@pytest.fixture
def sleeper() -> Iterator[subprocess.Popen[bytes]]:
    """A process that does nothing, until it is asked to work for each line."""
    work = "for _ in iter(input, 'end'): sum(range(5_000_000)); print('done', flush=True)"
    with subprocess.Popen(
        [sys.executable, "-S", "-c", f"print('up', flush=True)\n{work}"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdout.readline()
        yield process
        process.communicate(b"end\n")


def longest_interval(poller: UsagePoller) -> int:
    return max(timer.interval() for timer in poller.findChildren(QTimer))


def test_servers_that_do_nothing_are_looked_at_ever_more_seldom(
    sleeper: subprocess.Popen[bytes],
) -> None:
    parent = QObject()
    poller = UsagePoller(lambda: [sleeper.pid], parent)
    poller.start()
    assert longest_interval(poller) == INTERVAL_MS
    for _ in range(12):
        poller.read()
    assert longest_interval(poller) == MAX_INTERVAL_MS
    poller.stop()
    poller.start()  # the page is shown again
    assert longest_interval(poller) == INTERVAL_MS


def test_a_server_that_works_is_looked_at_often_again(sleeper: subprocess.Popen[bytes]) -> None:
    parent = QObject()
    poller = UsagePoller(lambda: [sleeper.pid], parent)
    poller.start()
    for _ in range(12):
        poller.read()
    assert sleeper.stdin is not None
    assert sleeper.stdout is not None
    sleeper.stdin.write(b"\n")
    sleeper.stdin.flush()
    sleeper.stdout.readline()
    poller.read()
    assert longest_interval(poller) == INTERVAL_MS


def test_news_of_a_server_ends_a_long_wait(sleeper: subprocess.Popen[bytes]) -> None:
    parent = QObject()
    poller = UsagePoller(lambda: [sleeper.pid], parent)
    poller.start()
    for _ in range(12):
        poller.read()
    for timer in poller.findChildren(QTimer):
        if timer.isSingleShot():
            timer.stop()
    poller.read_soon()
    assert longest_interval(poller) == INTERVAL_MS


def test_the_memory_of_everything_a_server_started_counts() -> None:
    parent = "import subprocess, sys; subprocess.run([sys.executable, '-c', sys.argv[1]])"
    child = "print('up', flush=True); input()"
    process = subprocess.Popen(
        [sys.executable, "-S", "-c", parent, child], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    try:
        assert process.stdout is not None
        process.stdout.readline()
        reader = UsageReader()
        both = reader.read([process.pid])[process.pid]
        assert both.memory > 8_000_000
        assert both.seconds >= 0
    finally:
        process.communicate(b"\n")


def test_a_process_that_is_gone_is_left_out() -> None:
    process = subprocess.Popen([sys.executable, "-S", "-c", ""])
    reader = UsageReader()
    process.wait()
    assert reader.read([process.pid]) == {}


def test_cpu_is_known_from_the_second_look_on_with_what_it_started() -> None:
    parent = "import subprocess, sys; subprocess.run([sys.executable, '-S', '-c', sys.argv[1]])"
    child = "input(); n = sum(range(5_000_000)); print('done', flush=True); input()"
    process = subprocess.Popen(
        [sys.executable, "-S", "-c", parent, "print('up', flush=True); " + child],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    try:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdout.readline()
        reader = UsageReader()
        assert reader.read([process.pid])[process.pid].cpu is None
        process.stdin.write(b"\n")
        process.stdin.flush()
        process.stdout.readline()
        cpu = reader.read([process.pid])[process.pid].cpu
        assert cpu is not None
        assert cpu > 1
    finally:
        process.communicate(b"\n")
