from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtWidgets import QFileDialog

from desktop.agent.session_info import Builtin
from desktop.gui.chat.builtin_row import BuiltinRow

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme

pytest_plugins = ("tests.gui.theme_fixture",)


@pytest.fixture
def row(qtbot: QtBot, theme: Theme) -> BuiltinRow:
    builtin = Builtin("filesystem", ("/a",))
    made = BuiltinRow(theme, builtin)
    qtbot.addWidget(made)
    made.show()
    made.show_builtin(builtin, is_fixed=False)
    return made


def test_a_picked_folder_is_announced_once(row: BuiltinRow) -> None:
    told: list[Builtin] = []
    row.chosen.connect(told.append)
    row.pick.click()
    picker = row.findChild(QFileDialog)
    assert picker is not None
    assert picker.fileMode() == QFileDialog.FileMode.Directory
    picker.fileSelected.emit("/b")
    picker.reject()

    assert told == [Builtin("filesystem", ("/b",))]


def test_writing_can_be_taken_away(row: BuiltinRow) -> None:
    told: list[Builtin] = []
    row.chosen.connect(told.append)
    assert row.writes.isChecked()
    row.writes.click()

    assert told == [Builtin("filesystem", ("--read-only", "/a"))]


def test_the_fields_have_names_and_a_place_that_lacks_is_a_warning(row: BuiltinRow) -> None:
    assert row.edit.accessibleName() == "Folder of filesystem"
    assert row.pick.accessibleName() == "Choose a folder"
    row.show_builtin(Builtin("filesystem"), is_fixed=False)
    assert row.edit.text() == ""
    assert "choose" in row.words.text()
