"""Two calls line by line, bounded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.history.diff import MAX_LINE_LENGTH, MAX_LINES, compare
from tests.history.calls import ended, failed, record_of

if TYPE_CHECKING:
    from desktop.history.diff import Part


def shown(part: Part) -> list[str]:
    signs = {"same": " ", "removed": "-", "added": "+", "gap": "…"}
    return [signs[line.kind] + line.text for line in part.lines]


def test_only_what_differs_is_shown_with_some_lines_around() -> None:
    lines = [str(n) for n in range(20)]
    before, after = "\n".join(lines), "\n".join([*lines[:10], "new", *lines[11:]])
    part = compare(record_of(ended(output=before)), record_of(ended(output=after))).output
    assert shown(part) == ["…", " 7", " 8", " 9", "-10", "+new", " 11", " 12", " 13", "…"]


def test_the_order_of_keys_is_no_difference() -> None:
    one = ended(arguments={"a": 1, "b": 2}, structured={"x": 1, "y": [1]})
    other = ended(arguments={"b": 2, "a": 1}, structured={"y": [1], "x": 1})
    found = compare(record_of(one), record_of(other))
    assert found.arguments.is_same
    assert found.output.is_same
    assert found.structured.is_same


def test_structured_content_is_compared_as_json_set_out_in_lines() -> None:
    found = compare(record_of(ended(structured={"n": 1})), record_of(ended(structured={"n": 2})))
    assert shown(found.structured) == [" {", '-  "n": 1', '+  "n": 2', " }"]


def test_the_words_of_an_error_stand_for_the_output() -> None:
    found = compare(record_of(ended(output="fine")), record_of(failed("a:b", "broken")))
    assert shown(found.output) == ["-fine", "+broken"]


def test_too_many_lines_are_left_out_and_that_is_said() -> None:
    before, after = "a\n" * (MAX_LINES + 5), "a\n" * MAX_LINES + "b\n"
    part = compare(record_of(ended(output=before)), record_of(ended(output=after))).output
    assert part.left_out
    assert not part.is_same
    long = compare(record_of(ended(output="x" * 9999)), record_of(ended(output="y"))).output
    assert len(long.lines[0].text) == MAX_LINE_LENGTH + 1


def test_different_line_ends_are_told_apart_from_the_same() -> None:
    part = compare(record_of(ended(output="a\r\nb")), record_of(ended(output="a\nb"))).output
    assert not part.is_same
