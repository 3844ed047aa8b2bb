"""Files that go with a question: pictures as pictures, texts as text below it.

What a file is says its content, never its name. Reading works on a thread: it must not touch a
widget. Nothing is read but what a person chose, dropped or pasted.
"""

from __future__ import annotations

import stat
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from msgspec import Struct
from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtWidgets import QFrame, QSizePolicy, QToolButton, QWidget

from desktop.base.fenced_text import fenced
from desktop.base.visible_text import mark_hidden
from desktop.features.chat.gui.images import MAX_BYTES, is_picture, picture_of
from desktop.gui.layouts import STRETCH, in_row
from desktop.gui.results.structured import content_text
from desktop.gui.theme import space, style
from desktop.gui.widgets.formatting import format_size
from desktop.gui.widgets.labels import ElidedLabel
from desktop.gui.widgets.visibility import discard

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.features.models.messages import Image
    from desktop.values.resource_types import ReadResult
    from desktop.values.spilled import ReadableText

translate = QCoreApplication.translate

MAX_FILES: Final = 10
"""Texts of one question."""
MAX_TEXT_BYTES: Final = 150_000
"""Of one text: about 40,000 tokens."""
_WIDTH: Final = space(70)


class TextFile(Struct, frozen=True):
    """A text that goes with a question."""

    name: str
    text: str


def read_attachment(path: str) -> Image | TextFile | str:
    """The picture or text in a file, or a sentence why it cannot be given to a model."""
    name = Path(path).name
    try:
        if not stat.S_ISREG(Path(path).stat().st_mode):
            words = translate("Attachments", "{name} is not a file.")
            return words.format(name=name)
        with Path(path).open("rb") as file:
            content = file.read(MAX_BYTES + 1)
    except OSError as error:
        words = translate("Attachments", "{name} cannot be read: {reason}")
        return words.format(name=name, reason=error.strerror or error)
    return picture_of(content, name) if is_picture(content) else _text_of(content, name)


def resource_texts(server: str, uri: str, read: ReadResult) -> list[TextFile | str]:
    """The texts of what a server had to read, each with where it is from; or why not."""
    return [
        _resource_text(f"{block.uri or uri} ({server})", text)
        for block in read.contents
        if (text := content_text(block))
    ]


def _resource_text(name: str, text: ReadableText) -> TextFile | str:
    # Of a text on the disk no more is read than a question may have.
    start = text[: MAX_TEXT_BYTES + 1]
    is_long = len(start.encode("utf-8", "replace")) > MAX_TEXT_BYTES
    return _too_large(name) if is_long else TextFile(name, start)


def _too_large(name: str) -> str:
    words = translate("Attachments", "{name} is larger than {size} KB.")
    return words.format(name=mark_hidden(name), size=MAX_TEXT_BYTES // 1_000)


def _text_of(content: bytes, name: str) -> TextFile | str:
    if len(content) > MAX_TEXT_BYTES:
        return _too_large(name)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = "\0"
    if "\0" in text:
        words = translate(
            "Attachments", "{name} is neither a text nor a PNG, JPEG, GIF or WebP image."
        )
        return words.format(name=name)
    return TextFile(name, text)


def add_files(question: str, files: Sequence[TextFile]) -> str:
    """The question with the texts below it, each in a fence that it cannot close."""
    parts = [question] if question else []
    parts += [f"{mark_hidden(file.name)}:\n{fenced(file.text)}" for file in files]
    return "\n\n".join(parts)


class FileChip(QFrame):
    """One text: its name, its size, and a button that takes it out."""

    def __init__(self, file: TextFile, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.file = file
        style(self, "well")
        size = format_size(len(file.text.encode("utf-8", "replace")))
        self.words = ElidedLabel(Qt.TextElideMode.ElideMiddle)
        style(self.words, "small")
        self.words.show_text(f"{mark_hidden(file.name)} · {size}")
        self.words.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        self.words.setMaximumWidth(_WIDTH)
        self.remove = QToolButton(self)
        self.remove.setText("×")
        style(self.remove, "flat", "small")
        in_row(self, self.words, self.remove, margins=(2, 0, 1, 0), spacing=1)
        words = self.tr("Remove {name}").format(name=mark_hidden(self.file.name))
        self.remove.setToolTip(words)
        self.remove.setAccessibleName(words)


class FileRow(QWidget):
    """Hidden while there is none."""

    remove_requested = Signal(int)
    """The place of the one to take out."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._row = in_row(self, STRETCH)
        self.chips: list[FileChip] = []
        self.hide()

    def show_files(self, files: Sequence[TextFile]) -> None:
        """Show exactly these."""
        for chip in self.chips:
            self._row.removeWidget(chip)
            discard(chip)
        self.chips = [FileChip(file, self) for file in files]
        for at, chip in enumerate(self.chips):
            self._row.insertWidget(at, chip)
            chip.remove.clicked.connect(partial(self.remove_requested.emit, at))
        self.setVisible(bool(files))
