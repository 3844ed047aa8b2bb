"""A file is replaced as a whole or not at all, and reading never waits."""

from __future__ import annotations

import os
import stat
import sys
from typing import TYPE_CHECKING

import pytest

from desktop.base import atomic_file
from desktop.base.atomic_file import (
    MAX_FILE_BYTES,
    keep_backup,
    read_file,
    replace_file,
    write_file,
)
from desktop.base.errors import ConfigError
from tests.fifos import make_fifo

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "mcp.json"


def test_what_is_written_is_read_and_private(path: Path) -> None:
    path.write_bytes(b"old")
    path.chmod(0o644)
    write_file(path, b"new")
    assert read_file(path) == b"new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert os.listdir(path.parent) == [path.name]


def test_a_missing_file_is_none(path: Path) -> None:
    assert read_file(path) is None
    assert read_file(path / "below") is None
    path.touch()
    assert read_file(path / "below") is None


def test_what_is_no_file_is_refused_without_waiting(path: Path, tmp_path: Path) -> None:
    make_fifo(path)
    for place in (path, tmp_path):
        with pytest.raises(ConfigError, match="is not a file"):
            read_file(place)


def test_a_huge_file_is_refused(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(MAX_FILE_BYTES + 1)
    with pytest.raises(ConfigError, match="larger than 16 MB"):
        read_file(path)


def test_a_link_to_itself_is_told_of(path: Path) -> None:
    path.symlink_to(path)
    with pytest.raises(ConfigError, match="cannot be read"):
        read_file(path)


def test_a_link_to_a_file_that_is_not_there_yet_creates_that_file(
    path: Path, tmp_path: Path
) -> None:
    target = tmp_path / "deep" / "target.json"
    path.symlink_to(target)
    write_file(path, b"x")
    assert path.is_symlink()
    assert target.read_bytes() == b"x"


def test_a_failed_write_leaves_no_trace(path: Path) -> None:
    path.mkdir()
    with pytest.raises(ConfigError, match="cannot be written: it is a folder; nothing was changed"):
        write_file(path, b"x")
    assert os.listdir(path.parent) == [path.name]


def test_a_backup_is_kept_once_for_each_content(path: Path) -> None:
    assert keep_backup(path, b"1").name == "mcp.json.bak"
    assert keep_backup(path, b"1").name == "mcp.json.bak"
    assert keep_backup(path, b"2").name == "mcp.json.bak2"
    assert (path.parent / "mcp.json.bak").read_bytes() == b"1"


def test_a_read_only_file_is_not_replaced(path: Path) -> None:
    path.write_bytes(b"old")
    path.chmod(0o444)
    with pytest.raises(
        ConfigError, match="cannot be written: it is read-only; nothing was changed"
    ):
        write_file(path, b"new")
    assert path.read_bytes() == b"old"


@pytest.mark.parametrize("times", [1, 3])
def test_windows_waits_a_moment_for_a_file_that_a_scanner_has_open(
    times: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, target = tmp_path / "new", tmp_path / "old"
    source.write_text("new")
    target.write_text("old")
    refusals, really = ["no"] * times, os.replace

    def replace(one: Path, other: Path) -> None:
        if refusals:
            raise PermissionError(13, refusals.pop())
        really(one, other)

    with monkeypatch.context() as patched:
        patched.setattr(os, "replace", replace)
        patched.setattr(sys, "platform", "win32")
        patched.setattr(atomic_file, "_PAUSES", (0.0,) * 6)
        replace_file(source, target)
    assert target.read_text() == "new"


def test_a_file_that_stays_open_on_windows_is_an_error_and_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, target = tmp_path / "new", tmp_path / "old"
    source.write_text("new")
    target.write_text("old")

    def replace(*_: Path) -> None:
        raise PermissionError(13, "it is open")

    with monkeypatch.context() as patched:
        patched.setattr(os, "replace", replace)
        patched.setattr(sys, "platform", "win32")
        patched.setattr(atomic_file, "_PAUSES", (0.0,) * 6)
        with pytest.raises(PermissionError, match="it is open"):
            replace_file(source, target)
    assert (source.read_text(), target.read_text()) == ("new", "old")
