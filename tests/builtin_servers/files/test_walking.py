"""Folders and what is below them, in order; links are named and not followed."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from builtin_servers.call import Call, ToolError
from builtin_servers.files import walking
from builtin_servers.files.roots import Roots
from tests.builtin_command import InProcess, ignore

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "b" / "c").mkdir(parents=True)
    (tmp_path / "b" / "c" / "deep").write_text("x")
    (tmp_path / "a").write_text("12345")
    (tmp_path / "link").symlink_to("/etc")
    os.mkfifo(tmp_path / "pipe")
    return tmp_path


def test_a_folder_is_listed_with_kinds_and_sizes(folder: Path) -> None:
    found = InProcess("filesystem", folder).structured("list_directory", path=".")
    kinds = {entry["name"]: entry["type"] for entry in found["entries"]}
    assert kinds == {"a": "file", "b": "directory", "link": "symlink", "pipe": "other"}
    assert (found["total"], found["total_size"]) == (4, 5)


def test_a_tree_is_nested_and_can_leave_out_and_end_early(folder: Path) -> None:
    files = InProcess("filesystem", folder)
    deep = {"name": "deep", "type": "file"}
    c = {"name": "c", "type": "directory", "children": [deep]}
    found = files.structured("directory_tree", path=".", excludePatterns=["pipe", "link"])
    b = {"name": "b", "type": "directory", "children": [c]}
    assert found == {"tree": [{"name": "a", "type": "file"}, b], "truncated": False}
    assert files.structured("directory_tree", path="b", maxDepth=1)["tree"] == [
        c | {"children": []}
    ]
    assert files.structured("directory_tree", path=".", excludePatterns=["*"])["tree"] == []


def test_a_tree_too_large_is_cut_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(walking, "MOST_ENTRIES", 3)
    for name in "abcde":
        (tmp_path / name).touch()
    reply = InProcess("filesystem", tmp_path)("directory_tree", path=".")
    assert reply.structured is not None
    assert reply.structured["truncated"] is True
    assert len(reply.structured["tree"]) == 3
    assert "Only the first" in reply.text


def test_a_walk_ends_when_cancelled_or_too_long(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    call = Call({}, ignore)
    with Roots([str(folder)]).find(".") as place:
        monkeypatch.setattr(walking, "MOST_VISITED", 2)
        with pytest.raises(ToolError, match="more than 2 entries"):
            list(walking.walk(place, call, lambda _: False))
        call.cancel()
        with pytest.raises(ToolError, match="Cancelled"):
            list(walking.walk(place, call, lambda _: False))


def test_a_folder_that_cannot_be_opened_is_passed_over(folder: Path) -> None:
    (folder / "b" / "c").chmod(0)
    try:
        found = InProcess("filesystem", folder).structured("search_files", path=".", pattern="*")
        assert f"{folder}/b/c" in found["paths"]
    finally:
        (folder / "b" / "c").chmod(0o700)


def test_times_are_utc() -> None:
    assert walking.iso(0) == "1970-01-01T00:00:00Z"
