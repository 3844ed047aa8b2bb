"""What the window remembers between runs, in an INI file: sizes, open page, theme and language.

Theme and language are copies of the config's, so that the first paint does not need to read it.
Values are checked as they are read: anybody can edit the file.
"""

from __future__ import annotations

import os
import re
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QByteArray, QEvent, QObject, QSettings, QSize
from PySide6.QtWidgets import QDialog, QSplitter

from desktop.base.damaged_files import SALVAGED, checksum, logged_damages
from desktop.base.later_patterns import compile_later
from desktop.base.private_files import make_private_folder, open_private, opener
from desktop.base.translatable import translatable

if TYPE_CHECKING:
    from pathlib import Path

    from desktop.base.damaged_files import Damages
    from desktop.gui.language import Language
    from desktop.gui.theme import Scheme

MAX_BYTES: Final = 4_000_000
_SEALED: Final = "sealed"
"""The first key of the file, as it has no group: the last line is a check of all others."""
_CHECK: Final = compile_later(rb"; check=([0-9a-f]{8})\n\Z")
"""That line, which Qt takes for a comment, and leaves out when it writes."""


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
    """Qt keeps the mode of a file that is there."""
    with suppress(OSError):
        make_private_folder(path.parent)
        with os.fdopen(open_private(path, os.O_RDWR | os.O_CREAT), "r+b") as file:
            if not file.read(1):
                file.write(_check_line(b""))


def _look_for_damage(path: Path, damages: Damages) -> None:
    """Qt would read what it can of it without a word, and wait for ever on a pipe."""
    lost = translatable("The window begins without what it remembered.")
    if path.exists() and not path.is_file():
        damages.note(path, translatable("it is not a file"), lost)
        return
    try:
        with open(path, "rb", opener=opener) as file:
            content = file.read(MAX_BYTES + 1)
    except OSError:
        return
    if len(content) > MAX_BYTES:
        most = f"{MAX_BYTES / 1e6:g}"
        damages.note(path, translatable("it is larger than {most} MB", most=most), lost)
        with suppress(OSError):
            path.unlink()  # it has a second name by now
    elif not _is_intact(content):
        damages.note(path, translatable("it is not what the app has written"), SALVAGED)
        from desktop.base.atomic_file import write_file
        from desktop.base.errors import ConfigError

        with suppress(ConfigError):  # as a file of its own: what is written from now on goes to it
            write_file(path, _CHECK.sub(b"", content))


def _is_intact(content: bytes) -> bool:
    if (check := _CHECK.search(content)) is not None:
        return content[check.start() :] == _check_line(content[: check.start()])
    if not content.strip() or b"\0" in content or f"\n{_SEALED}=".encode() in content[:100]:
        return False
    try:  # as Qt wrote it for an earlier version
        lines = content.decode().splitlines()
    except UnicodeDecodeError:
        return False
    return all(not line or re.fullmatch(r"\[[^]]+\]|[^=]+=.*", line) for line in lines)


def _check_line(content: bytes) -> bytes:
    return f"; check={checksum(content)}\n".encode()


class _SealedSettings(QSettings):
    """Puts the check below what Qt has written, whenever it has."""

    def __init__(self, path: Path) -> None:
        super().__init__(str(path), QSettings.Format.IniFormat)
        self._path = path

    def event(self, event: QEvent) -> bool:
        """Qt asks itself by an event to write soon what was changed."""
        if event.type() != QEvent.Type.UpdateRequest:
            return super().event(event)
        self.sync()
        return True

    def sync(self) -> None:
        """Write now; a file that cannot be written costs the memory of the window, no more."""
        if not self.contains(_SEALED):
            self.setValue(_SEALED, True)
        super().sync()
        with suppress(OSError), open(self._path, "r+b", opener=opener) as file:
            content = file.read(MAX_BYTES)
            if _CHECK.search(content) is None:
                file.write(_check_line(content))


class WindowState:
    """Reads and writes the INI file; what is missing or broken in it reads as the default."""

    def __init__(self, path: Path, damages: Damages | None = None) -> None:
        """Look at the file; a damaged one is said to `damages`."""
        _look_for_damage(path, damages or logged_damages())
        _make_private(path)
        self._ini = _SealedSettings(path)

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
    def zoom(self) -> float:
        """How large texts are, against those of the system."""
        return saved_number(self._ini, "look/zoom") / 100 or 1.0

    @zoom.setter
    def zoom(self, zoom: float) -> None:
        self._ini.setValue("look/zoom", round(zoom * 100))

    @property
    def language(self) -> Language:
        value = self._ini.value("look/language")
        return value if value in ("en", "zh_CN") else "system"

    @language.setter
    def language(self, language: Language) -> None:
        self._ini.setValue("look/language", language)

    @property
    def knows_language(self) -> bool:
        """Whether there was a run that kept it."""
        return self._ini.contains("look/language")

    def save(self) -> None:
        """Write now; a folder that cannot be written costs the memory of the window, no more."""
        self._ini.sync()
