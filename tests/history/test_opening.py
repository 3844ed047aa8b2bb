"""Opening a file that is new, ours, older, newer, foreign or broken."""

from __future__ import annotations

import sqlite3
import stat
from typing import TYPE_CHECKING

import pytest

from desktop.history.opening import StrangeFileError, is_damaged, is_sound, open_file, put_aside
from desktop.history.tables import VERSION

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "deep" / "history.sqlite3"


def test_a_new_file_is_made_with_its_folder_for_its_owner_alone(path: Path) -> None:
    connection = open_file(path)
    assert connection.execute("PRAGMA journal_mode").fetchone()[0] == "wal"
    assert connection.execute("PRAGMA user_version").fetchone()[0] == VERSION
    connection.close()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_opening_again_changes_nothing(path: Path) -> None:
    open_file(path).close()
    connection = open_file(path)
    assert connection.execute("SELECT count(*) FROM calls").fetchone()[0] == 0
    connection.close()
    assert is_sound(path)


def test_a_file_of_a_newer_version_is_not_touched(path: Path) -> None:
    connection = open_file(path)
    connection.execute(f"PRAGMA user_version = {VERSION + 1}")
    connection.close()
    with pytest.raises(StrangeFileError, match="newer version") as raised:
        open_file(path)
    assert raised.value.kind == "newer"


def test_the_database_of_another_program_is_not_touched(path: Path) -> None:
    path.parent.mkdir()
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE theirs(x)")
    connection.commit()
    connection.close()
    with pytest.raises(StrangeFileError, match="another program") as raised:
        open_file(path)
    assert raised.value.kind == "foreign"


@pytest.mark.parametrize("content", [b"no database " * 100, b"SQLite format 3\0" + b"\xff" * 5000])
def test_a_broken_file_is_told_from_one_that_cannot_be_opened(path: Path, content: bytes) -> None:
    path.parent.mkdir()
    path.write_bytes(content)
    with pytest.raises(StrangeFileError) as raised:
        open_file(path)
    assert raised.value.kind in {"damaged", "foreign"}
    assert not is_sound(path)


def test_a_folder_in_place_of_the_file_is_no_damage(path: Path) -> None:
    path.mkdir(parents=True)
    with pytest.raises(OSError, match="directory"):
        open_file(path)


def test_what_is_put_aside_keeps_its_content_and_its_journal(path: Path) -> None:
    path.parent.mkdir()
    for number in (1, 2):
        path.write_text(f"content {number}")
        path.with_name(path.name + "-wal").write_text(f"journal {number}")
        kept = put_aside(path, "damaged")
        assert not path.exists()
        assert kept.name.startswith("history.sqlite3.damaged-")
        assert kept.read_text() == f"content {number}"
        assert kept.with_name(kept.name + "-wal").read_text() == f"journal {number}"


def test_only_what_sqlite_says_of_the_file_itself_is_damage() -> None:
    connection = sqlite3.connect(":memory:")
    with pytest.raises(sqlite3.OperationalError) as raised:
        connection.execute("SELECT * FROM nowhere")
    connection.close()
    assert not is_damaged(raised.value)
