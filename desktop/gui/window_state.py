"""What the window remembers between runs, in an INI file: size, open page, theme and language.

Theme and language are copies of the config's, so that the first paint does not need to read it.
Values are checked as they are read: anybody can edit the file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QSettings

if TYPE_CHECKING:
    from pathlib import Path

    from desktop.gui.language import Language
    from desktop.gui.theme import Scheme


def saved_number(settings: QSettings, name: str) -> int:
    """A whole number; 0 where there is none."""
    try:
        return int(str(settings.value(name, 0)))
    except ValueError:
        return 0


class WindowState:
    """Reads and writes the INI file; what is missing or broken in it reads as the default."""

    def __init__(self, path: Path) -> None:
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
