"""Bytes that are neither text nor picture nor sound: their beginning in hex, and what to do.

A PDF is opened in the system's viewer by a click alone, from a copy in a private temporary folder
that is gone when the card is. Must not interpret the bytes.
"""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QWidget

from desktop.gui import bridge
from desktop.gui.layouts import in_column
from desktop.gui.results.saving import proposed_name, save_as
from desktop.gui.theme import space, style
from desktop.gui.translations import counted
from desktop.gui.widgets.action_row import ActionRow
from desktop.gui.widgets.formatting import format_size
from desktop.gui.widgets.labels import plain_label

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop.gui.theme import Theme
    from desktop.values.tool_types import Content

MAX_SHOWN_BYTES: Final = 16_384
_A_LINE: Final = 16
_HEIGHT: Final = 75  # grid steps
_PDF: Final = b"%PDF-"


def hex_lines(content: bytes) -> str:
    """Offset, bytes and letters, 16 a line, as `hexdump -C` shows them."""
    lines: list[str] = []
    for start in range(0, len(content), _A_LINE):
        part = content[start : start + _A_LINE]
        codes = part.hex(" ").ljust(3 * _A_LINE - 1)
        letters = "".join(chr(byte) if 32 <= byte < 127 else "." for byte in part)
        lines.append(f"{start:08x}  {codes}  {letters}")
    return "\n".join(lines)


def open_in_viewer(file: Path) -> bool:
    """Have the system show a file."""
    return QDesktopServices.openUrl(QUrl.fromLocalFile(str(file)))


class BytesCard(QFrame):
    """The beginning, Save, and for a PDF the system's viewer."""

    def __init__(
        self,
        theme: Theme,
        content: Content,
        parent: QWidget | None = None,
        *,
        show_file: Callable[[Path], bool] = open_in_viewer,
    ) -> None:
        super().__init__(parent)
        bridge.release_on_destroy(self)
        self._content = content
        self._show_file = show_file
        self._folders: list[tempfile.TemporaryDirectory[str]] = []
        style(self, "card")
        self._bytes = content.readable_data
        facts = [content.name[:80], content.mime[:80], format_size(len(self._bytes))]
        tools = ActionRow(self)
        self.open = tools.link(self.tr("Open in the system's viewer"), self.open_in_viewer)
        self.open.setVisible(self.is_pdf)
        self.save = tools.link(self.tr("Save…"), self._save)
        tools.addStretch(1)
        self.problem = plain_label("", "danger")
        self.problem.hide()
        self.hex = QPlainTextEdit(self)
        self.hex.setReadOnly(True)
        self.hex.setFont(theme.mono_font())
        self.hex.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.hex.setTabChangesFocus(True)
        self.hex.setAccessibleName(self.tr("The bytes in hexadecimal"))
        style(self.hex, "well", "mono")
        self.hex.setPlainText(hex_lines(self._bytes[:MAX_SHOWN_BYTES]))
        self.hex.setMinimumHeight(space(_HEIGHT))
        left = max(0, len(self._bytes) - MAX_SHOWN_BYTES)
        one, many = self.tr("1 more byte is not shown"), self.tr("{count} more bytes are not shown")
        self.rest = plain_label(counted(left, one, many) if left else "", "small", "muted")
        self.rest.setVisible(bool(left))
        in_column(
            self,
            plain_label(" · ".join(filter(None, facts)), "heading"),
            tools.bar,
            self.problem,
            self.hex,
            self.rest,
            margins=(3, 2, 3, 3),
        )
        folders = self._folders
        self.destroyed.connect(lambda: [folder.cleanup() for folder in folders])

    @property
    def is_pdf(self) -> bool:
        """By its own bytes, whatever the server calls it."""
        return self._bytes[: len(_PDF)] == _PDF

    def open_in_viewer(self) -> None:
        """Write a private copy and have the system show it."""
        bridge.run(self, self._open(), self.tr("Open in the system's viewer"))

    async def _open(self) -> None:
        try:
            file = await asyncio.to_thread(self._copy)
        except OSError as error:
            self._say(self.tr("It could not be saved: {reason}").format(reason=error.strerror))
            return
        if not self._show_file(file):
            self._say(self.tr("No app on this computer can open it. Save it instead."))

    def _copy(self) -> Path:
        """The private copy; made once."""
        if not self._folders:
            made = tempfile.TemporaryDirectory(prefix="mcp-desktop-", ignore_cleanup_errors=True)
            self._folders.append(made)
        file = Path(self._folders[0].name) / "resource.pdf"
        file.write_bytes(self._content.data)
        return file

    def _say(self, words: str) -> None:
        self.problem.setText(words)
        self.problem.show()

    def _save(self) -> None:
        content = self._content
        name = proposed_name(content.name or content.uri, content.mime, "resource")
        save_as(self, name, lambda: content.data)
