from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QSpinBox, QWidget

from desktop.gui.widgets.field_rows import FieldRows

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme


def test_a_label_stands_beside_the_middle_of_its_field(qtbot: QtBot, theme: Theme) -> None:
    target, field = QWidget(), QSpinBox()
    qtbot.addWidget(target)
    rows = FieldRows(target)
    rows.add("Calls", field)
    target.show()
    label = rows.labelForField(field)
    assert label.geometry().center().y() == field.geometry().center().y()
