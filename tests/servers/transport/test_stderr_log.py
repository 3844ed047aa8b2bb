"""What a server writes is kept for the person: bounded, harmless, never in the server's way."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from desktop.redaction.redactor import Redaction
from desktop.servers.transport import stderr_log as module
from desktop.servers.transport.stderr_log import (
    LINE_WIDTH,
    MAX_LINES,
    StderrLog,
    is_divider,
    plain,
    reasons,
)

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
    assert plain("a\a\b\x7f\x9b\ttab\x1b") == "a\ttab"


@pytest.mark.parametrize(
    "text",
    [
        "\x1b[33mWARN\x1b[39m",
        "\x1b[1;38;2;255;0;0mWARN\x1b[m",
        "\x9b31mWARN",
        "\x1b]0;a title\x07WARN",
        "\x1b]8;;https://example.org\x1b\\WARN\x1b]8;;\x1b\\",
        "WARN\x1b]0;never ended",
        "\x1bPdevice\x1b\\WARN",
        "\x1b(B\x1b7WARN\x1b8\x1b=",
        "\x1b[?25lWARN\x1b[2K\x1b[1G",
    ],
)
def test_control_sequences_go_whole(text: str) -> None:
    assert plain(text) == "WARN"


NODE = """\
Starting ...
node:internal/process/promises:288
            triggerUncaughtException(err, true /* fromPromise */);
            ^

TypeError: fetch failed
    at node:internal/deps/undici/undici:12618:11
    at async load (file:///x/dist/index.js:528:1) {
  [cause]: Error: getaddrinfo ENOTFOUND svelte.dev
      at GetAddrInfoReqWrap.onlookup [as oncomplete] (node:dns:107:26) {
    errno: -3008,
    code: 'ENOTFOUND',
    syscall: 'getaddrinfo',
    hostname: 'svelte.dev'
  }
}

Node.js v20.20.2
"""
PYTHON = """\
Traceback (most recent call last):
  File "/x/server.py", line 7, in <module>
    main()
  File "/x/server.py", line 4, in main
    raise RuntimeError("x" + key)
          ^^^^^^^^^^^^^^^^^^^^^^^
RuntimeError: the key is missing
"""


@pytest.mark.parametrize(
    ("text", "tail"),
    [
        (
            NODE,
            "TypeError: fetch failed\n"
            "  [cause]: Error: getaddrinfo ENOTFOUND svelte.dev\n    errno: -3008,\n"
            "    syscall: 'getaddrinfo',\n    hostname: 'svelte.dev'",
        ),
        (PYTHON, "RuntimeError: the key is missing"),
        ("loading\nError: no licence\n", "Error: no licence\nloading"),
        ("a\nb\nc\nd\ne\nf\n", "b\nc\nd\ne\nf"),
        (
            "    at one (x.js:1:1)\n    at two (x.js:2:1)\n",
            "    at one (x.js:1:1)\n    at two (x.js:2:1)",
        ),
        (
            "2026-11-22 ERROR main: no key\n" + "usage\n" * 9,
            "2026-11-22 ERROR main: no key" + "\nusage" * 4,
        ),
        (
            "Run it with auth first.\nnpm notice\nnpm notice To update run: x\n",
            "Run it with auth first.",
        ),
    ],
    ids=["node", "python", "short", "no error", "frames alone", "usage after it", "news of npm"],
)
def test_the_tail_begins_with_the_reason_and_has_no_frames(text: str, tail: str) -> None:
    output = StderrLog()
    output.feed(text.encode())
    assert output.tail() == tail


def test_long_lines_without_a_reason_are_looked_through_quickly() -> None:
    """Each pattern is linear: a server must not be able to stall the window with its words."""
    lines = [
        "    at " + "(" * 4000,
        "x:" * 2000,
        "| " * 2000,
        "Error" * 800,
        " " * 3999 + "x",
    ] * 200
    assert len(reasons(lines, 5)) == 5


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


def test_each_run_that_writes_begins_below_a_line_with_its_time(tmp_path: Path) -> None:
    output = StderrLog(tmp_path / "a.log")
    output.begin()
    output.add("first")
    output.begin()
    output.begin()
    output.add("second", "third")
    output.add("fourth")
    output.close()
    one, first, two, second, *_ = output.lines
    assert (first, second) == ("first", "second")
    assert is_divider(one)
    assert is_divider(two)
    assert re.search(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d", two)
    assert len(output.lines) == 6
    assert output.tail() == "second\nthird\nfourth"
    assert (tmp_path / "a.log").read_text("utf-8").splitlines() == list(output.lines)
    assert not is_divider("\u2500" * 8)


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


WORDS = "找不到模块，请检查"


@pytest.mark.parametrize(
    ("names", "encoding"),
    [
        ({"LANG": "zh_CN.UTF-8"}, "gbk"),
        ({"LC_ALL": "zh_TW.UTF-8"}, "gb18030"),
        ({"LANG": "C", "LANGUAGE": "zh_CN:en"}, "gb2312"),
        ({"LANG": "en_US.UTF-8"}, "utf-8"),
        ({"LANG": "zh_CN.UTF-8"}, "utf-8"),
    ],
)
@pytest.mark.parametrize("size", [1, 3, 1000])
def test_lines_in_the_encoding_of_the_system_are_read(
    names: dict[str, str], encoding: str, size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("LC_ALL", "LC_CTYPE", "LANG", "LANGUAGE"):
        monkeypatch.setenv(name, names.get(name, ""))
    written = f"{WORDS}\n".encode(encoding) + "日志 ok\n".encode()
    output = StderrLog()
    for at in range(0, len(written), size):
        output.feed(written[at : at + size])
    assert list(output.lines) == [WORDS, "日志 ok"]
