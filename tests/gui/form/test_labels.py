from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton

from desktop.gui.form.labels import LONGEST, description_label, plain_label, plain_line
from tests.gui.form.conftest import labels

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot


def test_no_text_is_markup_and_no_name_is_endless(qtbot: QtBot) -> None:
    for label in (plain_label("<b>x</b>"), plain_line("<b>x</b>")):
        qtbot.addWidget(label)
        assert label.textFormat() == Qt.TextFormat.PlainText
    line = plain_line("x" * 900)
    qtbot.addWidget(line)
    assert len(line.text()) < 80


def test_a_long_text_is_cut_until_asked_for(qtbot: QtBot) -> None:
    widget = description_label("word " * 2000)
    qtbot.addWidget(widget)
    widget.show()
    assert len(labels(widget)) <= LONGEST + 1
    QTest.mouseClick(widget.findChildren(QPushButton)[0], Qt.MouseButton.LeftButton)
    assert len(labels(widget)) > 9000
