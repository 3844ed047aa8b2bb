from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from PySide6.QtWidgets import QFileDialog

from builtin_servers.catalog import CATALOG
from desktop.features.chat.agent.session_info import Builtin
from desktop.features.chat.gui.tools_panel import (
    BuiltinRow,
    access_label,
    can_write,
    path_kind,
    read_path,
    with_path,
)

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme


@pytest.mark.parametrize(
    ("arguments", "place", "writes", "words"),
    [
        ("filesystem /a", "/a", True, "filesystem may read and write in /a"),
        ("filesystem --read-only /a", "/a", False, "filesystem may read in /a"),
        ("sqlite /a.db", "/a.db", False, "sqlite may read /a.db"),
        ("sqlite --write /a.db", "/a.db", True, "sqlite may read and change /a.db"),
    ],
)
def test_arguments_are_read_as_a_place_and_written_back(
    arguments: str, place: str, writes: bool, words: str
) -> None:
    builtin = Builtin.read(arguments)

    assert (read_path(builtin), can_write(builtin)) == (place, writes)
    assert access_label(builtin) == words
    assert with_path(builtin, place, writes=writes) == builtin


def test_several_folders_are_kept_apart() -> None:
    both = Builtin("filesystem", ("/a b", "/c"))

    assert read_path(both) == f"/a b{os.pathsep}/c"
    assert with_path(both, read_path(both), writes=True) == both
    assert with_path(both, "/d", writes=False) == Builtin("filesystem", ("--read-only", "/d"))


def test_one_without_a_place_that_it_needs_says_so() -> None:
    assert "choose what it may access" in access_label(Builtin("filesystem"))
    assert with_path(Builtin("sqlite"), "  ", writes=False) == Builtin("sqlite")


def test_every_built_in_server_has_a_sentence_and_two_of_them_touch_nothing() -> None:
    labels = {name: access_label(Builtin(name)) for name in CATALOG}
    assert all(words.startswith(name) for name, words in labels.items())
    harmless = {name for name, words in labels.items() if "has no access to your files" in words}
    assert harmless == {"calculator", "time"}
    assert {path_kind(name) for name in harmless} == {None}
    assert "private" in access_label(Builtin("fetch", ("--allow-private",)))


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
    row.change_requested.connect(told.append)
    row.pick.click()
    picker = row.findChild(QFileDialog)
    assert picker is not None
    assert picker.fileMode() == QFileDialog.FileMode.Directory
    picker.fileSelected.emit("/b")
    picker.reject()

    assert told == [Builtin("filesystem", ("/b",))]


def test_writing_can_be_taken_away(row: BuiltinRow) -> None:
    told: list[Builtin] = []
    row.change_requested.connect(told.append)
    assert row.writes.isChecked()
    row.writes.click()

    assert told == [Builtin("filesystem", ("--read-only", "/a"))]


def test_the_fields_have_names_and_a_place_that_lacks_is_a_warning(row: BuiltinRow) -> None:
    assert row.edit.accessibleName() == "Folder of filesystem"
    assert row.pick.accessibleName() == "Choose a folder"
    row.show_builtin(Builtin("filesystem"), is_fixed=False)
    assert row.edit.text() == ""
    assert "choose" in row.words.text()
