from __future__ import annotations

import base64
from typing import TYPE_CHECKING

import pytest

from desktop.gui.form import file_content
from desktop.gui.form.file_content import FileContentError, decoded_size, read_base64, size_of

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("content", [b"", b"a", b"ab", b"abc", bytes(range(256))])
def test_a_file_becomes_base64_and_its_size_is_known(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "f"
    file.write_bytes(content)
    text = read_base64(str(file))
    assert base64.b64decode(text) == content
    assert decoded_size(text) == len(content)


def test_what_cannot_be_read_or_sent_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(file_content, "LARGEST", 3)
    (tmp_path / "big").write_bytes(b"1234")
    with pytest.raises(FileContentError, match="larger than 3 B"):
        read_base64(str(tmp_path / "big"))
    for name in ("missing", "."):
        with pytest.raises(FileContentError, match="cannot be read"):
            read_base64(str(tmp_path / name))


def test_sizes_are_short() -> None:
    assert [size_of(n) for n in (0, 999, 1500, 20_000_000)] == ["0 B", "999 B", "1.5 kB", "20.0 MB"]
