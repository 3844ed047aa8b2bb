"""An image to look at: fitted into its room, or larger and scrolled. Decodes nothing."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QImage, QKeyEvent, QPainter, QPaintEvent, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QScrollArea, QWidget

from desktop.gui.theme import space

SMALLEST, LARGEST = 0.05, 16.0
_STEP = 1.25
_TALLEST = 110  # grid steps an image takes at most before it is zoomed
_MOST_SIDE = 16_000  # pixels of the canvas
_PLUS = {Qt.Key.Key_Plus, Qt.Key.Key_Equal}


class ImageCanvas(QWidget):
    """Paints an image over all of itself."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.image = QImage()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(
            QPainter.RenderHint.SmoothPixmapTransform, self.width() <= 2 * self.image.width()
        )
        if not self.image.isNull():
            painter.drawImage(self.rect(), self.image)


class ImageArea(QScrollArea):
    """Ctrl and the wheel, + and - zoom; 0 fits it again, 1 shows it pixel by pixel."""

    zoomed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.canvas = ImageCanvas(self)
        self.natural = QSize()
        self._zoom: float | None = None
        self.setWidget(self.canvas)
        self.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    @property
    def fits(self) -> bool:
        return self._zoom is None

    @property
    def zoom(self) -> float:
        """Shown pixels for one of the image."""
        return self._fitting() if self._zoom is None else self._zoom

    def show_image(self, image: QImage, natural: QSize, description: str) -> None:
        """`natural` is the size the image came with, where `image` is a smaller copy."""
        self.canvas.image = image
        self.natural = natural
        self.setAccessibleName(description)
        self.fit()

    def fit(self) -> None:
        self._zoom = None
        self._resize()

    def zoom_to(self, zoom: float) -> None:
        side = max(self.natural.width(), self.natural.height(), 1)
        most = min(LARGEST, _MOST_SIDE / side)
        self._zoom = max(min(SMALLEST, most), min(most, zoom))
        self._resize()

    def zoom_in(self) -> None:
        self.zoom_to(self.zoom * _STEP)

    def zoom_out(self) -> None:
        self.zoom_to(self.zoom / _STEP)

    def wheelEvent(self, event: QWheelEvent) -> None:
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            (self.zoom_in if event.angleDelta().y() > 0 else self.zoom_out)()
            event.accept()
        elif self.fits:
            event.ignore()  # what is around it scrolls
        else:
            super().wheelEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in _PLUS:
            self.zoom_in()
        elif event.key() == Qt.Key.Key_Minus:
            self.zoom_out()
        elif event.key() == Qt.Key.Key_0:
            self.fit()
        elif event.key() == Qt.Key.Key_1:
            self.zoom_to(1.0)
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self.fits:
            self._resize()

    def _fitting(self) -> float:
        """As large as there is room, never enlarged."""
        if self.natural.isEmpty():
            return 1.0
        wide = self.width() / self.natural.width()
        return min(1.0, wide, space(_TALLEST) / self.natural.height())

    def _resize(self) -> None:
        size = self.natural * self.zoom
        self.canvas.resize(size.expandedTo(QSize(1, 1)) if not self.natural.isEmpty() else QSize())
        if self.fits:
            self.setFixedHeight(max(1, self.canvas.height()))
        else:
            self.setFixedHeight(max(self.height(), min(self.canvas.height(), space(_TALLEST))))
        self.zoomed.emit()
