"""Parts of texts, media by their content, and the limits of both."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Any

import pytest

from builtin_servers.files.operations import MAX_EDIT_BYTES, MAX_MEDIA_BYTES, MAX_TEXT_BYTES
from builtin_servers.framework.tool import ToolCallError
from tests.builtin_command import InProcess

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def files(tmp_path: Path) -> InProcess:
    (tmp_path / "ten").write_text("".join(f"line {n}\n" for n in range(1, 11)))
    return InProcess("filesystem", tmp_path)


def text(files: InProcess, **arguments: Any) -> str:
    return files("read_text_file", **arguments).text


@pytest.mark.parametrize(
    ("asked", "lines"),
    [
        ({}, range(1, 11)),
        ({"head": 2}, range(1, 3)),
        ({"head": 99}, range(1, 11)),
        ({"tail": 3}, range(8, 11)),
        ({"tail": 99}, range(1, 11)),
        ({"start_line": 4}, range(4, 11)),
        ({"end_line": 2}, range(1, 3)),
        ({"start_line": 4, "end_line": 4}, range(4, 5)),
        ({"start_line": 9, "end_line": 400}, range(9, 11)),
        ({"start_line": 2.0}, range(2, 11)),
    ],
)
def test_the_lines_asked_for_are_read(
    files: InProcess, asked: dict[str, Any], lines: range
) -> None:
    assert text(files, path="ten", **asked) == "".join(f"line {n}\n" for n in lines)


@pytest.mark.parametrize(
    ("asked", "reason"),
    [
        ({"head": 1, "tail": 1}, "one of head, tail"),
        ({"head": 1, "start_line": 1}, "one of head, tail"),
        ({"start_line": 3, "end_line": 2}, "end_line 2 comes before start_line 3"),
        ({"start_line": 50}, "no line 50: the file has 10 lines"),
    ],
)
def test_a_part_that_makes_no_sense_is_refused(
    files: InProcess, asked: dict[str, Any], reason: str
) -> None:
    with pytest.raises(ToolCallError, match=reason):
        text(files, path="ten", **asked)


def test_a_long_text_is_cut_and_the_note_says_where_to_read_on(
    files: InProcess, tmp_path: Path
) -> None:
    lines = [f"{n:09}\n" for n in range(1, 60_001)]
    (tmp_path / "long").write_text("".join(lines))
    whole, first = "", 1
    for _ in range(10):
        part = text(files, path="long", start_line=first)
        kept, _, note = part.partition("\n[")
        if not note:
            whole += part
            break
        first = int(note.rpartition("start_line ")[2].rstrip(".]"))
        whole += kept[: kept.rindex("\n") + 1] if len(kept) % 10 else kept + "\n"
    assert whole == "".join(lines)
    tail = text(files, path="long", tail=50_000)
    assert f"Only the last {MAX_TEXT_BYTES // 1024}.0 KB" in tail


def test_one_endless_line_is_bounded(files: InProcess, tmp_path: Path) -> None:
    (tmp_path / "line").write_text("x" * 5_000_000)
    assert len(text(files, path="line")) < MAX_TEXT_BYTES + 200
    assert len(text(files, path="line", head=1)) < MAX_TEXT_BYTES + 200
    assert len(text(files, path="line", tail=1)) < MAX_TEXT_BYTES + 200


def test_bytes_that_are_no_text_are_refused_or_replaced(files: InProcess, tmp_path: Path) -> None:
    (tmp_path / "binary").write_bytes(b"a\0b")
    (tmp_path / "latin").write_bytes(b"caf\xe9\n")
    (tmp_path / "marked").write_bytes("\ufeffmark".encode())
    with pytest.raises(ToolCallError, match="is not text"):
        text(files, path="binary")
    assert text(files, path="latin") == "caf\ufffd\n"
    assert text(files, path="marked") == "mark"


def test_of_several_files_one_that_fails_leaves_the_others(
    files: InProcess, tmp_path: Path
) -> None:
    (tmp_path / "b").write_text("other")
    read = files("read_multiple_files", paths=["b", "none", "../x", "ten"]).text
    parts = read.split("\n---\n")
    assert parts[0] == "b:\nother\n"
    assert "Error" in parts[1]
    assert "does not exist" in parts[1]
    assert "outside the allowed" in parts[2]
    assert parts[3].startswith("ten:\nline 1\n")


def test_several_large_files_share_one_limit(files: InProcess, tmp_path: Path) -> None:
    (tmp_path / "big").write_text("x" * MAX_TEXT_BYTES)
    read = files("read_multiple_files", paths=["big"] * 20).text
    assert len(read) < 6 * MAX_TEXT_BYTES
    assert "Not read" in read


@pytest.mark.parametrize(
    ("name", "content", "kind", "mime"),
    [
        ("a", b"\x89PNG\r\n\x1a\n....", "image", "image/png"),
        ("liar.png", b"\xff\xd8\xff....", "image", "image/jpeg"),
        ("b.gif", b"GIF89a", "image", "image/gif"),
        ("c.webp", b"RIFF1234WEBP", "image", "image/webp"),
        ("d.svg", b"<svg/>", "image", "image/svg+xml"),
        ("e.wav", b"RIFF1234WAVE", "audio", "audio/wav"),
        ("f.mp3", b"ID3", "audio", "audio/mpeg"),
    ],
)
def test_media_are_read_as_what_they_are(
    files: InProcess, tmp_path: Path, name: str, content: bytes, kind: str, mime: str
) -> None:
    (tmp_path / name).write_bytes(content)
    (block,) = files("read_media_file", path=name).to_content()
    assert (block["type"], block["mimeType"]) == (kind, mime)
    assert base64.b64decode(block["data"]) == content


def test_any_other_file_is_a_resource(files: InProcess, tmp_path: Path) -> None:
    (tmp_path / "a b.bin").write_bytes(b"\0\1")
    (block,) = files("read_media_file", path="a b.bin").to_content()
    assert block["resource"]["uri"] == f"file://{tmp_path}/a%20b.bin"
    assert block["resource"]["mimeType"] == "application/octet-stream"


def test_files_beyond_a_limit_are_refused_with_it(files: InProcess, tmp_path: Path) -> None:
    with open(tmp_path / "huge", "wb") as file:
        file.truncate(MAX_MEDIA_BYTES + 1)
    with pytest.raises(ToolCallError, match=r"8\.0 MB; at most 8\.0 MB"):
        files("read_media_file", path="huge")
    (tmp_path / "long").write_text("x" * (MAX_EDIT_BYTES + 1))
    with pytest.raises(ToolCallError, match=r"larger than 2\.0 MB"):
        files("edit_file", path="long", edits=[{"oldText": "x", "newText": "y"}])
