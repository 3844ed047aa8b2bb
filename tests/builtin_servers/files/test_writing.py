"""Files are written whole, keep their mode, and are never replaced unasked."""

from __future__ import annotations

import os
import stat
import threading
from typing import TYPE_CHECKING

import pytest

from builtin_servers.framework.tool import ToolCallError
from tests.builtin_command import InProcess

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def files(tmp_path: Path) -> InProcess:
    return InProcess("filesystem", tmp_path)


def test_a_file_is_written_and_replaced_and_keeps_its_mode(
    files: InProcess, tmp_path: Path
) -> None:
    assert files("write_file", path="f", content="é").text == f"Wrote {tmp_path}/f (2 bytes)"
    os.chmod(tmp_path / "f", 0o750)
    assert "Replaced" in files("write_file", path="f", content="b").text
    assert (tmp_path / "f").read_text() == "b"
    assert stat.S_IMODE((tmp_path / "f").stat().st_mode) == 0o750
    assert os.listdir(tmp_path) == ["f"]


def test_a_reader_sees_the_old_file_or_the_new_one(files: InProcess, tmp_path: Path) -> None:
    sizes = (100_000, 200_000)
    (tmp_path / "f").write_text("x" * sizes[0])
    stop = threading.Event()
    seen: set[int] = set()

    def read() -> None:
        while not stop.is_set():
            seen.add(len((tmp_path / "f").read_bytes()))

    thread = threading.Thread(target=read)
    thread.start()
    for number in range(60):
        files("write_file", path="f", content="x" * sizes[number % 2])
    stop.set()
    thread.join()
    assert seen <= set(sizes)


def test_through_a_link_its_target_is_written(files: InProcess, tmp_path: Path) -> None:
    (tmp_path / "target").write_text("old")
    (tmp_path / "link").symlink_to("target")
    files("write_file", path="link", content="new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "target").read_text() == "new"


@pytest.mark.parametrize(
    ("tool", "arguments", "reason"),
    [
        ("write_file", {"path": "no/f", "content": ""}, "does not exist"),
        ("write_file", {"path": ".", "content": ""}, "allowed folder itself"),
        ("write_file", {"path": "dir", "content": ""}, "is not a regular file"),
        ("write_file", {"path": "x" * 300, "content": ""}, "too long"),
        ("create_directory", {"path": "a"}, "a exists already"),
        ("create_directory", {"path": "a/b"}, "exists already"),
        ("move_file", {"source": "none", "destination": "n"}, "does not exist"),
        ("move_file", {"source": "a", "destination": "b"}, "exists already; nothing was moved"),
        ("move_file", {"source": "a", "destination": "dir"}, "exists already; nothing was moved"),
        ("move_file", {"source": ".", "destination": "n"}, "allowed folder itself"),
        ("move_file", {"source": "dir", "destination": "dir/in"}, "not possible"),
        ("copy_file", {"source": "a", "destination": "b"}, "exists already"),
        ("copy_file", {"source": "dir", "destination": "n"}, "is a folder"),
    ],
)
def test_what_cannot_be_done_says_why_and_changes_nothing(
    files: InProcess, tmp_path: Path, tool: str, arguments: dict[str, str], reason: str
) -> None:
    (tmp_path / "a").write_text("a")
    (tmp_path / "b").write_text("b")
    (tmp_path / "dir").mkdir()
    with pytest.raises(ToolCallError, match=reason):
        files(tool, **arguments)
    assert sorted(os.listdir(tmp_path)) == ["a", "b", "dir"]
    assert (tmp_path / "b").read_text() == "b"


def test_folders_are_made_with_those_above_and_may_be_there(
    files: InProcess, tmp_path: Path
) -> None:
    assert "Made a/b/c" in files("create_directory", path="a/b/c").text
    assert (tmp_path / "a" / "b" / "c").is_dir()
    assert "already" in files("create_directory", path="a/b/c").text
    assert "already" in files("create_directory", path=".").text


def test_files_folders_and_links_are_moved_as_themselves(files: InProcess, tmp_path: Path) -> None:
    (tmp_path / "dir").mkdir()
    (tmp_path / "dir" / "f").write_text("f")
    (tmp_path / "link").symlink_to("/nowhere")
    files("move_file", source="dir", destination="moved")
    files("move_file", source="moved/f", destination="g")
    files("move_file", source="link", destination="moved/link")
    assert (tmp_path / "g").read_text() == "f"
    assert os.readlink(tmp_path / "moved" / "link") == "/nowhere"


def test_a_copy_has_content_and_mode(files: InProcess, tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(os.urandom(3_000_000))
    os.chmod(tmp_path / "a", 0o640)
    files("copy_file", source="a", destination="b")
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    assert stat.S_IMODE((tmp_path / "b").stat().st_mode) == 0o640
    assert sorted(os.listdir(tmp_path)) == ["a", "b"]
