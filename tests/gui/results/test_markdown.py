from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QObject, Qt, QUrl, Slot
from PySide6.QtGui import QDesktopServices, QGuiApplication, QTextCursor, QTextDocument, QTextTable
from PySide6.QtTest import QTest

from desktop.gui.results.markdown import (
    MAX_CHARACTERS,
    MAX_PARAGRAPH_LENGTH,
    MAX_STYLED,
    LinkBar,
    MarkdownDocument,
    MarkdownView,
    read_markdown,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from PySide6.QtWidgets import QApplication
    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme


def test_it_is_there_once_a_link_is_offered(qtbot: QtBot) -> None:
    bar = LinkBar()
    qtbot.addWidget(bar)
    assert bar.isHidden()
    bar.offer(QUrl("https://a.example/" + "x" * 5000))
    assert not bar.isHidden()
    assert len(bar.link.text()) == 2000
    bar.copy_link.click()
    assert QGuiApplication.clipboard().text() == bar.link.text()
    bar.close_link.click()
    assert bar.isHidden()


def test_only_the_web_can_be_opened(qtbot: QtBot) -> None:
    bar = LinkBar()
    qtbot.addWidget(bar)
    for target, opens in (("https://a", True), ("file:///x", False), ("javascript:x", False)):
        bar.offer(QUrl(target))
        assert bar.open_link.isEnabled() is opens


LEFT = Qt.MouseButton.LeftButton


class Browser(QObject):
    """Stands where the system's browser would."""

    def __init__(self) -> None:
        super().__init__()
        self.opened: list[str] = []

    @Slot(QUrl)
    def open(self, url: QUrl) -> None:
        self.opened.append(url.toString())


@pytest.fixture
def browser() -> Iterator[Browser]:
    made = Browser()
    for scheme in ("https", "file"):
        # The stubs ask for bytes, the call itself for a text.
        QDesktopServices.setUrlHandler(scheme, made, "open")  # pyright: ignore[reportArgumentType]
    yield made
    for scheme in ("https", "file"):
        QDesktopServices.unsetUrlHandler(scheme)


@pytest.fixture
def view(qtbot: QtBot) -> MarkdownView:
    made = MarkdownView()
    qtbot.addWidget(made)
    made.resize(500, 300)
    made.show()
    return made


def click_text(view: MarkdownView, words: str) -> None:
    cursor = view.page.document().find(words)
    cursor.setPosition(cursor.selectionStart() + 2, QTextCursor.MoveMode.MoveAnchor)
    place = view.page.cursorRect(cursor).center()
    QTest.mouseClick(view.page.viewport(), LEFT, pos=place)


def test_a_click_on_a_link_only_offers_it(view: MarkdownView, browser: Browser) -> None:
    assert view.show_text("Go to [the docs](https://a.example/x?y=1) now")
    assert view.page.toPlainText() == "Go to the docs (https://a.example/x?y=1) now"
    click_text(view, "the docs")
    assert view.link_bar.isVisible()
    assert view.link_bar.link.text() == "https://a.example/x?y=1"
    assert browser.opened == []
    QTest.mouseClick(view.link_bar.copy_link, LEFT)
    assert QGuiApplication.clipboard().text() == "https://a.example/x?y=1"
    QTest.mouseClick(view.link_bar.open_link, LEFT)
    assert browser.opened == ["https://a.example/x?y=1"]
    QTest.mouseClick(view.link_bar.close_link, LEFT)
    assert not view.link_bar.isVisible()


def test_a_link_to_a_file_can_be_copied_only(view: MarkdownView, browser: Browser) -> None:
    view.show_text("Open [this file](file:///etc/passwd)")
    click_text(view, "this file")
    assert not view.link_bar.open_link.isEnabled()
    QTest.mouseClick(view.link_bar.open_link, LEFT)
    assert browser.opened == []


def test_a_text_that_is_too_long_is_refused_and_the_next_is_shown(view: MarkdownView) -> None:
    assert not view.show_text("x" * (MAX_CHARACTERS + 1))
    assert "too long" in view.refusal.text()
    assert not view.page.isVisible()
    assert view.show_text("# Fine")
    assert view.page.isVisible()
    assert not view.refusal.isVisible()
    assert view.page.loadResource(2, QUrl("file:///etc/passwd")) is None


def link_color(view: MarkdownView) -> str:
    cursor = view.page.document().find("the site")
    return cursor.charFormat().foreground().color().name()


def test_a_link_has_the_colour_of_the_theme_that_is_chosen_while_it_is_shown(
    view: MarkdownView, theme: Theme
) -> None:
    theme.set_scheme("light")
    view.show_text("Go to [the site](https://example.com).\n\n" + "A line.\n\n" * 100)
    view.page.verticalScrollBar().setValue(40)
    light = theme.color("accent").name()
    assert link_color(view) == light

    theme.set_scheme("dark")

    assert link_color(view) == theme.color("accent").name() != light
    assert view.page.verticalScrollBar().value() == 40


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
    ["x" * (MAX_CHARACTERS + 1), "word " * MAX_PARAGRAPH_LENGTH, "a line\n" * MAX_PARAGRAPH_LENGTH],
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


def test_a_result_has_the_look_of_a_chat_up_to_a_length(qtbot: QtBot) -> None:
    view = MarkdownView()
    qtbot.addWidget(view)
    view.resize(600, 400)
    view.show_text("# Title\n\ntext\n\n> quoted\n\n- one\n- two")
    view.show()
    title = view.page.document().begin()
    body = view.page.font().pointSizeF()
    assert title.begin().fragment().charFormat().fontPointSize() == pytest.approx(1.4 * body)
    assert view.page.has_bars
    assert not view.grab().isNull()
    view.show_text("> word\n\n" * (MAX_STYLED // 6))
    assert not view.page.has_bars
