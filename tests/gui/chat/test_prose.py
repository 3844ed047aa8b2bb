from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QFrame, QVBoxLayout

from desktop.gui.chat.prose import MarkdownText
from desktop.gui.theme import style
from desktop.gui.theme.tokens import DARK, LIGHT

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme

pytest_plugins = ("tests.gui.theme_fixture",)


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


def test_code_and_tables_follow_the_theme(prose: MarkdownText, theme: Theme) -> None:
    theme.set_scheme("light")
    prose.show_markdown("```\ncode\n```")
    light = prose.document().begin().blockFormat().background().color().name()
    theme.set_scheme("dark")
    dark = prose.document().begin().blockFormat().background().color().name()
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
