"""Words for paths, sizes and errors."""

from __future__ import annotations

import errno

import pytest

from builtin_servers.files.wording import explain, json_path, show_path, show_size


def test_an_error_is_told_in_words_with_the_path() -> None:
    assert str(explain(OSError(errno.ENOENT, "x"), "/a")) == "/a does not exist"
    assert (
        str(explain(OSError(errno.ENOSPC, "x"), "/a")) == "/a cannot be written: the disk is full"
    )
    assert str(explain(OSError(errno.EIO, "x"), "/a")) == "/a Input/output error"


@pytest.mark.parametrize(
    ("size", "shown"), [(0, "0 B"), (1023, "1023 B"), (1536, "1.5 KB"), (5 << 40, "5.0 TB")]
)
def test_sizes_are_short(size: int, shown: str) -> None:
    assert show_size(size) == shown


def test_paths_are_one_line_and_bounded() -> None:
    assert show_path("ü b") == "ü b"
    assert show_path("a\r\nb\u202e") == "a\\r\\nb\\u202e"
    assert show_path("\udcff") == "\\udcff"
    assert len(show_path("x" * 5000)) < 1100


def test_json_never_gets_a_lone_surrogate() -> None:
    assert json_path("a\udcff") == "a\ufffd"
