from __future__ import annotations

import json
import math

import pytest

from desktop.cli.output import Console, cell_width, cut, layout, plain, to_json


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


def test_the_last_cell_is_coloured_as_it_is_shown_and_the_header_is_not() -> None:
    lines = layout(("A", "B"), [["1", "x" * 20], ["2", ""]], 12, lambda cell: f"<{cell}>")
    assert lines == ["A  B", "1  <xxxxxxxx…>", "2"]


def test_control_characters_are_removed_but_for_tab_and_line_feed() -> None:
    assert plain("a\x1b[31mb\x07\r\tc\nd\x9b2J\x7f") == "a[31mb\tc\nd2J"


def test_text_cannot_turn_the_direction_of_the_line() -> None:
    assert plain("user\u202etxt.exe\u2066x\u2069") == "usertxt.exex"


@pytest.mark.parametrize(
    "value",
    [
        {"text": "服务 \x1b[2J \x9b \x7f \u202e"},
        ["\ud800 half a pair", 1.5, None, True],
        {"deep": [{"a": "\u2028"}]},
    ],
)
def test_a_document_is_json_without_anything_a_terminal_obeys(value: object) -> None:
    text = to_json(value)
    assert json.loads(text) == value
    assert plain(text) == text


def test_numbers_that_json_does_not_know_are_null() -> None:
    value = {"a": [math.nan, math.inf, 1.0], "b": (-math.inf,)}
    assert json.loads(to_json(value)) == {"a": [None, None, 1.0], "b": [None]}


def test_results_and_notes_go_to_their_own_streams(capsys: pytest.CaptureFixture[str]) -> None:
    screen = Console()
    screen.write("result")
    screen.note("note")
    screen.status("never shown where nobody looks")
    screen.document({"a": 1})
    shown = capsys.readouterr()
    assert shown.out == 'result\n{\n  "a": 1\n}\n'
    assert shown.err == "note\n"


def test_nothing_is_coloured_or_cut_where_no_terminal_is() -> None:
    screen = Console()
    assert screen.paint("text", "red") == "text"
    assert screen.width is None
    assert not screen.is_watched
