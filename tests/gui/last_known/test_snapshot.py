"""The file with what the window showed last: private, bounded, and nothing where it is wrong."""

from __future__ import annotations

import json
import stat
import sys
from typing import TYPE_CHECKING, Any

import pytest

from desktop.gui.last_known.snapshot import (
    MAX_BYTES,
    MAX_TOOLS,
    KnownContent,
    KnownSection,
    KnownServer,
    KnownTool,
    read_snapshot,
    stamp_of,
    write_snapshot,
)
from tests.fifos import make_fifo

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import ExpectedLogs


@pytest.fixture
def config(tmp_path: Path) -> Path:
    made = tmp_path / "mcp.json"
    made.write_text("{}", encoding="utf-8")
    return made


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "data" / "window.content.json"


def snapshot(config: Path) -> KnownContent:
    return KnownContent(
        1_795_000_000.5,
        stamp_of(config),
        (KnownServer("shop", False, True, "stdio"), KnownServer("time", True, False, "Time")),
        (KnownTool("shop", "buy", "Buy", "Buys.", "destructive"), KnownTool("x", "y", "", "", "")),
        (KnownSection("favourites", "", 1, True), 0, KnownSection("server:x", "x", 1, False)),
        10_000,
    )


def test_what_was_kept_is_read_as_it_was_from_a_file_for_its_owner_alone(
    file: Path, config: Path
) -> None:
    write_snapshot(file, snapshot(config))
    assert read_snapshot(file, config) == snapshot(config)
    if sys.platform != "win32":
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [entry.name for entry in file.parent.iterdir()] == [file.name]


def test_a_config_that_was_changed_meanwhile_shows_nothing_of_before(
    file: Path, config: Path
) -> None:
    write_snapshot(file, snapshot(config))
    config.write_text('{"mcpServers": {}}', encoding="utf-8")
    assert read_snapshot(file, config) is None
    config.write_text("{}", encoding="utf-8")  # as it was
    assert read_snapshot(file, config) is not None
    config.unlink()
    assert read_snapshot(file, config) is None


@pytest.mark.parametrize(
    "change",
    [
        {"version": 2},
        {"as_of": 1e300},
        {"as_of": "today"},
        {"servers": {}},
        {"servers": [["a", True]]},
        {"servers": [[1, True, True, ""]]},
        {"tools": [["a", "b", "c", "d"]]},
        {"tools": [["a", "b", "", "", ""]] * (MAX_TOOLS + 1)},
        {"rows": [2]},
        {"rows": [-1]},
        {"rows": ["0"]},
        {"rows": [["id", "server", -1, True]]},
        {"tool_count": None},
    ],
)
def test_a_file_with_anything_odd_in_it_counts_as_none(
    file: Path, config: Path, change: dict[str, Any], expected_logs: ExpectedLogs
) -> None:
    expected_logs.expect(r"window\.content\.json is damaged")
    write_snapshot(file, snapshot(config))
    content = json.loads(file.read_text(encoding="utf-8"))
    file.write_text(json.dumps(content | change), encoding="utf-8")
    assert read_snapshot(file, config) is None


def test_a_huge_file_counts_as_none(file: Path, config: Path, expected_logs: ExpectedLogs) -> None:
    expected_logs.expect(r"window\.content\.json is damaged")
    write_snapshot(file, snapshot(config))
    file.write_bytes(file.read_bytes().ljust(MAX_BYTES))
    assert read_snapshot(file, config) is not None
    file.write_bytes(file.read_bytes() + b" ")
    assert read_snapshot(file, config) is None


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"\xff\xfe", b"[" * 100_000])
def test_a_broken_file_counts_as_none_and_is_kept(
    file: Path, config: Path, content: bytes, expected_logs: ExpectedLogs
) -> None:
    expected_logs.expect(r"window\.content\.json is damaged")
    file.parent.mkdir()
    file.write_bytes(content)
    assert read_snapshot(file, config) is None
    write_snapshot(file, snapshot(config))
    (kept,) = file.parent.glob("window.content.json.damaged-*")
    assert kept.read_bytes() == content


def test_a_pipe_in_its_place_is_not_waited_for(
    file: Path, config: Path, expected_logs: ExpectedLogs
) -> None:
    expected_logs.expect("it is not a file")
    file.parent.mkdir()
    make_fifo(file)
    assert read_snapshot(file, config) is None


def test_names_are_one_line_of_letters_that_are_seen(file: Path, config: Path) -> None:
    odd = KnownTool("shop", "a\nb\u202ec", "", "x" * 1000, "")
    write_snapshot(file, snapshot(config)._replace(tools=(odd, odd)))
    read = read_snapshot(file, config)
    assert read is not None
    assert read.tools[0].name == "a b c"
    assert len(read.tools[0].words) == 200
