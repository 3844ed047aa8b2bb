from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtGui import QTextDocument, QTextTable

from desktop.gui.results.markdown import (
    LONGEST_PARAGRAPH,
    MOST_CHARACTERS,
    MarkdownDocument,
    read_markdown,
)

if TYPE_CHECKING:
    from pathlib import Path

    from PySide6.QtWidgets import QApplication


def read(text: str) -> MarkdownDocument:
    document = read_markdown(text)
    assert isinstance(document, MarkdownDocument)
    return document


def tables(document: QTextDocument) -> int:
    frames = document.rootFrame().childFrames()
    return sum(isinstance(frame, QTextTable) for frame in frames)


def test_headings_and_emphasis_are_read(qapp: QApplication) -> None:
    document = read("# Title\n\nSome *words*")
    assert document.toPlainText() == "Title\nSome words"
    assert document.begin().blockFormat().headingLevel() == 1


def test_html_stays_text(qapp: QApplication) -> None:
    html = "<b>bold</b> <img src='file:///x.png'>"
    assert read(html).toPlainText() == html


def test_a_link_says_where_it_goes(qapp: QApplication) -> None:
    text = read("See [the *very* docs](https://evil.example/x) or https://b.example").toPlainText()
    assert text == "See the very docs (https://evil.example/x) or https://b.example"


def test_a_picture_is_words_and_nothing_is_loaded(qapp: QApplication, tmp_path: Path) -> None:
    file = tmp_path / "secret.png"
    file.write_bytes(b"x")
    document = read(f"a ![logo]({file.as_uri()}) b ![x]({file}) c")
    assert document.toPlainText() == (
        f"a [Picture, not loaded: logo {file.as_uri()}] b [Picture, not loaded: x {file}] c"
    )
    assert document.loadResource(2, QUrl(file.as_uri())) is None
    assert document.resource(2, QUrl(file.as_uri())) is None


def test_a_small_table_is_a_table_and_a_huge_one_stays_text(qapp: QApplication) -> None:
    head = "|a|b|\n|-|-|\n"
    assert tables(read(head + "|1|2|\n" * 5)) == 1
    assert tables(read(head + "|1|2|\n" * 900)) == 0


@pytest.mark.parametrize(
    "text",
    ["x" * (MOST_CHARACTERS + 1), "word " * LONGEST_PARAGRAPH, "a line\n" * LONGEST_PARAGRAPH],
)
def test_what_would_take_long_is_refused_in_words(qapp: QApplication, text: str) -> None:
    refusal = read_markdown(text)
    assert isinstance(refusal, str)
    assert "too long" in refusal


@pytest.mark.parametrize(
    "text", ["> " * 3000, "- " * 3000, "*a " * 2000, "[" * 5000, "[a](" * 1500, "`" * 5000, "\0"]
)
def test_strange_markup_does_no_harm(qapp: QApplication, text: str) -> None:
    assert read_markdown(text)
