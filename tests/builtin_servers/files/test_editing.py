"""What is replaced, what is refused, and the difference that is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from builtin_servers.files.operations import apply_edits, make_diff
from builtin_servers.framework.tool import ToolCallError
from tests.builtin_command import InProcess

if TYPE_CHECKING:
    from pathlib import Path


def edit(text: str, old: str, new: str, **more: bool) -> str:
    return apply_edits(text, [{"oldText": old, "newText": new, **more}])


def test_a_piece_is_replaced_as_it_stands() -> None:
    assert edit("a b c", "b", "x") == "a x c"
    assert edit("a a", "a", "x", replaceAll=True) == "x x"


def test_edits_follow_each_other() -> None:
    edits = [{"oldText": "a", "newText": "b1"}, {"oldText": "b1", "newText": "c"}]
    assert apply_edits("a", edits) == "c"


@pytest.mark.parametrize(
    ("text", "old", "reason"),
    [
        ("a a", "a", "there 2 times"),
        ("abc", "x", "not in the file: 'x'"),
        ("abc", "", "oldText is empty"),
        ("abc", "\n", "not in the file"),
        (" a\n  a\n", "\ta", "fits more than once, at lines 1, 2"),
    ],
)
def test_what_is_not_there_once_is_refused(text: str, old: str, reason: str) -> None:
    with pytest.raises(ToolCallError, match=reason):
        edit(text, old, "y")


def test_line_ends_of_the_file_stay() -> None:
    assert edit("a\r\nb\r\nc\r\n", "a\nb", "x\ny") == "x\r\ny\r\nc\r\n"


def test_lines_are_found_without_their_indentation_and_keep_it() -> None:
    text = "def f():\n    if x:\n        go()\n    end\n"
    new = edit(text, "if x:\n    go()\n", "if y:\n    stop()\n")
    assert new == "def f():\n    if y:\n        stop()\n    end\n"


def test_the_difference_is_unified_and_tells_a_missing_last_line_end() -> None:
    shown = make_diff("a\nb\n", "a\nc", "f")
    assert shown.splitlines()[:2] == ["--- a/f", "+++ b/f"]
    assert "-b\n+c\n\\ No newline at end of file\n" in shown
    assert make_diff("a", "a", "f") == ""


def test_a_preview_writes_nothing_and_the_edit_shows_the_same(tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes(b"one\r\ntwo\r\n")
    files = InProcess("filesystem", tmp_path)
    edits = [{"oldText": "two", "newText": "2"}]
    preview = files("edit_file", path="f", edits=edits, dryRun=True).text
    assert "-two" in preview
    assert (tmp_path / "f").read_bytes() == b"one\r\ntwo\r\n"
    assert files("edit_file", path="f", edits=edits).text == preview
    assert (tmp_path / "f").read_bytes() == b"one\r\n2\r\n"


def test_one_wrong_edit_leaves_the_file(tmp_path: Path) -> None:
    (tmp_path / "f").write_text("one")
    (tmp_path / "latin").write_bytes(b"\xe9")
    files = InProcess("filesystem", tmp_path)
    edits = [{"oldText": "one", "newText": "1"}, {"oldText": "gone", "newText": ""}]
    with pytest.raises(ToolCallError, match="Edit 2"):
        files("edit_file", path="f", edits=edits)
    assert (tmp_path / "f").read_text() == "one"
    with pytest.raises(ToolCallError, match="not UTF-8"):
        files("edit_file", path="latin", edits=edits)
