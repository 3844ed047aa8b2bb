from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from desktop.errors import ConfigError
from desktop.gui.results.save_all import save_all
from desktop.gui.results.saving import proposed_name
from desktop.tool_types import Content, ToolResult

if TYPE_CHECKING:
    from pathlib import Path

CONTENT = (
    Content("text", "words"),
    Content("image", data=b"png", mime="image/png"),
    Content("resource", text="r", uri="file:///../../etc/passwd", mime="text/plain"),
    Content("resource", data=b"b", uri="demo://x/../..\\evil.bin"),
    Content("link", uri="https://example.com/", text="a link"),
)


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_each_block_is_a_file_inside_the_new_folder(tmp_path: Path) -> None:
    result = ToolResult(success=True, content=CONTENT, structured={"a": 1})
    made = save_all(result, tmp_path, "../tool", proposed_name, '{"a": 1}')
    assert made == tmp_path / "tool"
    assert [path.name for path in tmp_path.iterdir()] == ["tool"]
    assert files(made) == {
        "01-text.txt": b"words",
        "02-image.png": b"png",
        "03-passwd.txt": b"r",
        "04-evil.bin": b"b",
        "05-example.com": b"https://example.com/\na link",
        "structuredContent.json": b'{"a": 1}',
    }


def test_nothing_that_is_there_is_touched(tmp_path: Path) -> None:
    result = ToolResult(success=True, output="x")
    folders = [save_all(result, tmp_path, "tool", proposed_name).name for _ in range(3)]
    assert folders == ["tool", "tool-2", "tool-3"]
    assert files(tmp_path / "tool") == {"01-text.txt": b"x"}


def test_a_folder_that_is_not_there_is_an_error_in_words(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be made"):
        save_all(ToolResult(success=True), tmp_path / "missing", "tool", proposed_name)
