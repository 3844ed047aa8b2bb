"""Applies the tokens to the application and follows the system: light or dark, motion or none.

The one place that sets a palette or a style sheet on the application.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QColor, QFont, QFontDatabase, QFontInfo, QPalette

from desktop.base.paths import resources
from desktop.gui.theme.stylesheet import build_stylesheet
from desktop.gui.theme.tokens import (
    DARK,
    FACES,
    LIGHT,
    ColorName,
    SystemColors,
    TextSizes,
    Tokens,
    contrasting_tokens,
    is_dark,
    is_high_contrast,
    text_sizes,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from PySide6.QtWidgets import QApplication

Scheme: TypeAlias = Literal["system", "light", "dark"]

_PALETTE: tuple[tuple[QPalette.ColorRole, ColorName], ...] = (
    (QPalette.ColorRole.Window, "surface"),
    (QPalette.ColorRole.WindowText, "text"),
    (QPalette.ColorRole.Base, "card"),
    (QPalette.ColorRole.AlternateBase, "code"),
    (QPalette.ColorRole.Text, "text"),
    (QPalette.ColorRole.PlaceholderText, "muted"),
    (QPalette.ColorRole.Button, "card"),
    (QPalette.ColorRole.ButtonText, "text"),
    (QPalette.ColorRole.BrightText, "danger"),
    (QPalette.ColorRole.Highlight, "accent"),
    (QPalette.ColorRole.HighlightedText, "accent_text"),
    (QPalette.ColorRole.Accent, "accent"),
    (QPalette.ColorRole.Link, "accent"),
    (QPalette.ColorRole.LinkVisited, "accent"),
    (QPalette.ColorRole.ToolTipBase, "card"),
    (QPalette.ColorRole.ToolTipText, "text"),
    (QPalette.ColorRole.Light, "card"),
    (QPalette.ColorRole.Midlight, "hover"),
    (QPalette.ColorRole.Mid, "border"),
    (QPalette.ColorRole.Dark, "control_border"),
)
_TEXT_ROLES = (
    QPalette.ColorRole.WindowText,
    QPalette.ColorRole.Text,
    QPalette.ColorRole.ButtonText,
    QPalette.ColorRole.PlaceholderText,
)


_CHINESE = {
    "win32": (("Microsoft YaHei UI", "Microsoft YaHei"), ()),
    "darwin": (("PingFang SC",), ()),
}
"""The faces that a system shows Chinese with, for texts and for code, where it has such."""
_CHINESE_ELSEWHERE = (
    ("Noto Sans CJK SC", "Source Han Sans SC", "Noto Sans SC", "WenQuanYi Micro Hei"),
    ("Noto Sans Mono CJK SC", "Source Han Mono SC", "WenQuanYi Micro Hei Mono"),
)
ZOOMS = (0.8, 0.9, 1.0, 1.1, 1.25, 1.5, 1.75, 2.0)
"""How large texts are, against those of the system."""


def chinese_families(platform: str, *, is_code: bool = False) -> list[str]:
    """The faces for Chinese after the system's own, which has none, or has it from Japan or bold.

    Left to itself, Qt takes the first face that it finds for a letter: often the Japanese one, or
    one that is bold.
    """
    texts, code = _CHINESE.get(platform, _CHINESE_ELSEWHERE)
    families = (*code, *texts) if is_code else texts
    if platform in _CHINESE:
        return list(families)
    return [family for family in families if QFontDatabase.hasFamily(family)]


CLEAR = QColor(0, 0, 0, 0)  # what a picture begins as


class Theme(QObject):
    """The look in force; `changed` is sent after light and dark were swapped."""

    changed = Signal()

    def __init__(
        self,
        app: QApplication,
        scheme: Scheme = "system",
        zoom: float = 1.0,
        *,
        is_chinese: bool = False,
    ) -> None:
        """Put the look in force.

        Args:
            app: what has the look.
            scheme: light, dark, or what the system has.
            zoom: how large texts are, against those of the system.
            is_chinese: whether the window speaks Chinese.
        """
        super().__init__(app)
        self._app = app
        self._scheme: Scheme = scheme
        self._base = QFontInfo(app.font()).pointSizeF()
        self._sizes = text_sizes(self._base)
        self._zoom: float = 1.0
        self._mono = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
        if is_chinese:  # not else: a face that is named makes each line higher, also in English
            code = chinese_families(sys.platform, is_code=True)
            # The face by its own name: an alias beside another one is passed over.
            self._mono.setFamilies([QFontInfo(self._mono).family(), *code])
            font = app.font()
            font.setFamilies([QFontInfo(font).family(), *chinese_families(sys.platform)])
            app.setFont(font)
        self._tokens: Tokens | None = None
        self._motion: Motion | None = None
        self._is_system_dark = _is_dark(app.palette())
        self._contrast: Tokens | None = None
        self._note_contrast(_system_colors(app.palette()), is_wanted=False)
        if sys.platform != "linux":  # there it is Fusion, and touching QStyle takes 7 ms
            app.setStyle("Fusion")
        if scheme == "system":
            self._apply()
        else:
            self.set_scheme(scheme)
        self.set_zoom(zoom)
        self._hints = app.styleHints()  # held: what it hands out is valid only as long as it is
        self._hints.colorSchemeChanged.connect(self._follow_system)
        if hasattr(self._hints, "accessibility"):  # since Qt 6.10
            self._hints.accessibility().contrastPreferenceChanged.connect(self.look_at_contrast)

    @property
    def scheme(self) -> Scheme:
        """What the person chose; `is_dark` says what that comes to."""
        return self._scheme

    @property
    def is_dark(self) -> bool:
        return self.tokens is DARK or (self.is_high_contrast and is_dark(self.tokens))

    @property
    def is_high_contrast(self) -> bool:
        """Whether the colours are those of a high contrast desktop; a chosen theme goes first."""
        return self._scheme == "system" and self._contrast is not None

    @property
    def tokens(self) -> Tokens:
        if self._scheme != "system":
            return DARK if self._scheme == "dark" else LIGHT
        return self._contrast or (DARK if self._is_system_dark else LIGHT)

    @property
    def sizes(self) -> TextSizes:
        return self._sizes

    @property
    def pixel_ratio(self) -> float:
        """Pixels a point of the densest screen has."""
        return self._app.devicePixelRatio()

    @property
    def motion(self) -> Motion:
        """Whether things may move."""
        if self._motion is None:
            self._motion = Motion(self)
        return self._motion

    def set_scheme(self, scheme: Scheme) -> None:
        """Follow the system or stay light or dark, from now on."""
        from PySide6.QtCore import Qt  # 20 ms; not before the first paint where it can be helped

        self._scheme = scheme
        wanted = {"light": Qt.ColorScheme.Light, "dark": Qt.ColorScheme.Dark}
        hints = self._app.styleHints()
        hints.setColorScheme(wanted.get(scheme, Qt.ColorScheme.Unknown))  # the frame follows too
        if scheme == "system":
            self._is_system_dark = hints.colorScheme() == Qt.ColorScheme.Dark
        self._apply()

    @property
    def zoom(self) -> float:
        """How large texts are, against those of the system."""
        return self._zoom

    def set_zoom(self, zoom: float) -> None:
        """Make all texts larger or smaller; one of `ZOOMS`, or the nearest of them."""
        nearest = min(ZOOMS, key=lambda each: abs(each - zoom))
        if nearest == self._zoom:
            return
        self._zoom = nearest
        self._sizes = text_sizes(round(self._base * nearest, 1))
        font = self._app.font()
        font.setPointSizeF(self._sizes.body)
        self._app.setFont(font)
        self._tokens = None
        self._apply()
        for widget in self._app.allWidgets():  # editors have the font as their own
            if widget.font().family() == self._mono.family():
                widget.setFont(self.mono_font())

    def step_zoom(self, step: int) -> None:
        """The next size up or down; 0 is that of the system."""
        at = ZOOMS.index(self._zoom) + step if step else ZOOMS.index(1.0)
        self.set_zoom(ZOOMS[min(max(at, 0), len(ZOOMS) - 1)])

    def look_at_contrast(self) -> None:
        """Ask the desktop whether it wants high contrast; after the first paint, for it is slow."""
        is_wanted = False
        if hasattr(self._hints, "accessibility"):
            is_wanted = self._hints.accessibility().contrastPreference().name == "HighContrast"
        if not is_wanted and self._contrast is None:
            return
        self._app.setPalette(QPalette())  # the system's own comes to light
        self.use_contrast(self._app.palette(), is_wanted=is_wanted)

    def use_contrast(self, system: QPalette, *, is_wanted: bool) -> None:
        """Take the colours of a high contrast desktop, or leave them.

        Args:
            system: the desktop's palette; black on white is enough of a sign.
            is_wanted: the desktop says that it wants high contrast.
        """
        self._note_contrast(_system_colors(system), is_wanted=is_wanted)
        self._app.setPalette(_palette(self.tokens))
        self._apply()

    def _note_contrast(self, colors: SystemColors, *, is_wanted: bool) -> None:
        is_high = is_wanted or is_high_contrast(colors)
        made = contrasting_tokens(colors) if is_high else None
        if made != self._contrast:
            self._contrast = made

    def color(self, name: ColorName) -> QColor:
        return QColor(getattr(self.tokens, name))

    def face_colors(self, number: int) -> tuple[QColor, QColor]:
        """What is behind the letter of a server's face, and the letter; any number has some."""
        faces = FACES[self.is_dark]
        behind, letter = faces[number % len(faces)]
        return QColor(behind), QColor(letter)

    def mono_font(self) -> QFont:
        """The system's monospace font in body size."""
        font = QFont(self._mono)
        font.setPointSizeF(self._sizes.body)
        return font

    def strong_font(self) -> QFont:
        """The font of the application, as headings have it."""
        font = QFont(self._app.font())
        font.setWeight(QFont.Weight.DemiBold)
        return font

    def _follow_system(self) -> None:
        if self._scheme == "system":
            self.set_scheme("system")

    def _apply(self) -> None:
        tokens = self.tokens
        if tokens is self._tokens:
            return
        self._tokens = tokens
        # Where a sheet takes the place of another, Qt polishes each widget once for each that it is
        # in (6.11, `updateObjects`); without a sheet before it, once: a fifth of the work.
        self._app.setStyleSheet("")
        self._app.setPalette(_palette(tokens))
        self._app.setStyleSheet(
            build_stylesheet(tokens, self._sizes, self._mono.families(), _marks(self.is_dark))
        )
        self.changed.emit()


