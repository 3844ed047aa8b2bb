"""Words for paths, sizes and errors."""

from __future__ import annotations

import errno

import pytest

from builtin_servers.files.messages import explain_error, format_path, format_size, utf8_path


def test_an_error_is_told_in_words_with_the_path() -> None:
    assert str(explain_error(OSError(errno.ENOENT, "x"), "/a")) == "/a does not exist"
    assert (
        str(explain_error(OSError(errno.ENOSPC, "x"), "/a"))
        == "/a cannot be written: the disk is full"
    )
    assert str(explain_error(OSError(errno.EIO, "x"), "/a")) == "/a Input/output error"


@pytest.mark.parametrize(
    ("size", "shown"), [(0, "0 B"), (1023, "1023 B"), (1536, "1.5 KB"), (5 << 40, "5.0 TB")]
)
def test_sizes_are_short(size: int, shown: str) -> None:
    assert format_size(size) == shown


def test_paths_are_one_line_and_bounded() -> None:
    assert format_path("ü b") == "ü b"
    assert format_path("a\r\nb\u202e") == "a\\r\\nb\\u202e"
    assert format_path("\udcff") == "\\udcff"
    assert len(format_path("x" * 5000)) < 1100


def test_json_never_gets_a_lone_surrogate() -> None:
    assert utf8_path("a\udcff") == "a\ufffd"
