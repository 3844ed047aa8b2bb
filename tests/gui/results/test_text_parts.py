from __future__ import annotations

import pytest

from desktop.gui.results.text_parts import LONGEST_LINE, PART, TextParts


def whole(parts: TextParts) -> str:
    taken: list[str] = []
    while parts.left:
        taken.append(parts.take())
    return "".join(taken)


@pytest.mark.parametrize(
    "text", ["", "one", "line\n" * 100_000, ("é" * 3_999 + "\n") * 200, "\n" * 300_000]
)
def test_ordinary_lines_come_out_as_they_are(text: str) -> None:
    parts = TextParts(text)
    assert whole(parts) == text
    assert not parts.has_broken_lines


def test_a_part_ends_at_a_line_end() -> None:
    parts = TextParts("line\n" * 100_000)
    first = parts.take()
    assert first.endswith("\n")
    assert PART // 2 < len(first) <= PART


@pytest.mark.parametrize("length", [LONGEST_LINE + 1, PART + 1, 3 * PART + 7])
def test_an_overlong_line_is_broken_and_nothing_of_it_lost(length: int) -> None:
    parts = TextParts("x" * length)
    shown = whole(parts)
    assert shown.replace("\n", "") == "x" * length
    assert max(map(len, shown.split("\n"))) <= LONGEST_LINE
    assert parts.has_broken_lines
