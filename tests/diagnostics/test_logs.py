"""Records go to a bounded file and, where they matter, to stderr; never with a secret in them.

The last records are kept, from any thread, without what looks like a secret.
"""

from __future__ import annotations

import logging
import threading
from logging.handlers import RotatingFileHandler
from typing import TYPE_CHECKING

import pytest

from desktop.diagnostics import logs
from desktop.diagnostics.logs import LogBuffer

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.conftest import ExpectedLogs

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
    for number in range(logs.MAX_RECORDS + 5):
        logger.info("%d", number)
    assert len(kept.after(0)) == logs.MAX_RECORDS
    assert kept.after(kept.last - 1)[0].text == str(logs.MAX_RECORDS + 4)
    kept.clear()
    assert kept.after(0) == []
    logger.info("x" * 100_000)
    assert len(kept.after(0)[0].text) == logs.MAX_RECORD_LENGTH


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


SECRET = "s3cr3t-v4lue"


def test_records_go_to_the_file_and_warnings_to_stderr(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], expected_logs: ExpectedLogs
) -> None:
    expected_logs.expect("a warning")
    logs.configure(tmp_path / "new")
    logger = logging.getLogger("desktop.test")
    logger.debug("a detail")
    logger.info("a note with token=%s", SECRET)
    logger.warning("a warning")
    written = (tmp_path / "new" / "app.log").read_text("utf-8")
    assert "a note with token=‹redacted›" in written
    assert "a warning" in written
    assert "a detail" not in written
    said = capsys.readouterr()
    assert "a warning" in said.err
    assert "a note" not in said.err
    assert said.out == ""


def test_verbose_says_notes_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    logs.configure(tmp_path, verbose=True)
    logging.getLogger("desktop.test").info("a note")
    assert "a note" in capsys.readouterr().err


def test_a_traceback_is_redacted_too(tmp_path: Path, expected_logs: ExpectedLogs) -> None:
    expected_logs.expect("it failed")
    logs.configure(tmp_path)
    try:
        {}[f"password={SECRET} "]
    except LookupError:
        logging.getLogger("desktop.test").exception("it failed")
    written = (tmp_path / "app.log").read_text("utf-8")
    assert "KeyError: 'password=‹redacted›" in written
    assert SECRET not in written


def test_what_the_sdk_says_of_a_payload_is_not_kept(tmp_path: Path) -> None:
    """It logs answers that it cannot parse as they came."""
    logs.configure(tmp_path)
    for name in ("mcp", "mcp.client.streamable_http"):
        logging.getLogger(name).error("Error parsing JSON response: payload")
    file = tmp_path / "app.log"
    assert not file.exists() or "payload" not in file.read_text("utf-8")


def test_the_file_is_bounded(tmp_path: Path) -> None:
    logs.configure(tmp_path)
    (file,) = (
        handler
        for handler in logging.getLogger().handlers
        if isinstance(handler, RotatingFileHandler)
    )
    assert (file.maxBytes, file.backupCount) == (logs.FILE_BYTES, logs.MAX_FILES)


@pytest.mark.parametrize("name", ["app.log", "app.log.2"])
def test_of_a_log_that_is_far_too_large_the_last_lines_stay(tmp_path: Path, name: str) -> None:
    found = tmp_path / name
    lines = b"".join(b"%07d a line of an earlier version\n" % number for number in range(100_000))
    found.write_bytes(lines)
    with found.open("ab") as other:  # of another run
        logs.configure(tmp_path)
        other.write(b"goes on\n")
    kept = found.read_bytes()
    first, _, rest = kept.partition(b"\n")
    assert len(kept) < 1.1 * logs.FILE_BYTES
    assert lines.endswith(rest.removesuffix(b"goes on\n"))
    assert first == b"(%d bytes of older lines were removed)" % (len(lines) - len(rest) + 8)
    assert rest.endswith(b"goes on\n")


def test_a_log_of_its_usual_size_stays_as_it_is(tmp_path: Path) -> None:
    full = b"x" * (logs.FILE_BYTES + 9_000) + b"\n"
    (tmp_path / "app.log.1").write_bytes(full)
    logs.configure(tmp_path)
    assert (tmp_path / "app.log.1").read_bytes() == full


def test_a_folder_that_cannot_be_written_costs_the_file_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], expected_logs: ExpectedLogs
) -> None:
    expected_logs.expect("no log file in")
    (tmp_path / "file").write_text("", "utf-8")
    logs.configure(tmp_path / "file")
    assert "no log file in" in capsys.readouterr().err


def test_configuring_twice_says_nothing_twice(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], expected_logs: ExpectedLogs
) -> None:
    expected_logs.expect("once")
    logs.configure(tmp_path)
    logs.configure(tmp_path)
    logging.getLogger("desktop.test").warning("once")
    assert capsys.readouterr().err.count("once") == 1
    assert (tmp_path / "app.log").read_text("utf-8").count("once") == 1
