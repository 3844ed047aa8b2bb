"""A *Copy* at each block of code of an answer, with the code as the model wrote it.

A long block is laid out in several parts: each of its buttons copies all of it. Must not lay out or
change a document.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPoint, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QTextFormat
from PySide6.QtWidgets import QPushButton

from desktop.gui.theme import space, style

if TYPE_CHECKING:
    from collections.abc import Iterable

    from PySide6.QtCore import QRectF
    from PySide6.QtGui import QTextDocument
    from PySide6.QtWidgets import QTextBrowser

_FENCE: Final = QTextFormat.Property.BlockCodeFence
_LANGUAGE: Final = QTextFormat.Property.BlockCodeLanguage
_FENCE_LINE: Final = re.compile(r" {0,3}(`{3,}|~{3,})(.*)")
MAX_BUTTONS: Final = 20
"""Blocks of one part that get a button."""
_TOLD_MS: Final = 1500


@dataclass(frozen=True, slots=True)
class CodeBlock:
    """The code of a block, and where its first line is laid out."""

    code: str
    place: QRectF


def code_blocks(document: QTextDocument) -> list[CodeBlock]:
    """The fenced blocks of a document that was read from Markdown."""
    found: list[CodeBlock] = []
    lines: list[str] = []
    layout, block = document.documentLayout(), document.begin()
    first = layout.blockBoundingRect(block)
    while block.isValid():
        form = block.blockFormat()
        is_code = form.hasProperty(_FENCE) or form.hasProperty(_LANGUAGE)
        if is_code and not lines:
            first = layout.blockBoundingRect(block)
        if is_code:
            lines.append(block.text())
        elif lines:
            found.append(CodeBlock("\n".join(lines), first))
            lines = []
        block = block.next()
    if lines:
        found.append(CodeBlock("\n".join(lines), first))
    return found


def fenced_codes(text: str) -> list[str]:
    """The code in the fences of a Markdown text, in order."""
    codes: list[str] = []
    lines: list[str] | None = None
    opened = ""
    for line in text.splitlines():
        mark = _FENCE_LINE.match(line)
        if lines is None:
            if mark is not None:
                lines, opened = [], mark[1]
        elif mark is not None and mark[1].startswith(opened) and not mark[2].strip():
            codes.append("\n".join(lines))
            lines = None
        else:
            lines.append(line)
    return codes if lines is None else [*codes, "\n".join(lines)]


def whole_code(code: str, parts: Iterable[str], text: str) -> str:
    """The block of `text` that `code` is in; `parts` are what the text was cut into."""
    pieces = [piece for part in parts for piece in fenced_codes(part)]
    at = 0
    for whole in fenced_codes(text):
        made: list[str] = []
        while at < len(pieces) and len("\n".join(made)) < len(whole):
            made.append(pieces[at])
            at += 1
        if _letters(code) in map(_letters, made):
            return whole
    return code


def _letters(text: str) -> str:
    """Without what laying it out changes."""
    return "".join(text.split())


class CopyCodeButton(QPushButton):
    """Says for a moment that it was done."""

    copy_requested = Signal(object)
    """Itself."""

    def __init__(self, browser: QTextBrowser) -> None:
        super().__init__(browser.viewport())
        self.code = ""
        self._is_told = False
        self._over = QTimer(self, singleShot=True, interval=_TOLD_MS)
        self._over.timeout.connect(self._forget)
        style(self, "link", "small")
        self.clicked.connect(lambda: self.copy_requested.emit(self))
        self._set_texts()

    def put_on_clipboard(self, code: str) -> None:
        """Copy, and say so."""
        QGuiApplication.clipboard().setText(code)
        self._is_told = True
        self._set_texts()
        self._over.start()

    def show_at(self, block: CodeBlock, width: int) -> None:
        """Take the place at the end of the block's first line."""
        self.code = block.code
        self.adjustSize()
        top = round(block.place.top()) - (self.height() - round(block.place.height())) // 2
        self.move(QPoint(max(0, width - self.width() - space(1)), max(0, top)))
        self.show()

    def _set_texts(self) -> None:
        self.setText(self.tr("Copied") if self._is_told else self.tr("Copy"))
        self.setAccessibleName(self.tr("Copy this code"))

    def _forget(self) -> None:
        self._is_told = False
        self._set_texts()
