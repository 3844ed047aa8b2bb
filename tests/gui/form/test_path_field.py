from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog

from desktop.gui.form.fields import FieldSpec
from desktop.gui.form.nodes import ScalarNode
from desktop.gui.form.path_field import PathField

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from desktop.gui.form.field import FormContext


def test_a_picked_path_is_inserted(qtbot: QtBot, context: FormContext, tmp_path: Path) -> None:
    field = PathField(ScalarNode(FieldSpec("path", "string")), context)
    qtbot.addWidget(field)
    field.show()
    QTest.mouseClick(field.pick_button, Qt.MouseButton.LeftButton)
    picker = field.findChildren(QFileDialog)[0]
    picker.fileSelected.emit(str(tmp_path / "a.txt"))
    picker.close()
    assert field.node.value() == str(tmp_path / "a.txt")
    QTest.keyClicks(field.editor, ".bak")
    assert field.node.value() == str(tmp_path / "a.txt.bak")


def test_a_folder_is_picked_for_what_is_called_one(qtbot: QtBot, context: FormContext) -> None:
    field = PathField(ScalarNode(FieldSpec("working_directory", "string")), context)
    qtbot.addWidget(field)
    assert field.pick_button.accessibleName() == "Choose a folder"
