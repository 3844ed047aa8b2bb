"""How Markdown looks in a conversation: code on its ground, tables with calm lines. No text here.

All colours are those of the palette, so the theme decides them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QTextCursor, QTextFormat, QTextFrameFormat, QTextLength, QTextTable

from desktop.gui.theme import space

if TYPE_CHECKING:
    from PySide6.QtGui import QPalette, QTextDocument

_FENCE = QTextFormat.Property.BlockCodeFence
_LANGUAGE = QTextFormat.Property.BlockCodeLanguage


def dress(document: QTextDocument, palette: QPalette) -> None:
    """Give blocks of code and tables of a document that was just read their look."""
    cursor = QTextCursor(document)
    cursor.beginEditBlock()
    block = document.begin()
    while block.isValid():
        form = block.blockFormat()
        if form.hasProperty(_FENCE) or form.hasProperty(_LANGUAGE):
            form.setBackground(palette.alternateBase())
            cursor.setPosition(block.position())
            cursor.setBlockFormat(form)
        block = block.next()
    for frame in document.rootFrame().childFrames():
        if isinstance(frame, QTextTable):
            _dress_table(frame, palette)
    cursor.endEditBlock()


def _dress_table(table: QTextTable, palette: QPalette) -> None:
    look = table.format().toTableFormat()
    look.setBorderBrush(palette.mid())
    look.setBorder(1)
    look.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
    look.setBorderCollapse(True)
    look.setCellPadding(space(1.5))
    look.setCellSpacing(0)
    look.setTopMargin(space(1))
    look.setBottomMargin(space(1))
    look.setWidth(QTextLength())
    table.setFormat(look)
