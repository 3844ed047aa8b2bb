"""A folder, typed or picked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QFileDialog, QFrame, QHBoxLayout, QLineEdit, QToolButton

from desktop.gui.theme import space
from desktop.gui.widgets.icons import set_icon

if TYPE_CHECKING:
    from desktop.gui.theme import Theme


class FolderField(QFrame):
    """A line edit with a button that opens the picker beside it, without blocking."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.edit, self.pick = QLineEdit(), QToolButton()
        set_icon(theme, self.pick, "folder", "muted")
        self.setFocusProxy(self.edit)
        self.pick.clicked.connect(self._pick)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(space(1))
        row.addWidget(self.edit, 1)
        row.addWidget(self.pick)
        self._translate()

    @property
    def text(self) -> str:
        return self.edit.text()

    def set_text(self, text: str) -> None:
        self.edit.setText(text)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._translate()
        super().changeEvent(event)

    def _pick(self) -> None:
        picker = QFileDialog(self, self.tr("Working folder"), self.text)
        picker.setFileMode(QFileDialog.FileMode.Directory)
        picker.setOption(QFileDialog.Option.ShowDirsOnly)
        picker.fileSelected.connect(self.set_text)
        picker.finished.connect(picker.deleteLater)
        picker.open()

    def _translate(self) -> None:
        self.pick.setToolTip(self.tr("Choose a folder"))
        self.pick.setAccessibleName(self.tr("Choose a folder"))
