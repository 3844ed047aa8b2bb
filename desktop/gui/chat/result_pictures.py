"""The pictures of a result inside a conversation: a few, small, decoded on another thread.

All of them, and in their size, are in the details of the call. Loads nothing from elsewhere.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPixmap
from PySide6.QtWidgets import QLabel, QWidget

from desktop.gui import bridge
from desktop.gui.layouts import BOTTOM, STRETCH, in_row
from desktop.gui.results.image import Decoded, decode
from desktop.gui.results.structured import content_view
from desktop.gui.theme import space, style
from desktop.gui.widgets.formatting import format_size
from desktop.gui.widgets.labels import plain_label

if TYPE_CHECKING:
    from desktop.values.tool_types import Content, ToolResult

MAX_PICTURES: Final = 4
"""Pictures of one result that are shown here."""
MAX_BYTES: Final = 16_000_000
"""Bytes of a picture that is shown here."""
_ONE, _SEVERAL = QSize(space(80), space(60)), QSize(space(32), space(24))


class ResultPictures(QWidget):
    """Hidden while there is none."""

    open_requested = Signal()
    """A person wants to see more of them."""
    settled = Signal()
    """All that are to be shown are."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._result: ToolResult | None = None
        self._found = self._left = 0
        self.pictures: list[QLabel] = []
        self.rest = plain_label("", "muted", "small")
        self.rest.setWordWrap(False)
        self._row = in_row(self, (self.rest, BOTTOM), STRETCH, margins=(0, 1, 0, 1))
        self.setToolTipDuration(0)
        self.hide()

    @property
    def has_any(self) -> bool:
        return bool(self._result is not None and self._found)

    def show_result(self, result: ToolResult) -> None:
        """Show the pictures of a result; of the same one, nothing is done."""
        if result is self._result:
            return
        self._result = result
        found = [block for block in result.content if content_view(block) == "image"]
        shown = [block for block in found if 0 < len(block.data) <= MAX_BYTES][:MAX_PICTURES]
        self._found, self._left = len(found), len(found) - len(shown)
        self.setVisible(bool(found))
        words = self.tr("{count} more in Details").format(count=self._left)
        self.rest.setText(words)
        self.rest.setVisible(self._left > 0)
        if shown:
            bridge.run(self, self._show(result, shown), self.tr("Show the images"))

    async def _show(self, result: ToolResult, blocks: list[Content]) -> None:
        size = _ONE if self._found == 1 else _SEVERAL
        for block in blocks:
            scale = self.devicePixelRatioF()
            decoded = await asyncio.to_thread(_small, block.data, size * scale)
            if result is not self._result:
                return
            self._add(block, decoded, scale)
        self.settled.emit()

    def _add(self, block: Content, decoded: Decoded, scale: float) -> None:
        label = QLabel(self)
        label.setTextFormat(Qt.TextFormat.PlainText)
        facts = f"{block.mime} · {format_size(len(block.data))}"
        if decoded.image is None:
            label.setText(decoded.reason)
            label.setWordWrap(True)
            style(label, "muted", "small")
        else:
            pixmap = QPixmap.fromImage(decoded.image)
            pixmap.setDevicePixelRatio(scale)
            label.setPixmap(pixmap)
            label.setCursor(Qt.CursorShape.PointingHandCursor)
            size = decoded.size
            facts = f"{size.width()} × {size.height()} · {facts}"
        label.setToolTip(facts.replace("<", "‹"))
        label.setAccessibleName(self.tr("Image, {facts}").format(facts=facts))
        self.pictures.append(label)
        self._row.insertWidget(len(self.pictures) - 1, label, 0, Qt.AlignmentFlag.AlignTop)

    def minimumSizeHint(self) -> QSize:
        """Where there is no room for them, they do not make the conversation wider."""
        return QSize(0, super().minimumSizeHint().height())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self.open_requested.emit()


def _small(content: bytes, most: QSize) -> Decoded:
    """As large as it is shown, never larger than it is. For a thread."""
    decoded = decode(content)
    if decoded.image is None:
        return decoded
    size = most.boundedTo(decoded.image.size())
    small = decoded.image.scaled(
        size, Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation
    )
    return Decoded(small, decoded.size, decoded.reason)
