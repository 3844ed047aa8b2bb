"""The last records are kept, from any thread, without what looks like a secret."""

from __future__ import annotations

import logging
import threading
from typing import TYPE_CHECKING

import pytest

from desktop import recent_logs
from desktop.recent_logs import LogBuffer

if TYPE_CHECKING:
    from collections.abc import Iterator

logger = logging.getLogger("desktop.some_part")


@pytest.fixture
def kept(caplog: pytest.LogCaptureFixture) -> Iterator[LogBuffer]:
    caplog.set_level(logging.INFO)
    made = LogBuffer()
    made.start()
    yield made
    made.stop()


def test_a_record_is_kept_with_its_level_and_name(kept: LogBuffer) -> None:
    logger.info("hello %s", "there")
    (line,) = kept.after(0)
    assert (line.number, line.level, line.name, line.text) == (
        1,
        logging.INFO,
        "desktop.some_part",
        "hello there",
    )
    assert kept.after(1) == []


def test_secrets_are_taken_out_of_tracebacks_too(kept: LogBuffer) -> None:
    logger.info("failed", exc_info=ValueError("password=h1dden"))
    text = kept.after(0)[0].text
    assert "ValueError" in text
    assert "h1dden" not in text


def test_only_the_last_are_kept(kept: LogBuffer) -> None:
    for number in range(recent_logs.KEPT + 5):
        logger.info("%d", number)
    assert len(kept.after(0)) == recent_logs.KEPT
    assert kept.after(kept.last - 1)[0].text == str(recent_logs.KEPT + 4)
    kept.clear()
    assert kept.after(0) == []
    logger.info("x" * 100_000)
    assert len(kept.after(0)[0].text) == recent_logs.LONGEST


def test_records_come_from_other_threads(kept: LogBuffer) -> None:
    threads = [threading.Thread(target=logger.info, args=("from afar",)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [line.number for line in kept.after(0)] == list(range(1, 9))


def test_nothing_is_kept_once_it_was_stopped(kept: LogBuffer) -> None:
    kept.stop()
    logger.info("too late")
    assert kept.after(0) == []
