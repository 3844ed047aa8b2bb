"""Files go with a question by drop, paste or choice: pictures as pictures, texts as text."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from desktop.features.chat.gui.attached_files import (
    MAX_FILES,
    MAX_TEXT_BYTES,
    TextFile,
    add_files,
    read_attachment,
)
from desktop.features.chat.gui.images import MAX_BYTES
from desktop.features.models.messages import Image, UserMessage
from tests.features.chat.agent.scripted import says
from tests.features.chat.gui.conftest import idle
from tests.fifos import make_fifo
from tests.gui.results.images import png
from tests.patience import LIMIT

if TYPE_CHECKING:
    from pathlib import Path

    from PySide6.QtWidgets import QWidget

    from desktop.features.chat.gui.page import ChatPage
    from tests.features.chat.gui.conftest import FakeProviders

LEFT = Qt.MouseButton.LeftButton


def test_what_a_file_is_says_its_content_not_its_name(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(png(4, 4))
    (tmp_path / "b.png").write_text("\ufeffgrüß\n", "utf-8")
    assert read_attachment(str(tmp_path / "a.txt")) == Image(png(4, 4), "image/png")
    assert read_attachment(str(tmp_path / "b.png")) == TextFile("b.png", "grüß\n")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"\xff\xfe", "neither a text nor"),
        (b"a\0b", "neither a text nor"),
        (b"x" * (MAX_TEXT_BYTES + 1), "is larger than 150 KB."),
        (b"\xc3\xa4" * MAX_BYTES, "is larger than 150 KB."),
        (png(4, 4) + b"\0" * MAX_BYTES, "is larger than 5 MB."),
    ],
)
def test_what_cannot_be_given_is_refused_in_words(
    tmp_path: Path, content: bytes, words: str
) -> None:
    (tmp_path / "it").write_bytes(content)
    assert words in str(read_attachment(str(tmp_path / "it")))


def test_what_is_no_file_is_not_waited_for(tmp_path: Path) -> None:
    make_fifo(tmp_path / "pipe")
    assert read_attachment(str(tmp_path / "pipe")) == "pipe is not a file."
    assert read_attachment(str(tmp_path)) == f"{tmp_path.name} is not a file."
    assert "cannot be read" in str(read_attachment(str(tmp_path / "none")))


def test_a_text_stands_in_a_fence_that_it_cannot_close() -> None:
    file = TextFile("a\n.md", "x\n````\ny\n")
    assert add_files("Why?", [file]) == "Why?\n\na⟨U+000A⟩.md:\n`````\nx\n````\ny\n`````"
    assert add_files("", [TextFile("b", "z")]) == "b:\n```\nz\n```"


def _files(*paths: Path) -> QMimeData:
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    return mime


def _drop(widget: QWidget, mime: QMimeData) -> bool:
    """What a drop comes to; whether it was taken."""
    copy, place = Qt.DropAction.CopyAction, widget.rect().center()
    enter = QDragEnterEvent(place, copy, mime, LEFT, Qt.KeyboardModifier.NoModifier)
    enter.ignore()
    QApplication.sendEvent(widget, enter)
    if not enter.isAccepted():
        return False
    drop = QDropEvent(QPointF(place), copy, mime, LEFT, Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(widget, drop)
    return True


async def _attached(page: ChatPage, count: int) -> None:
    left = count
    done = asyncio.Event()

    def note() -> None:
        nonlocal left
        left -= 1
        if not left:
            done.set()

    page.view.composer.attached.connect(note)
    async with asyncio.timeout(LIMIT):
        await done.wait()


async def test_files_that_are_dropped_anywhere_on_the_chat_are_sent(
    page: ChatPage, providers: FakeProviders, tmp_path: Path
) -> None:
    (tmp_path / "a.png").write_bytes(png(4, 4))
    (tmp_path / "notes.md").write_text("# Notes\n", "utf-8")
    providers.model.steps.append(says("Nice."))
    assert not _drop(page.view, QMimeData())
    assert _drop(page.view, _files(tmp_path / "a.png", tmp_path / "notes.md"))
    await _attached(page, 2)
    composer = page.view.composer
    assert [chip.file.name for chip in composer.files.chips] == ["notes.md"]
    assert composer.files.isVisible()
    composer.edit.set_text("What is this?")
    QTest.mouseClick(composer.send, LEFT)
    assert page.view.chat is not None
    await idle(page.view.chat)
    (sent,) = providers.model.requests[-1].messages
    assert sent == UserMessage(
        "What is this?\n\nnotes.md:\n```\n# Notes\n```", (Image(png(4, 4), "image/png"),)
    )
    assert composer.files.chips == []


async def test_a_pasted_file_is_attached_and_can_be_taken_out(
    page: ChatPage, tmp_path: Path
) -> None:
    (tmp_path / "notes.md").write_text("# Notes\n", "utf-8")
    composer = page.view.composer
    QApplication.clipboard().setMimeData(_files(tmp_path / "notes.md"))
    composer.edit.paste()
    await _attached(page, 1)
    assert composer.can_send
    QTest.mouseClick(composer.files.chips[0].remove, LEFT)
    assert (composer.files.chips, composer.can_send) == ([], False)


async def test_more_texts_than_are_read_are_refused(page: ChatPage, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("a", "utf-8")
    composer = page.view.composer
    composer.attach_files([str(tmp_path / "a.txt")] * (MAX_FILES + 1))
    await _attached(page, MAX_FILES + 1)
    assert len(composer.files.chips) == MAX_FILES
    assert composer.problem.text() == f"{MAX_FILES} text files at most."
