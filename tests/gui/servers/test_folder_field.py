from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog

from desktop.gui.servers.folder_field import FolderField

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme


def test_a_folder_is_picked_without_blocking(theme: Theme, qtbot: QtBot, tmp_path: Path) -> None:
    field = FolderField(theme)
    qtbot.addWidget(field)
    field.show()
    QTest.mouseClick(field.pick, Qt.MouseButton.LeftButton)
    picker = field.findChild(QFileDialog)
    assert picker is not None
    picker.fileSelected.emit(str(tmp_path))
    picker.reject()
    assert field.text == str(tmp_path)
