"""What the window remembers between runs, in an INI file: sizes, open page, theme and language.

Theme and language are copies of the config's, so that the first paint does not need to read it.
Values are checked as they are read: anybody can edit the file.
"""

from __future__ import annotations

import logging
import os
from contextlib import suppress
from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QObject, QSettings, QSize
from PySide6.QtWidgets import QDialog, QSplitter

from desktop.private_files import make_private_folder, open_private

if TYPE_CHECKING:
    from pathlib import Path

    from desktop.gui.language import Language
    from desktop.gui.theme import Scheme


logger = logging.getLogger(__name__)


def saved_number(settings: QSettings, name: str) -> int:
    """A whole number; 0 where there is none."""
    try:
        return int(str(settings.value(name, 0)))
    except ValueError:
        return 0


def remember_size(dialog: QDialog, settings: QSettings, name: str) -> None:
    """Give a dialog the size that it was closed with last, as far as the screen has room for it.

    And to those of its splitters that have an object name the places that they had.
    """
    key = f"dialogs/{name}"
    if isinstance(saved := settings.value(key), QSize) and saved.isValid():
        dialog.resize(saved.boundedTo(dialog.screen().availableSize()))
    for place, splitter in _splitters(dialog, key):
        if isinstance(state := settings.value(place), QByteArray):
            splitter.restoreState(state)
    _SizeKeeper(dialog, settings, key)


def _splitters(dialog: QDialog, key: str) -> list[tuple[str, QSplitter]]:
    """Each with its place in the settings."""
    found = dialog.findChildren(QSplitter)
    return [(f"{key}/{each.objectName()}", each) for each in found if each.objectName()]


class _SizeKeeper(QObject):
    """Belongs to a dialog: a function that held it would keep it alive beyond its end."""

    def __init__(self, dialog: QDialog, settings: QSettings, key: str) -> None:
        super().__init__(dialog)
        self._settings, self._key = settings, key
        dialog.finished.connect(self._keep)

    def _keep(self) -> None:
        if isinstance(dialog := self.parent(), QDialog):
            self._settings.setValue(self._key, dialog.size())
            for place, splitter in _splitters(dialog, self._key):
                self._settings.setValue(place, splitter.saveState())


def _make_private(path: Path) -> None:
    """Qt keeps the mode of a file that is there, and would wait for ever on a pipe."""
    try:
        make_private_folder(path.parent)
        os.close(open_private(path, os.O_RDWR | os.O_CREAT))
    except OSError as error:
        if path.exists() and not path.is_file() and not path.is_dir():
            with suppress(OSError):
                path.rename(path.with_name(f"{path.name}.not-a-file"))
                logger.warning("%s was put aside: %s", path, error)


class WindowState:
    """Reads and writes the INI file; what is missing or broken in it reads as the default."""

    def __init__(self, path: Path) -> None:
        _make_private(path)
        self._ini = QSettings(str(path), QSettings.Format.IniFormat)

    @property
    def settings(self) -> QSettings:
        """The file itself, for the pages: each keeps its sizes under a group of its own."""
        return self._ini

    @property
    def geometry(self) -> QByteArray:
        value = self._ini.value("window/geometry")
        return value if isinstance(value, QByteArray) else QByteArray()

    @geometry.setter
    def geometry(self, geometry: QByteArray) -> None:
        self._ini.setValue("window/geometry", geometry)

    @property
    def page(self) -> str:
        return str(self._ini.value("window/page", ""))

    @page.setter
    def page(self, page: str) -> None:
        self._ini.setValue("window/page", page)

    @property
    def scheme(self) -> Scheme:
        value = self._ini.value("look/theme")
        return value if value in ("light", "dark") else "system"

    @scheme.setter
    def scheme(self, scheme: Scheme) -> None:
        self._ini.setValue("look/theme", scheme)

    @property
    def language(self) -> Language:
        value = self._ini.value("look/language")
        return value if value in ("en", "zh_CN") else "system"

    @language.setter
    def language(self, language: Language) -> None:
        self._ini.setValue("look/language", language)

    def save(self) -> None:
        """Write now; a folder that cannot be written costs the memory of the window, no more."""
        self._ini.sync()
