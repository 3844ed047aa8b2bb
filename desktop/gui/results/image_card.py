"""One image of a result: fitted or zoomed, with its facts, Copy and Save."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QShowEvent
from PySide6.QtWidgets import QFrame, QLabel, QVBoxLayout, QWidget

from desktop.gui import bridge
from desktop.gui.results.image_area import ImageArea
from desktop.gui.results.image_decoding import Decoded, decode
from desktop.gui.results.measures import size_words
from desktop.gui.results.saving import proposed_name, save_as
from desktop.gui.results.tool_row import ActionRow
from desktop.gui.theme import space, style

if TYPE_CHECKING:
    from desktop.tool_types import Content


class ImageCard(QFrame):
    """The image, decoded on another thread when first seen, and what is known of it."""

    def __init__(self, content: Content, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._content = content
        self._asked = False
        self.settled = asyncio.Event()
        self.area = ImageArea(self)
        self.caption = QLabel(self._facts(), self)
        self.caption.setTextFormat(Qt.TextFormat.PlainText)
        self.caption.setWordWrap(True)
        style(self, "card")
        style(self.caption, "muted", "small")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(space(3), space(2), space(2), space(3))
        layout.setSpacing(space(2))
        layout.addWidget(self._make_tools().bar)
        layout.addWidget(self.caption)
        layout.addWidget(self.area)
        self.area.hide()
        self.area.zoomed.connect(self._tell_zoom)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not self._asked:
            self._asked = True
            bridge.run(self, self._decode(), self.tr("Show an image"))

    def _make_tools(self) -> ActionRow:
        tools = ActionRow(self)
        self.fit = tools.chip(self.tr("Fit"))
        self.actual = tools.chip("100 %")
        self.smaller = tools.link("−", self.area.zoom_out)
        self.smaller.setAccessibleName(self.tr("Zoom out (-)"))
        self.larger = tools.link("+", self.area.zoom_in)
        self.larger.setAccessibleName(self.tr("Zoom in (+)"))
        self.zoom = QLabel(self)
        style(self.zoom, "muted", "small")
        tools.addWidget(self.zoom)
        tools.addStretch(1)
        self.copy = tools.link(self.tr("Copy image"), self._copy)
        self.save = tools.link(self.tr("Save…"), self._save)
        self.save.setVisible(bool(self._content.data))
        self.fit.clicked.connect(self.area.fit)
        self.actual.clicked.connect(lambda: self.area.zoom_to(1.0))
        self._zooming = (self.fit, self.actual, self.smaller, self.larger, self.zoom, self.copy)
        for widget in self._zooming:
            widget.hide()
        return tools

    async def _decode(self) -> None:
        self._show(await asyncio.to_thread(decode, self._content.data))
        self.settled.set()

    def _show(self, decoded: Decoded) -> None:
        if decoded.image is None:
            self.caption.setText(f"{self._facts()} · {decoded.reason}")
            style(self.caption, "warning", "small")
            return
        pixels = f"{decoded.size.width()} × {decoded.size.height()}"
        self.caption.setText(" · ".join(filter(None, (self._facts(), pixels, decoded.reason))))
        self.area.show_image(decoded.image, decoded.size, self.caption.text())
        for widget in (self.area, *self._zooming):
            widget.show()

    def _tell_zoom(self) -> None:
        self.zoom.setText(f"{self.area.zoom * 100:.0f} %")
        self.fit.setChecked(self.area.fits)
        self.actual.setChecked(not self.area.fits and self.area.zoom == 1.0)

    def _facts(self) -> str:
        content = self._content
        name, mime = (content.name or content.uri)[:120], content.mime[:80]
        size = size_words(len(content.data))
        return " · ".join(part for part in (name, mime, size) if part)

    def _copy(self) -> None:
        QGuiApplication.clipboard().setImage(self.area.canvas.image)

    def _save(self) -> None:
        content = self._content
        name = proposed_name(content.name or content.uri, content.mime, "image")
        save_as(self, name, lambda: content.data)
