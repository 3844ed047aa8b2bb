from __future__ import annotations

import pytest

from desktop.gui.chat.text_parts import MOST, GrowingText


def test_a_short_text_is_one_part() -> None:
    text = GrowingText("hello")
    assert (text.parts, text.done, text.tail, text.text) == (["hello"], [], "hello", "hello")


def test_an_empty_text_has_no_part() -> None:
    assert GrowingText().parts == []


def test_a_part_ends_between_paragraphs() -> None:
    paragraph = "word " * 200 + "\n\n"
    text = GrowingText(paragraph * 20)
    assert all(len(part) <= MOST for part in text.parts)
    assert all(part.startswith("word") and part.rstrip().endswith("word") for part in text.parts)


def test_a_block_of_code_is_closed_and_opened_again() -> None:
    code = "```python\n" + "print('a line of code')\n" * 800 + "```\nafter"
    text = GrowingText(code)
    assert len(text.parts) > 2
    assert all(part.count("```") % 2 == 0 for part in text.parts)
    assert all(part.startswith("```python") for part in text.parts[:-1])
    assert text.text == code


@pytest.mark.parametrize("size", [1, 7, 100, 5000])
def test_pieces_of_any_size_come_to_the_same_words(size: int) -> None:
    whole = ("one two three\n\n" + "~~~\ncode\n~~~\n" + "x" * 50 + "\n") * 300
    text = GrowingText()
    for at in range(0, len(whole), size):
        text.add(whole[at : at + size])
    assert text.text == whole
    assert text.length == len(whole)
    assert max(map(len, text.parts)) <= MOST + 300
    assert "".join(text.parts).count("one two three") == 300


def test_a_text_without_any_space_is_cut_all_the_same() -> None:
    text = GrowingText("x" * (5 * MOST))
    assert sum(map(len, text.parts)) == 5 * MOST
