"""Whether things may move: the one place that asks the system, once, when something first would.

Nothing moves before the answer is there. Must not move anything itself. Windows and macOS are
written from their documentation, not yet run.
"""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication, QStyle

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

_GSETTINGS: Final = ("gsettings", "get", "org.gnome.desktop.interface", "enable-animations")
_DEFAULTS: Final = ("defaults", "read", "com.apple.universalaccess", "reduceMotion")
_LIMIT: Final = 2.0
_SWITCHED_OFF: Final = {"gtk-enable-animations=0", "gtk-enable-animations=false"}
_FACTOR: Final = "animationdurationfactor="
_MAX_FILE: Final = 100_000
_CLIENT_AREA_ANIMATION: Final = 0x1042  # SPI_GETCLIENTAREAANIMATION


class Motion(QObject):
    """Knows the person's choice once it has been asked for."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._is_wanted: bool | None = None

    @property
    def is_wanted(self) -> bool:
        """Whether something may move now; the first time it is no, and the system is asked."""
        if self._is_wanted is None:
            from desktop.gui import bridge

            self._is_wanted = False
            bridge.run(self, self._ask(), "reading whether animations are wanted")
        return self._is_wanted

    def choose(self, is_wanted: bool) -> None:
        """Ask no system: for pictures, and for tests."""
        self._is_wanted = is_wanted

    async def _ask(self) -> None:
        import asyncio

        told = QApplication.style().styleHint(QStyle.StyleHint.SH_Widget_Animation_Duration)
        wanted = bool(told) and await asyncio.to_thread(system_wants_motion, os.environ)
        self._is_wanted = wanted


def system_wants_motion(environ: Mapping[str, str]) -> bool:
    """Whether animations are on; what does not answer has them on."""
    with suppress(OSError, ValueError, AttributeError, subprocess.SubprocessError):
        if sys.platform == "win32":
            return _on_windows()
        if sys.platform == "darwin":
            return _on_macos()
        return _on_linux(environ)
    return True


def _on_linux(environ: Mapping[str, str]) -> bool:
    if any(map(_is_off, _lines(environ))):
        return False
    if "GNOME" not in environ.get("XDG_CURRENT_DESKTOP", "").upper().split(":"):
        return True
    return _said(_GSETTINGS) != "false"


def _said(command: Sequence[str]) -> str:
    said = subprocess.run(  # noqa: S603 - one of the two commands above
        command, capture_output=True, timeout=_LIMIT, check=False, stdin=subprocess.DEVNULL
    )
    return said.stdout.decode("utf-8", "replace").strip()


def _is_off(line: str) -> bool:
    words = line.replace(" ", "").lower()
    if words.startswith(_FACTOR):
        return float(words.removeprefix(_FACTOR)) == 0
    return words in _SWITCHED_OFF


def _lines(environ: Mapping[str, str]) -> Iterator[str]:
    """Of the files in which GTK and KDE keep it."""
    home = Path(environ.get("HOME", "/"))
    config = Path(environ.get("XDG_CONFIG_HOME") or home / ".config")
    for name in ("gtk-4.0/settings.ini", "gtk-3.0/settings.ini", "kdeglobals"):
        with suppress(OSError), (config / name).open(encoding="utf-8", errors="replace") as file:
            yield from file.read(_MAX_FILE).splitlines()


def _on_windows() -> bool:
    """Source: Microsoft, "SystemParametersInfoW", SPI_GETCLIENTAREAANIMATION."""
    if sys.platform != "win32":
        return True
    import ctypes

    is_on = ctypes.c_int(1)
    ctypes.windll.user32.SystemParametersInfoW(_CLIENT_AREA_ANIMATION, 0, ctypes.byref(is_on), 0)
    return bool(is_on.value)


def _on_macos() -> bool:
    """Source: Apple, "Reduce screen motion"; the preference that the setting writes."""
    return _said(_DEFAULTS) != "1"
