from __future__ import annotations

import pytest

from desktop.gui.results.text_search import SLICE, places


def found(text: str, words: str) -> list[int]:
    return [place for place in places(text, words) if place is not None]


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
    place = SLICE + offset
    text = "." * place + "needle" + "." * SLICE
    assert found(text, "needle") == [place]


def test_it_can_be_interrupted_after_each_slice() -> None:
    assert list(places("x" * (3 * SLICE), "y")) == [None] * 3
