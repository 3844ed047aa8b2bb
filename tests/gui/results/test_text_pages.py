from __future__ import annotations

import pytest

from desktop.gui.results.text_pages import (
    MAX_LINE_LENGTH,
    PAGE_LENGTH,
    PART_LENGTH,
    SLICE_LENGTH,
    TextParts,
    find_in_text,
    pages_of,
    shown_length,
)


def found(text: str, words: str) -> list[int]:
    return [place for place in find_in_text(text, words) if place is not None]


@pytest.mark.parametrize(
    ("text", "words", "where"),
    [
        ("one ONE oNe", "one", [0, 4, 8]),
        ("aaaa", "aa", [0, 2]),
        ("a.c abc", "a.c", [0]),
        ("", "x", []),
        ("Straße İstanbul end", "end", [16]),  # İ is two characters in small letters
        ("Ünï ÜNÏ", "ünï", [0, 4]),
    ],
)
def test_words_are_found_in_large_and_small_letters(
    text: str, words: str, where: list[int]
) -> None:
    assert found(text, words) == where


@pytest.mark.parametrize("offset", [-6, -5, -1, 0, 1])
def test_a_match_over_the_edge_of_a_slice_is_found_once(offset: int) -> None:
    place = SLICE_LENGTH + offset
    text = "." * place + "needle" + "." * SLICE_LENGTH
    assert found(text, "needle") == [place]


def test_it_can_be_interrupted_after_each_slice() -> None:
    assert list(find_in_text("x" * (3 * SLICE_LENGTH), "y")) == [None] * 3


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
    assert not parts.continued


def test_a_part_ends_at_a_line_end() -> None:
    parts = TextParts("line\n" * 100_000)
    first = parts.take()
    assert first.endswith("\n")
    assert PART_LENGTH // 2 < len(first) <= PART_LENGTH


@pytest.mark.parametrize("length", [MAX_LINE_LENGTH + 1, PART_LENGTH + 1, 3 * PART_LENGTH + 7])
def test_an_overlong_line_is_broken_and_nothing_of_it_lost(length: int) -> None:
    parts = TextParts("x" * length)
    shown = whole(parts)
    assert shown.replace("\n", "") == "x" * length
    assert max(map(len, shown.split("\n"))) <= MAX_LINE_LENGTH
    assert parts.continued


def test_pages_are_cut_at_line_ends_and_lose_nothing() -> None:
    text = "a line of text\n" * 200_000
    pages = pages_of(text)
    assert len(pages) == 4
    assert "".join(text[start:end] for start, end in pages) == text
    assert all(text[end - 1] == "\n" and end - start <= PAGE_LENGTH for start, end in pages)


@pytest.mark.parametrize(("text", "count"), [("", 1), ("x", 1), ("x" * (PAGE_LENGTH + 1), 2)])
def test_there_is_always_a_page(text: str, count: int) -> None:
    assert len(pages_of(text)) == count


def test_blocks_that_go_on_with_a_line_are_known() -> None:
    parts = TextParts("short\n" + "x" * (2 * MAX_LINE_LENGTH + 1) + "\nend")
    whole(parts)
    assert parts.continued == [2, 3]


@pytest.mark.parametrize(
    ("text", "place", "shown"),
    [
        ("abc", 2, 2),
        ("😀b", 1, 2),
        ("a\r\nb", 3, 2),
        ("x" * (MAX_LINE_LENGTH + 5), MAX_LINE_LENGTH + 2, MAX_LINE_LENGTH + 3),
    ],
)
def test_a_place_in_the_text_is_found_in_the_widget(text: str, place: int, shown: int) -> None:
    assert shown_length(text, 0, place) == shown
