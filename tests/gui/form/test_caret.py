from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QPushButton

from desktop.gui.form.caret import caret_of, put_caret

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot


def test_the_cursor_goes_back_to_its_place_or_to_the_end(qtbot: QtBot) -> None:
    for widget in (QLineEdit("text"), QPlainTextEdit("text")):
        qtbot.addWidget(widget)
        for position, then in ((2, 2), (99, 4)):
            put_caret(widget, position)
            assert caret_of(widget) == then


def test_what_holds_no_text_has_no_cursor(qtbot: QtBot) -> None:
    button = QPushButton()
    qtbot.addWidget(button)
    put_caret(button, 3)
    assert (caret_of(button), caret_of(None)) == (0, 0)
