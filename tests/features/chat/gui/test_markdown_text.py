from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QFrame, QVBoxLayout

from desktop.features.chat.gui.growing_text import MAX_PART_LENGTH, GrowingText
from desktop.features.chat.gui.markdown_text import (
    A_TURN,
    PARTS_AT_ONCE,
    MarkdownColumn,
    MarkdownText,
)
from desktop.gui.theme import style
from desktop.gui.theme.tokens import DARK, LIGHT

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme


def test_a_short_text_is_one_part() -> None:
    text = GrowingText("hello")
    assert (text.parts, text.done, text.tail, text.text) == (["hello"], [], "hello", "hello")


def test_an_empty_text_has_no_part() -> None:
    assert GrowingText().parts == []


def test_a_part_ends_between_paragraphs() -> None:
    paragraph = "word " * 200 + "\n\n"
    text = GrowingText(paragraph * 20)
    assert all(len(part) <= MAX_PART_LENGTH for part in text.parts)
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
    assert max(map(len, text.parts)) <= MAX_PART_LENGTH + 300
    assert "".join(text.parts).count("one two three") == 300


def test_a_text_without_any_space_is_cut_all_the_same() -> None:
    text = GrowingText("x" * (5 * MAX_PART_LENGTH))
    assert sum(map(len, text.parts)) == 5 * MAX_PART_LENGTH


LONG = ("word " * 100 + "\n\n") * 2000  # a megabyte


@pytest.fixture
def column(qtbot: QtBot, theme: Theme) -> MarkdownColumn:
    made = MarkdownColumn()
    qtbot.addWidget(made)
    made.resize(500, 400)
    made.show()
    return made


def test_a_long_answer_is_built_in_parts_that_a_person_asks_for(
    qtbot: QtBot, column: MarkdownColumn
) -> None:
    with qtbot.waitSignal(column.settled):
        column.show_text(GrowingText(LONG))
        assert len(column.proses) == A_TURN
    assert len(column.proses) == PARTS_AT_ONCE
    assert column.more.isVisible()
    with qtbot.waitSignal(column.settled):
        column.more.click()
    assert len(column.proses) == 2 * PARTS_AT_ONCE
    assert "characters" in column.more.text()


def test_only_the_last_part_is_touched_while_text_arrives(column: MarkdownColumn) -> None:
    text = GrowingText()
    for _ in range(40):
        text.add("word " * 100 + "\n\n")
        column.show_text(text, is_live=True)
    first = column.proses[0]
    shown = first.document()
    text.add("more")
    column.show_text(text, is_live=True)
    assert first.document() is shown
    assert all(len(prose.text) <= MAX_PART_LENGTH for prose in column.proses)
    assert column.proses[-1].toPlainText().endswith("more")


def test_another_text_replaces_all_parts(column: MarkdownColumn) -> None:
    column.show_text(GrowingText(LONG))
    column.show_text(GrowingText("short"))
    assert [prose.toPlainText() for prose in column.proses] == ["short"]
    assert not column.more.isVisible()


def test_a_chosen_link_is_told(column: MarkdownColumn) -> None:
    chosen: list[QUrl] = []
    column.link_activated.connect(chosen.append)
    column.show_text(GrowingText("[x](https://a.example)"))
    column.proses[0].anchorClicked.emit(QUrl("https://a.example"))
    assert chosen == [QUrl("https://a.example")]


@pytest.fixture
def prose(qtbot: QtBot, theme: Theme) -> MarkdownText:
    made = MarkdownText()
    qtbot.addWidget(made)
    made.resize(400, 10)
    made.show()
    return made


def test_markdown_is_shown_without_html_pictures_or_hidden_targets(prose: MarkdownText) -> None:
    prose.show_markdown(
        "**bold** <b>raw</b> [x](https://a.example/y) ![p](file:///etc/passwd) <script>1</script>"
    )
    text = prose.toPlainText()
    assert text.startswith("bold <b>raw</b> x (https://a.example/y)")
    assert "[Picture, not loaded: p file:///etc/passwd]" in text
    assert prose.loadResource(2, QUrl("file:///etc/passwd")) is None
    assert not prose.openLinks()


def test_it_is_as_high_as_its_text_at_every_width(prose: MarkdownText) -> None:
    prose.show_markdown("word " * 200)
    narrow = prose.height()
    prose.resize(800, prose.height())
    assert 0 < prose.height() < narrow
    assert prose.verticalScrollBar().maximum() == 0


def test_what_is_selected_is_not_taken_away_while_more_arrives(prose: MarkdownText) -> None:
    prose.show_markdown("one two")
    cursor = prose.textCursor()
    cursor.select(QTextCursor.SelectionType.WordUnderCursor)
    prose.setTextCursor(cursor)
    prose.show_markdown("one two three")
    assert prose.toPlainText() == "one two"
    cursor.clearSelection()
    prose.setTextCursor(cursor)
    prose.show_markdown("one two three four")
    assert prose.toPlainText() == "one two three four"


def test_links_follow_the_theme(prose: MarkdownText, theme: Theme) -> None:
    prose.show_markdown("[x](https://a.example)")
    light = _color(prose)
    theme.set_scheme("dark")
    assert (light, _color(prose)) == (theme_color(theme, "light"), theme.color("accent").name())


def _ground(prose: MarkdownText) -> str:
    (card,) = prose.document().rootFrame().childFrames()
    return card.frameFormat().background().color().name()


def test_code_and_tables_follow_the_theme(prose: MarkdownText, theme: Theme) -> None:
    theme.set_scheme("light")
    prose.show_markdown("```\ncode\n```")
    light = _ground(prose)
    theme.set_scheme("dark")
    dark = _ground(prose)
    theme.set_scheme("light")
    assert (light, dark) == (LIGHT.code, DARK.code)


def test_it_is_read_once_however_often_the_style_sheet_looks_at_it(
    qtbot: QtBot, theme: Theme
) -> None:
    frame = QFrame()
    qtbot.addWidget(frame)
    prose = MarkdownText(frame)
    prose.show_markdown("[x](https://a.example)")
    read = prose.document()
    QVBoxLayout(frame).addWidget(prose)
    style(frame, "card")
    frame.show()
    style(prose, "prose", "muted")
    assert prose.document() is read


def theme_color(theme: Theme, scheme: str) -> str:
    theme.set_scheme("light" if scheme == "light" else "dark")
    color = theme.color("accent").name()
    theme.set_scheme("dark")
    return color


def _color(prose: MarkdownText) -> str:
    cursor = QTextCursor(prose.document())
    cursor.setPosition(1)
    return cursor.charFormat().foreground().color().name()


def test_plain_text_stays_letter_by_letter(prose: MarkdownText) -> None:
    prose.show_plain("**not bold** <b>no</b>")
    assert prose.toPlainText() == "**not bold** <b>no</b>"
