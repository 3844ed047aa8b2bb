"""The code of an answer is copied as the model wrote it, whole, by one click."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from desktop.features.chat.gui.entries import ModelEntry
from desktop.features.chat.gui.growing_text import (
    MAX_PART_LENGTH,
    GrowingText,
    fenced_codes,
    whole_code,
)
from desktop.features.chat.gui.markdown_text import MarkdownColumn
from desktop.features.chat.gui.message_list import ModelCard

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme

LEFT = Qt.MouseButton.LeftButton
ANSWER = (
    "So:\n\n```python\ndef f():\n    return  1\n\nf()\n```\n\nor\n\n~~~\nls\n~~~\nDone with `x`."
)


def _column(qtbot: QtBot, text: str) -> MarkdownColumn:
    column = MarkdownColumn()
    qtbot.addWidget(column)
    column.resize(600, 800)
    column.show()
    with qtbot.waitSignal(column.settled, timeout=20_000):
        column.show_text(GrowingText(text))
    return column


def test_each_block_has_a_button_that_copies_it_exactly(qtbot: QtBot) -> None:
    column = _column(qtbot, ANSWER)
    (prose,) = column.proses
    first, second = prose.copies
    QTest.mouseClick(first, LEFT)
    assert QGuiApplication.clipboard().text() == "def f():\n    return  1\n\nf()"
    assert first.text() == "Copied"
    second.setFocus()
    QTest.keyClick(second, Qt.Key.Key_Space)
    assert QGuiApplication.clipboard().text() == "ls"
    qtbot.waitUntil(lambda: first.text() == "Copy", timeout=5000)
    assert first.geometry().right() <= prose.viewport().width()
    assert first.y() < second.y()


def test_the_buttons_stay_at_the_right_when_it_grows_wider(qtbot: QtBot) -> None:
    column = _column(qtbot, ANSWER)
    (prose,) = column.proses
    before = prose.copies[0].x()
    column.resize(900, 800)
    qtbot.waitUntil(lambda: prose.copies[0].x() > before, timeout=5000)


def test_a_long_block_is_copied_whole_from_each_of_its_parts(qtbot: QtBot) -> None:
    code = "\n".join(f"line_{n} = {n}" for n in range(MAX_PART_LENGTH // 6))
    column = _column(qtbot, f"Code:\n\n```\nshort\n```\n\nand\n\n```py\n{code}\n```\nEnd.")
    assert len(column.proses) > 2
    for prose in column.proses:
        QTest.mouseClick(prose.copies[-1], LEFT)
        assert QGuiApplication.clipboard().text() == code


def test_while_an_answer_arrives_there_is_no_button(qtbot: QtBot, theme: Theme) -> None:
    entry = ModelEntry(GrowingText(ANSWER), is_live=True)
    card = ModelCard(theme, entry)
    qtbot.addWidget(card)
    card.show()
    assert [prose.copies for prose in card.text.proses] == [[]]
    entry.is_live = False
    card.refresh()
    assert len(card.text.proses[0].copies) == 2


def test_a_question_has_none(qtbot: QtBot) -> None:
    column = MarkdownColumn(is_markdown=False)
    qtbot.addWidget(column)
    column.show_text(GrowingText(ANSWER))
    assert column.proses[0].copies == []


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("```\na\n```", ["a"]),
        ("````\n```\na\n```\n````", ["```\na\n```"]),
        ("~~~\na\n```\nb", ["a\n```\nb"]),
        ("no", []),
        ("```\n```", [""]),
    ],
)
def test_codes_are_what_stands_between_fences(text: str, codes: list[str]) -> None:
    assert fenced_codes(text) == codes


def test_what_is_not_found_is_copied_as_it_is_shown() -> None:
    assert whole_code("x", ["y"], "```\nz\n```") == "x"
