"""How far the download of a bundle is, in words and as a bar, with a way to stop it."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QProgressBar, QPushButton, QWidget

from desktop.features.catalogue.gui.labels import progress_label
from desktop.gui.layouts import in_row
from desktop.gui.widgets.labels import plain_label

_KB = 1024
"""Qt's bar counts in 32 bits."""


class DownloadProgress(QWidget):
    """Hidden while nothing is downloaded."""

    stopped = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.words, self.bar = plain_label("", "muted", "small"), QProgressBar()
        self.stop = QPushButton(self.tr("Stop the download"))
        self.bar.setTextVisible(False)
        self.stop.setAutoDefault(False)
        self.stop.clicked.connect(self.stopped)
        in_row(self, (self.bar, 1), self.words, self.stop, spacing=3)
        self.bar.setAccessibleName(self.tr("Progress of the download"))
        self.hide()

    def begin(self) -> None:
        self.show_bytes(0, 0)
        self.show()

    def show_bytes(self, done: int, total: int) -> None:
        """So many are here; 0 as the total: it is not known."""
        self.bar.setRange(0, total // _KB)
        self.bar.setValue(done // _KB)
        self.words.setText(progress_label(done, total))
