"""A built-in server of a chat: the field in which a person chooses what it may access.

The choice is read from the server's arguments and written back to them; what is not understood in
them is left alone. Checks nothing: the server itself reports what is wrong with its path.
"""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING, Literal, TypeAlias

from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QFileDialog,
    QFrame,
    QLineEdit,
    QToolButton,
    QWidget,
)

from builtin_servers.catalog import CATALOG
from desktop.config.builtin_settings import BuiltinSettings
from desktop.gui.layouts import in_column, in_row
from desktop.gui.theme import style
from desktop.gui.widgets.icons import set_icon
from desktop.gui.widgets.labels import plain_label

if TYPE_CHECKING:
    from desktop.agent.session_info import Builtin
    from desktop.gui.theme import Theme

Kind: TypeAlias = Literal["folder", "file"]
_KINDS: dict[str, Kind] = {"filesystem": "folder", "sqlite": "file"}

translate = QCoreApplication.translate


def path_kind(name: str) -> Kind | None:
    """What a person chooses for it; None where there is nothing to choose."""
    return _KINDS.get(name)


def read_path(builtin: Builtin) -> str:
    """Its folders or its file, as a person types them."""
    return os.pathsep.join(BuiltinSettings.read(builtin.name, builtin.arguments).places)


def can_write(builtin: Builtin) -> bool:
    return BuiltinSettings.read(builtin.name, builtin.arguments).writes


def with_path(builtin: Builtin, place: str, *, writes: bool) -> Builtin:
    """The same server for another place; its other options stay."""
    parts = place.split(os.pathsep) if path_kind(builtin.name) == "folder" else [place]
    places = tuple(part.strip() for part in parts if part.strip())
    settings = BuiltinSettings.read(builtin.name, builtin.arguments)
    changed = replace(settings, places=places, writes=writes)
    return replace(builtin, arguments=changed.arguments)


def access_label(builtin: Builtin) -> str:
    """What it may touch, as one sentence that begins with its name."""
    place = read_path(builtin)
    if path_kind(builtin.name) is not None and not place:
        words = translate(
            "BuiltinPlaces", "{name}: choose what it may access; it cannot start without"
        )
    else:
        words = _pattern(builtin)
    return words.format(name=builtin.name, place=place)


def _pattern(builtin: Builtin) -> str:
    writes = can_write(builtin)
    if builtin.name not in CATALOG:
        return translate(
            "BuiltinPlaces", "{name} starts once more for this conversation, with its own settings"
        )
    match builtin.name:
        case "filesystem" if writes:
            return translate("BuiltinPlaces", "{name} may read and write in {place}")
        case "filesystem":
            return translate("BuiltinPlaces", "{name} may read in {place}")
        case "sqlite" if writes:
            return translate("BuiltinPlaces", "{name} may read and change {place}")
        case "sqlite":
            return translate("BuiltinPlaces", "{name} may read {place}")
        case "shell":
            return translate("BuiltinPlaces", "{name} may run any command as you, anywhere")
        case "fetch" if BuiltinSettings.read("fetch", builtin.arguments).reaches_private:
            return translate(
                "BuiltinPlaces", "{name} may fetch pages, including on private networks"
            )
        case "fetch":
            return translate("BuiltinPlaces", "{name} may fetch public web pages")
        case "memory":
            return translate("BuiltinPlaces", "{name} may read and write its memory file")
        case _:
            return translate("BuiltinPlaces", "{name} has no access to your files")


class BuiltinRow(QFrame):
    """`change_requested` is sent with the `Builtin` as it is to be started."""

    change_requested = Signal(object)

    def __init__(self, theme: Theme, builtin: Builtin, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.builtin = builtin
        self._kind = path_kind(builtin.name)
        self.words = plain_label("", "muted", "small")
        self.fields = QWidget(self)
        self.edit, self.pick = QLineEdit(), QToolButton()
        self.writes = QCheckBox(self.tr("May write"))
        set_icon(theme, self.pick, "folder", "muted")
        self._lay_out()
        is_folder = self._kind == "folder"
        pick = self.tr("Choose a folder") if is_folder else self.tr("Choose a file")
        self.pick.setToolTip(pick)
        self.pick.setAccessibleName(pick)
        name = self.tr("Folder of {name}") if is_folder else self.tr("File of {name}")
        self.edit.setAccessibleName(name.format(name=self.builtin.name))
        self.edit.setPlaceholderText(self.tr("A folder") if is_folder else self.tr("A database"))
        self.words.setText(access_label(self.builtin))
        self.edit.editingFinished.connect(self._announce)
        self.writes.clicked.connect(self._announce)
        self.pick.clicked.connect(self._pick)

    def show_builtin(self, builtin: Builtin, *, is_fixed: bool) -> None:
        """Show what it is started with, unannounced; a fixed one is told and not changed."""
        self.builtin = builtin
        self.fields.setVisible(self._kind is not None and not is_fixed)
        self.words.setText(access_label(builtin))
        needs = self._kind is not None and not read_path(builtin)
        style(self.words, "warning" if needs else "muted", "small")
        if self.edit.text() != read_path(builtin) and not self.edit.isModified():
            self.edit.setText(read_path(builtin))
        self.writes.setChecked(can_write(builtin))

    def take(self, place: str) -> None:
        """What the picker does."""
        self.edit.setText(place)
        self._announce()

    def _announce(self) -> None:
        made = with_path(self.builtin, self.edit.text(), writes=self.writes.isChecked())
        self.edit.setModified(False)
        if made != self.builtin:
            self.change_requested.emit(made)

    def _pick(self) -> None:
        picker = QFileDialog(self, self.pick.toolTip(), self.edit.text())
        mode = QFileDialog.FileMode
        picker.setFileMode(mode.Directory if self._kind == "folder" else mode.ExistingFile)
        picker.fileSelected.connect(self.take)
        picker.finished.connect(picker.deleteLater)
        picker.open()

    def _lay_out(self) -> None:
        in_row(self.fields, (self.edit, 1), self.pick, self.writes)
        in_column(self, self.words, self.fields, spacing=1)
