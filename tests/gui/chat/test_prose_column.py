from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QUrl

from desktop.gui.chat.prose_column import A_TURN, AT_ONCE, MarkdownColumn
from desktop.gui.chat.text_parts import MOST, GrowingText

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme

pytest_plugins = ("tests.gui.theme_fixture",)

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
    assert len(column.proses) == AT_ONCE
    assert column.more.isVisible()
    with qtbot.waitSignal(column.settled):
        column.more.click()
    assert len(column.proses) == 2 * AT_ONCE
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
    assert all(len(one.text) <= MOST for one in column.proses)
    assert column.proses[-1].toPlainText().endswith("more")


def test_another_text_replaces_all_parts(column: MarkdownColumn) -> None:
    column.show_text(GrowingText(LONG))
    column.show_text(GrowingText("short"))
    assert [one.toPlainText() for one in column.proses] == ["short"]
    assert not column.more.isVisible()


def test_a_chosen_link_is_told(column: MarkdownColumn) -> None:
    chosen: list[QUrl] = []
    column.link_chosen.connect(chosen.append)
    column.show_text(GrowingText("[x](https://a.example)"))
    column.proses[0].anchorClicked.emit(QUrl("https://a.example"))
    assert chosen == [QUrl("https://a.example")]
