"""Markdown block by block."""

from __future__ import annotations

from builtin_servers.web.blocks import Blocks


def test_paragraphs_are_apart_and_space_is_folded() -> None:
    blocks = Blocks()
    for text in ("  a\n b ", " c"):
        blocks.write(text)
    blocks.end()
    blocks.write("d")
    assert blocks.text == "a b c\n\nd"


def test_lists_are_nested_and_numbered() -> None:
    blocks = Blocks()
    blocks.open_list(is_numbered=True)
    for word in ("one", "two"):
        blocks.open_item()
        blocks.write(word)
    blocks.open_list(is_numbered=False)
    blocks.open_item()
    blocks.write("in")
    blocks.close_list()
    blocks.close_list()
    assert blocks.text == "1. one\n2. two\n  - in"


def test_an_empty_block_leaves_no_sign_behind() -> None:
    blocks = Blocks()
    blocks.start("# ")
    blocks.close()
    blocks.mark("**")
    blocks.mark("**")
    blocks.write("text")
    assert blocks.text == "text"


def test_code_is_fenced_by_more_than_it_has() -> None:
    blocks = Blocks()
    blocks.open_pre()
    blocks.write("a\n  ```b\n")
    blocks.close_pre()
    assert blocks.text == "````\na\n  ```b\n````"


def test_cells_cannot_break_their_row() -> None:
    blocks = Blocks()
    blocks.open_row()
    for cell in ("a", "b|c\nd"):
        blocks.open_cell()
        blocks.write(cell)
    blocks.close_row()
    assert blocks.text == "| a | b\\|c d |\n| --- | --- |"


def test_ends_without_beginnings_do_nothing() -> None:
    blocks = Blocks()
    blocks.close_link("x")
    blocks.close_list()
    blocks.close_quote()
    blocks.close_row()
    blocks.close_pre()
    blocks.write("a")
    assert "a" in blocks.text
