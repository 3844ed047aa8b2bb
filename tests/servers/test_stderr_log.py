"""What a server writes is kept for the person: bounded, harmless, never in the server's way."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from desktop.redaction.redactor import Redaction
from desktop.servers import stderr_log as module
from desktop.servers.stderr_log import LINE_WIDTH, MAX_LINES, StderrLog, plain

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import ExpectedLogs


@pytest.mark.parametrize("size", [1, 2, 3, 100])
def test_lines_are_whole_wherever_the_bytes_are_cut(size: int) -> None:
    output = StderrLog()
    data = "eins\nzw\u00f6lf \u20ac\n\nrest".encode()
    for start in range(0, len(data), size):
        output.feed(data[start : start + size])
    assert list(output.lines) == ["eins", "zw\u00f6lf \u20ac", ""]
    output.close()
    assert output.lines[-1] == "rest"


def test_bytes_that_are_no_utf8_are_replaced() -> None:
    output = StderrLog()
    output.feed(b"a\xff\xfeb\n")
    assert list(output.lines) == ["a\ufffd\ufffdb"]


def test_control_characters_are_removed() -> None:
    assert plain("\x1b[31mred\x1b[0m\a\b\x7f\x9b\ttab") == "[31mred[0m\ttab"


def test_the_last_lines_are_kept_and_long_ones_cut() -> None:
    output = StderrLog()
    output.feed(b"".join(b"%d\n" % number for number in range(MAX_LINES + 10)))
    assert (len(output.lines), output.lines[0]) == (MAX_LINES, "10")
    output.feed(b"x" * 10_000 + b"\n")
    assert len(output.lines[-1]) == LINE_WIDTH


def test_a_flood_without_a_newline_is_bounded() -> None:
    output = StderrLog()
    for _ in range(100):
        output.feed(b"x" * 100_000)
    assert len(output.tail()) <= LINE_WIDTH


def test_secrets_are_in_no_line_no_file_and_no_error(tmp_path: Path) -> None:
    output = StderrLog(tmp_path / "a.log", Redaction(["given-s3cret"]).text)
    received: list[tuple[str, ...]] = []
    output.received.connect(received.append)
    output.feed(b"with given-s3cret and token=other-s3cret\n")
    output.feed(b"-----BEGIN PRIVATE KEY-----\ns3cret\n-----END PRIVATE KEY-----\n")
    output.feed(b"x" * (LINE_WIDTH - 5) + b" given-s3cret\n")
    output.feed(b"half a line, given-s3cret")
    assert "s3cret" not in output.tail(9)
    output.close()
    shown = "\n".join((*output.lines, *sum(received, ()), (tmp_path / "a.log").read_text("utf-8")))
    assert "s3cret" not in shown
    assert "given-s" not in shown
    assert "half a line" in shown


def test_the_tail_is_of_this_start_alone() -> None:
    output = StderrLog()
    output.add("old")
    output.feed(b"half a line")
    output.begin()
    assert output.tail() == ""
    output.feed(b"a\n\n  \nb\nunfinished")
    assert output.tail() == "a\nb\nunfinished"
    assert output.tail(1) == "unfinished"
    assert list(output.lines)[:2] == ["old", "half a line"]


def test_who_listens_gets_each_batch_once() -> None:
    output = StderrLog()
    heard: list[tuple[str, ...]] = []
    output.received.connect(heard.append)
    output.feed(b"a\nb\n")
    output.feed(b"c")
    output.feed(b"\n")
    assert heard == [("a", "b"), ("c",)]


def test_all_lines_go_to_the_file_which_is_opened_again(tmp_path: Path) -> None:
    file = tmp_path / "logs" / "server.log"
    output = StderrLog(file)
    output.feed(b"a\nb")
    output.close()
    output.feed(b"c\n")
    output.close()
    assert file.read_text("utf-8") == "a\nb\nc\n"


def test_the_file_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_FILE_LENGTH", 100)
    file = tmp_path / "server.log"
    output = StderrLog(file)
    for number in range(100):
        output.add(f"line {number:05}")
    output.close()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["server.log", "server.log.1"]
    assert all(path.stat().st_size < 200 for path in tmp_path.iterdir())
    assert file.read_text("utf-8").endswith("line 00099\n")


def test_a_file_that_cannot_be_written_is_said_once_and_lines_are_still_shown(
    tmp_path: Path, expected_logs: ExpectedLogs
) -> None:
    expected_logs.expect("no log file for this server")
    output = StderrLog(tmp_path)
    output.add("a")
    output.add("b")
    assert list(output.lines) == ["a", "b"]
    output.close()
