from __future__ import annotations

from desktop.cli.table import cell_width, cut, layout


def test_columns_line_up_and_lines_end_without_blanks() -> None:
    assert layout(("A", "B"), [["xx", "1"], ["y", ""]], None) == ["A   B", "xx  1", "y"]


def test_the_last_column_takes_what_the_terminal_leaves() -> None:
    header, row = layout(("NAME", "TEXT"), [["n", "word " * 20]], 30)
    assert header == "NAME  TEXT"
    assert len(row) == 30
    assert row.endswith("…")


def test_a_narrow_terminal_still_shows_something_of_the_last_column() -> None:
    assert layout(("A" * 50, "B"), [["", "text that is long"]], 20)[1].strip() == "text th…"


def test_wide_characters_count_as_two_columns() -> None:
    assert cell_width("服务器") == 6
    assert cell_width("é") == 1
    assert cut("服务器", 5) == "服务…"
    lines = layout(("N", "X"), [["服务", "1"], ["ab", "2"]], None)
    assert lines[1:] == ["服务  1", "ab    2"]


def test_what_fits_is_not_cut() -> None:
    assert cut("abc", 3) == "abc"
    assert cut("abcd", 3) == "ab…"
