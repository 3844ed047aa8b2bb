from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QMimeData, QRect, Qt, QUrl
from PySide6.QtGui import QImage, QInputMethodEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from desktop.features.chat.gui.composer import MAX_QUESTION_LENGTH, Composer, MessageEditor
from desktop.features.chat.gui.images import MAX_PICTURES
from tests.features.chat.gui.conftest import told
from tests.gui.results.images import png
from tests.patience import LIMIT

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme


@pytest.fixture
def edit(qtbot: QtBot, theme: Theme) -> MessageEditor:
    made = MessageEditor()
    qtbot.addWidget(made)
    made.show()
    return made


def test_enter_sends_and_shift_enter_begins_a_line(edit: MessageEditor) -> None:
    sent: list[str] = []
    edit.send_requested.connect(lambda: sent.append(edit.toPlainText()))
    QTest.keyClicks(edit, "one")
    QTest.keyClick(edit, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    QTest.keyClicks(edit, "two")
    QTest.keyClick(edit, Qt.Key.Key_Return)
    assert sent == ["one\ntwo"]


def test_question_and_buttons_are_in_one_frame(qtbot: QtBot, theme: Theme) -> None:
    composer = Composer(theme)
    qtbot.addWidget(composer)
    composer.resize(500, composer.sizeHint().height())
    composer.edit.setProperty("ring", True)
    with qtbot.waitActive(composer):
        composer.show()
        composer.activateWindow()
    for is_focused in (False, True, False, True):
        composer.edit.setFocus() if is_focused else composer.edit.clearFocus()
        if not is_focused:
            theme.set_scheme("dark")  # from then on all is drawn anew
        line = composer.grab(QRect(0, composer.edit.geometry().bottom() - 3, 500, 1)).toImage()
        colors = [line.pixelColor(x, 0).name() for x in range(4, 496)]
        assert len(set(colors)) == 1, is_focused


def test_enter_while_an_input_method_composes_sends_nothing(edit: MessageEditor) -> None:
    sent: list[str] = []
    edit.send_requested.connect(lambda: sent.append(edit.toPlainText()))
    QApplication.sendEvent(edit, QInputMethodEvent("nihao", []))
    QTest.keyClick(edit, Qt.Key.Key_Return)
    assert sent == []

    chosen = QInputMethodEvent("", [])
    chosen.setCommitString("你好")
    QApplication.sendEvent(edit, chosen)
    QTest.keyClick(edit, Qt.Key.Key_Return)
    assert [text.strip() for text in sent] == ["你好"]


def test_each_key_is_named_in_full_or_left_out(qtbot: QtBot, theme: Theme) -> None:
    composer = Composer(theme)
    qtbot.addWidget(composer)
    composer.show()
    shown: list[str] = []
    for width in range(500, 200, -10):
        composer.resize(width, 110)
        shown.append(composer.keys.text())
    whole, first = "Enter sends · Shift+Enter: new line", "Enter sends"
    assert list(dict.fromkeys(shown)) == [whole, first, ""]


def test_it_grows_with_its_lines_up_to_a_limit(edit: MessageEditor) -> None:
    heights: list[int] = []
    for lines in (1, 6, 10, 100):
        edit.setPlainText("\n".join(["line"] * lines))
        heights.append(edit.height())
    assert heights[0] < heights[1] < heights[2] == heights[3]


def test_pictures_and_files_are_told_and_text_is_inserted(edit: MessageEditor) -> None:
    files: list[object] = []
    pictures: list[object] = []
    edit.files_inserted.connect(files.append)
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


@pytest.fixture
def composer(qtbot: QtBot, theme: Theme) -> Composer:
    made = Composer(theme)
    qtbot.addWidget(made)
    made.show()
    return made


@pytest.fixture
def sent(composer: Composer) -> list[tuple[str, object]]:
    return told(composer.send_requested)


async def _attached(composer: Composer, count: int = 1) -> None:
    news = asyncio.Event()
    left = count

    def note() -> None:
        nonlocal left
        left -= 1
        if left == 0:
            news.set()

    composer.attached.connect(note)
    await asyncio.wait_for(news.wait(), LIMIT)


def test_nothing_to_say_is_not_sent(composer: Composer, sent: list[object]) -> None:
    QTest.keyClicks(composer.edit, "   ")
    QTest.keyClick(composer.edit, Qt.Key.Key_Return)
    assert sent == []
    assert not composer.send.isEnabled()


def test_what_was_typed_stays_until_it_was_taken(composer: Composer, sent: list[object]) -> None:
    QTest.keyClicks(composer.edit, " hello ")
    QTest.keyClick(composer.edit, Qt.Key.Key_Return)
    assert sent == [("hello", ())]
    assert composer.text == " hello "
    composer.clear()
    assert composer.text == ""


def test_while_a_model_is_at_work_enter_sends_too_and_stop_is_there(
    composer: Composer, sent: list[object]
) -> None:
    stops: list[str] = []
    composer.stop_requested.connect(lambda: stops.append("stop"))
    composer.set_running(True)
    QTest.keyClicks(composer.edit, "next")
    QTest.keyClick(composer.edit, Qt.Key.Key_Return)
    composer.stop.click()
    assert (sent, stops, composer.send.isVisible()) == ([("next", ())], ["stop"], False)
    assert "Enter asks this next" in composer.keys.accessibleName()
    composer.set_running(False)
    composer.send.click()
    assert len(sent) == 2


def test_a_reason_keeps_it_from_being_sent_and_is_said(
    composer: Composer, sent: list[object]
) -> None:
    composer.set_reason("No key yet.")
    QTest.keyClicks(composer.edit, "hello")
    composer.request_send()
    assert (sent, composer.hint.text()) == ([], "No key yet.")
    composer.set_reason("")
    composer.request_send()
    assert len(sent) == 1


def test_a_text_that_is_too_long_is_refused_and_kept(
    composer: Composer, sent: list[object]
) -> None:
    composer.edit.set_text("x" * (MAX_QUESTION_LENGTH + 1))
    composer.request_send()
    assert (sent, len(composer.text)) == ([], MAX_QUESTION_LENGTH + 1)
    assert "Too long" in composer.problem.text()


def test_pasting_too_much_is_refused_and_what_was_typed_stays(composer: Composer) -> None:
    QTest.keyClicks(composer.edit, "mine")
    mime = QMimeData()
    mime.setText("word " * MAX_QUESTION_LENGTH)
    composer.edit.insertFromMimeData(mime)
    assert composer.text == "mine"
    assert "Too long" in composer.problem.text()


async def test_pictures_are_attached_sent_and_taken_out(
    composer: Composer, sent: list[tuple[str, object]], tmp_path: Path
) -> None:
    file = tmp_path / "a.png"
    file.write_bytes(png(4, 4))
    composer.attach_files([str(file)])
    await _attached(composer)
    image = QImage(6, 6, QImage.Format.Format_RGB32)
    image.fill(0)
    composer.edit.picture_pasted.emit(image)
    await _attached(composer)
    assert [image.mime for image in composer.images] == ["image/png"] * 2
    composer.pictures.pictures[1].remove.click()
    composer.request_send()
    assert sent == [("", composer.images)]
    assert len(composer.images) == 1


async def test_what_cannot_be_attached_is_said(composer: Composer, tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_bytes(b"\xff\xfe no text")
    composer.attach_files([str(file)])
    await _attached(composer)
    assert "a.txt is neither a text nor" in composer.problem.text()


async def test_more_pictures_than_a_provider_takes_are_refused(
    composer: Composer, tmp_path: Path
) -> None:
    file = tmp_path / "a.png"
    file.write_bytes(png(4, 4))
    composer.attach_files([str(file)] * (MAX_PICTURES + 5))
    await _attached(composer, MAX_PICTURES + 1)
    assert len(composer.images) == MAX_PICTURES
    assert "at most" in composer.problem.text()


def test_the_file_dialog_asks_for_any_file_or_pictures(composer: Composer) -> None:
    dialog = composer.choose_files()
    assert "*.png" in dialog.nameFilters()[1]
    dialog.close()