def _system_colors(palette: QPalette) -> SystemColors:
    roles = QPalette.ColorRole
    return SystemColors(
        window=palette.color(roles.Window).name(),
        text=palette.color(roles.WindowText).name(),
        base=palette.color(roles.Base).name(),
        highlight=palette.color(roles.Highlight).name(),
        link=palette.color(roles.Link).name(),
        disabled=palette.color(QPalette.ColorGroup.Disabled, roles.WindowText).name(),
    )


def _is_dark(palette: QPalette) -> bool:
    """Whether the system's own palette is dark; asking the style hints would import `Qt`."""
    return palette.window().color().lightness() < palette.windowText().color().lightness()


def _marks(is_dark: bool) -> str:
    """The folder of the drawings that the style sheet puts into switches, boxes and arrows."""
    return (resources() / "icons" / ("dark" if is_dark else "light")).as_posix()


def _palette(tokens: Tokens) -> QPalette:
    palette = QPalette()
    for role, name in _PALETTE:
        palette.setColor(role, QColor(getattr(tokens, name)))
    for role in _TEXT_ROLES:
        palette.setColor(QPalette.ColorGroup.Disabled, role, QColor(tokens.disabled))
    return palette


# --- whether things may move ----------------------------------------------------------------------


_GSETTINGS: Final = ("gsettings", "get", "org.gnome.desktop.interface", "enable-animations")
_DEFAULTS: Final = ("defaults", "read", "com.apple.universalaccess", "reduceMotion")
_LIMIT: Final = 2.0
_SWITCHED_OFF: Final = {"gtk-enable-animations=0", "gtk-enable-animations=false"}
_FACTOR: Final = "animationdurationfactor="
_MAX_FILE: Final = 100_000
_CLIENT_AREA_ANIMATION: Final = 0x1042  # SPI_GETCLIENTAREAANIMATION


class Motion(QObject):
    """Asks the system, once, when something would first move; itself it moves nothing.

    Windows and macOS are written from their documentation, not yet run.
    """

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

        from PySide6.QtWidgets import QApplication, QStyle

        told = QApplication.style().styleHint(QStyle.StyleHint.SH_Widget_Animation_Duration)
        wanted = bool(told) and await asyncio.to_thread(system_wants_motion, os.environ)
        self._is_wanted = wanted


def system_wants_motion(environ: Mapping[str, str]) -> bool:
    """Whether animations are on; what does not answer has them on."""
    import subprocess  # with the first thing that would move

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
    import subprocess

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
