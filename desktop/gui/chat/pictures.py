"""The pictures of a question as small images; removable while the question is written.

Pictures of a person, decoded within the limits of all pictures here.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import QHBoxLayout, QLabel, QToolButton, QVBoxLayout, QWidget

from desktop.gui.results.image_decoding import decode
from desktop.gui.results.measures import size_words
from desktop.gui.theme import space, style

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.llm.messages import Image

_SIDE = space(24)


class ImageRow(QWidget):
    """Hidden while there is none; `removed` carries the place of the one to take out."""

    removed = Signal(int)

    def __init__(self, parent: QWidget | None = None, *, is_removable: bool = False) -> None:
        super().__init__(parent)
        self._is_removable = is_removable
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(space(2))
        self._row.addStretch(1)
        self.pictures: list[ImageAttachment] = []
        self.hide()

    def show_images(self, images: Sequence[Image]) -> None:
        """Show exactly these."""
        for picture in self.pictures:
            self._row.removeWidget(picture)
            picture.hide()
            picture.deleteLater()
        self.pictures = [ImageAttachment(image, self) for image in images]
        for at, picture in enumerate(self.pictures):
            self._row.insertWidget(at, picture)
            picture.remove.setVisible(self._is_removable)
            picture.remove.clicked.connect(partial(self.removed.emit, at))
        self.setVisible(bool(images))


class ImageAttachment(QWidget):
    """One picture, or in words why it is not shown, and a button that takes it out."""

    def __init__(self, image: Image, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._facts = f"{image.mime} · {size_words(len(image.data))}"
        self.image = QLabel(self)
        self.image.setTextFormat(Qt.TextFormat.PlainText)
        self.image.setWordWrap(True)
        self.remove = QToolButton(self)
        self.remove.setText("×")
        style(self.remove, "flat", "small")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.image)
        column.addWidget(self.remove, 0, Qt.AlignmentFlag.AlignHCenter)
        decoded = decode(image.data)
        if decoded.image is None:
            self.image.setText(f"{self._facts}\n{decoded.reason}")
        else:
            size = decoded.image.size().boundedTo(QSize(_SIDE, _SIDE))
            small = decoded.image.scaled(
                size,
                Qt.AspectRatioMode.KeepAspectRatio,
                Qt.TransformationMode.SmoothTransformation,
            )
            self.image.setPixmap(QPixmap.fromImage(small))
        self._translate()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._translate()
        super().changeEvent(event)

    def _translate(self) -> None:
        self.image.setAccessibleName(self.tr("Picture, {facts}").format(facts=self._facts))
        self.image.setToolTip(self._facts)
        self.remove.setToolTip(self.tr("Remove the picture"))
        self.remove.setAccessibleName(self.tr("Remove the picture"))
