from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from desktop.cli.media import save_media
from desktop.errors import UsageError
from desktop.tool_types import Content, ToolResult

if TYPE_CHECKING:
    from pathlib import Path


def result(*content: Content) -> ToolResult:
    return ToolResult(success=True, content=content)


def test_each_block_with_bytes_becomes_a_file_of_its_type(tmp_path: Path) -> None:
    folder = tmp_path / "new"
    files = save_media(
        result(
            Content("text", text="no file"),
            Content("image", data=b"png", mime="image/png"),
            Content("image", data=b"png2", mime="image/png; q=1"),
            Content("resource", data=b"blob", mime="x/unknown", uri="file:///../../etc/passwd"),
        ),
        folder,
    )
    assert [file.name for file in files] == ["image-1.png", "image-2.png", "resource-1.bin"]
    assert [file.read_bytes() for file in files] == [b"png", b"png2", b"blob"]
    assert {file.parent for file in files} == {folder}


def test_a_file_that_is_there_is_never_overwritten(tmp_path: Path) -> None:
    (tmp_path / "image-1.png").write_bytes(b"mine")
    save_media(result(Content("image", data=b"new", mime="image/png")), tmp_path)
    assert (tmp_path / "image-1.png").read_bytes() == b"mine"
    assert (tmp_path / "image-2.png").read_bytes() == b"new"


def test_no_folder_is_made_for_a_result_without_media(tmp_path: Path) -> None:
    assert save_media(result(Content("text", text="x")), tmp_path / "new") == []
    assert not (tmp_path / "new").exists()


def test_a_folder_that_is_a_file_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x", encoding="utf-8")
    with pytest.raises(UsageError, match="cannot be written to"):
        save_media(result(Content("audio", data=b"x", mime="audio/wav")), tmp_path / "file")
