"""Snapshots on the disk: what they have, what differs, and what is refused."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from desktop.features.saved_calls.saved_call import SavedCall
from desktop.features.saved_calls.saved_call_files import CallFileError, find_files
from desktop.features.saved_calls.snapshots import (
    MAX_BYTES,
    check_snapshot,
    snapshot_path,
    write_snapshot,
)
from desktop.values.tool_types import Content, ErrorCode, ToolError, ToolResult

if TYPE_CHECKING:
    from pathlib import Path

    from desktop.features.saved_calls.snapshots import SnapshotFinding

NOTE = {"id": "n1", "at": "2026-01-01", "rows": [{"at": 1, "x": "a"}, {"at": 2, "x": "b"}]}


def call(snapshot: Any = True, name: str = "reads") -> SavedCall:
    return SavedCall.model_validate({"name": name, "tool": "s:t", "expect": {"snapshot": snapshot}})


def note(**changes: Any) -> ToolResult:
    return ToolResult(True, "", structured=NOTE | changes)


def kept(folder: Path, result: ToolResult, saved: SavedCall | None = None) -> Path:
    finding = check_snapshot(folder / "notes.json", saved or call(), result)
    write_snapshot(finding)
    return finding.path


def look(folder: Path, result: ToolResult, saved: SavedCall | None = None) -> SnapshotFinding:
    return check_snapshot(folder / "notes.json", saved or call(), result)


def test_a_snapshot_is_a_readable_file_beside_its_call_and_no_saved_call(tmp_path: Path) -> None:
    path = kept(tmp_path, note())
    assert path == tmp_path / "notes.snapshots" / "reads.json"
    assert json.loads(path.read_text("utf-8")) == {
        "mcp-desktop snapshot": 1,
        "call": "reads",
        "tool": "s:t",
        "result": {"structured": NOTE},
    }
    assert find_files(tmp_path) == []
    assert look(tmp_path, note()).status == "same"


def test_what_differs_is_told_line_by_line(tmp_path: Path) -> None:
    kept(tmp_path, note())
    finding = look(tmp_path, note(id="n2"))
    assert finding.status == "differs"
    told = [(line.kind, line.text.strip()) for line in finding.part.lines if line.kind != "same"]
    assert ("removed", '"id": "n1",') in told
    assert ("added", '"id": "n2",') in told


def test_volatile_parts_can_be_left_out_even_later(tmp_path: Path) -> None:
    kept(tmp_path, note())
    ignoring = call({"ignore": ["at", "rows[*].at"]})
    later = note(at="2027", rows=[{"at": 7, "x": "a"}, {"at": 8, "x": "b"}])
    assert look(tmp_path, later).status == "differs"
    assert look(tmp_path, later, ignoring).status == "same"
    assert look(tmp_path, note(rows=[{"at": 7, "x": "z"}]), ignoring).status == "differs"


def test_text_media_and_errors_have_their_lines(tmp_path: Path) -> None:
    media = Content("image", data=b"png", mime="image/png")
    path = kept(tmp_path, ToolResult(True, "one\ntwo", content=(media,)))
    result = json.loads(path.read_text("utf-8"))["result"]
    assert result["text"] == ["one", "two"]
    assert (result["content"][0]["bytes"], len(result["content"][0]["sha256"])) == (3, 64)
    other = Content("image", data=b"gnp", mime="image/png")
    assert look(tmp_path, ToolResult(True, "one\ntwo", content=(other,))).status == "differs"
    error = ToolResult(False, error=ToolError("E", "gone", ErrorCode.TOOL_ERROR))
    failing = kept(tmp_path, error, call(name="fails"))
    assert json.loads(failing.read_text("utf-8"))["result"] == {
        "error": {"code": "tool_error", "message": ["gone"]}
    }


def test_a_secret_is_in_no_snapshot(tmp_path: Path) -> None:
    result = ToolResult(True, "use tok_12345678 now", structured={"password": "hunter22", "n": 1})
    finding = check_snapshot(tmp_path / "notes.json", call(), result, ["tok_12345678"])
    write_snapshot(finding)
    text = finding.path.read_text("utf-8")
    assert "tok_12345678" not in text
    assert "hunter22" not in text


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "no JSON"),
        ("[]", "is no snapshot"),
        ('{"mcp-desktop snapshot": 1, "result": 3}', "is no snapshot"),
        ('{"mcp-desktop snapshot": true, "result": {}}', None),
    ],
)
def test_one_that_was_broken_by_hand_is_told_and_can_be_replaced(
    tmp_path: Path, text: str, said: str | None
) -> None:
    kept(tmp_path, note()).write_text(text, encoding="utf-8")
    finding = look(tmp_path, note())
    assert finding.status in ("unusable", "differs")
    assert said is None or said in finding.words
    write_snapshot(finding)
    assert look(tmp_path, note()).status == "same"


def test_one_of_a_later_version_is_never_replaced(tmp_path: Path) -> None:
    path = kept(tmp_path, note())
    text = '{"mcp-desktop snapshot": 2, "result": {}}'
    path.write_text(text, encoding="utf-8")
    finding = look(tmp_path, note())
    assert (finding.status, finding.document) == ("unusable", None)
    assert "format 2" in finding.words
    with pytest.raises(CallFileError):
        write_snapshot(finding)
    assert path.read_text("utf-8") == text


@pytest.mark.parametrize(
    "name", ["../../etc/passwd", "..", "/etc/passwd", "a/b", "con", "a\\b", "\0", "x" * 200, "ä ö"]
)
def test_no_name_leads_out_of_the_folder(tmp_path: Path, name: str) -> None:
    path = snapshot_path(tmp_path / "notes.json", name)
    assert path.parent == tmp_path / "notes.snapshots"
    assert path.resolve().parent == path.parent


def test_two_names_never_share_a_file(tmp_path: Path) -> None:
    names = ["a b", "a-b", "A B", "a/b", "a.b", "a_b", "A-b"]
    paths = {str(snapshot_path(tmp_path / "notes.json", name)).casefold() for name in names}
    assert len(paths) == len(names)


@pytest.mark.parametrize("is_folder", [True, False])
def test_a_link_is_neither_read_nor_written_through(tmp_path: Path, is_folder: bool) -> None:
    outside, folder = tmp_path / "outside", tmp_path / "calls"
    target = kept(outside, note(id="other"))
    before = target.read_text("utf-8")
    link = folder / "notes.snapshots"
    folder.mkdir()
    if is_folder:
        link.symlink_to(target.parent, target_is_directory=True)
    else:
        link.mkdir()
        (link / "reads.json").symlink_to(target)
    finding = look(folder, note())
    assert (finding.status, finding.document) == ("unusable", None)
    assert "is a link" in finding.words
    with pytest.raises(CallFileError):
        write_snapshot(finding)
    assert target.read_text("utf-8") == before


def test_a_result_that_nobody_could_review_is_refused(tmp_path: Path) -> None:
    finding = look(tmp_path, ToolResult(True, "", structured=["x" * MAX_BYTES]))
    assert (finding.status, finding.document) == ("unusable", None)
    assert "too large" in finding.words
    deep: Any = 1
    for _ in range(5_000):
        deep = [deep]
    assert "nested too deeply" in look(tmp_path, ToolResult(True, "", structured=deep)).words
