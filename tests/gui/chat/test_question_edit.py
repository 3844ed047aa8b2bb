from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QMimeData, Qt, QUrl
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest

from desktop.gui.chat.question_edit import MessageEditor

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme

pytest_plugins = ("tests.gui.theme_fixture",)


@pytest.fixture
def edit(qtbot: QtBot, theme: Theme) -> MessageEditor:
    made = MessageEditor()
    qtbot.addWidget(made)
    made.show()
    return made


def test_enter_sends_and_shift_enter_begins_a_line(edit: MessageEditor) -> None:
    sent: list[str] = []
    edit.sent.connect(lambda: sent.append(edit.toPlainText()))
    QTest.keyClicks(edit, "one")
    QTest.keyClick(edit, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    QTest.keyClicks(edit, "two")
    QTest.keyClick(edit, Qt.Key.Key_Return)
    assert sent == ["one\ntwo"]


def test_it_grows_with_its_lines_up_to_a_limit(edit: MessageEditor) -> None:
    heights: list[int] = []
    for lines in (1, 6, 10, 100):
        edit.setPlainText("\n".join(["line"] * lines))
        heights.append(edit.height())
    assert heights[0] < heights[1] < heights[2] == heights[3]


def test_pictures_and_files_are_told_and_text_is_inserted(edit: MessageEditor) -> None:
    files: list[object] = []
    pictures: list[object] = []
    edit.files_given.connect(files.append)
    edit.picture_pasted.connect(pictures.append)
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile("/tmp/a.png"), QUrl("https://a.example/b.png")])
    edit.insertFromMimeData(mime)
    mime = QMimeData()
    image = QImage(2, 2, QImage.Format.Format_RGB32)
    image.fill(0)
    mime.setImageData(image)
    assert edit.canInsertFromMimeData(mime)
    edit.insertFromMimeData(mime)
    mime = QMimeData()
    mime.setHtml("<b>bold</b>")
    mime.setText("bold")
    edit.insertFromMimeData(mime)
    assert (files, len(pictures), edit.toPlainText()) == ([["/tmp/a.png"]], 1, "bold")
