from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QLineEdit

from desktop.gui.servers.field import FormLine

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot


def test_an_error_takes_the_place_of_the_hint_and_gives_it_back(qtbot: QtBot) -> None:
    edit = QLineEdit()
    field = FormLine(edit)
    qtbot.addWidget(field)
    field.set_text("Name", "any word")
    assert edit.accessibleName() == "Name"
    assert edit.accessibleDescription() == "any word"
    field.set_error("must not be empty")
    assert field.error == "Must not be empty"
    assert edit.property("role") == "invalid"
    assert edit.accessibleDescription() == "Must not be empty"
    field.set_error("")
    assert field.error == ""
    assert edit.property("role") == ""
