"""Every colour, distance, text size and role of the window, by name, for light and dark.

No other module may name a colour, a size or a font. On a high contrast desktop the colours are made
of the system's. Before the first frame it takes nothing of Qt but types. The roles are explained in
`desktop.gui.theme`.
"""

from __future__ import annotations

from typing import (
    TYPE_CHECKING,
    Literal,
    NamedTuple,  # dataclasses: not before the first paint
    TypeAlias,
    get_args,
)

from PySide6 import QtCore

if TYPE_CHECKING:
    from PySide6.QtWidgets import QAbstractSpinBox, QWidget

Role: TypeAlias = Literal[
    "page", "card", "well", "prose", "rail", "strip", "banner", "divider", "nested", "row",
    "title", "heading", "muted", "small", "mono", "badge",
    "primary", "flat", "section", "link", "chip", "choice", "switch", "segments", "segment",
    "accent", "success", "warning", "danger",
    "invalid", "selected",
]  # fmt: skip

ROLES: frozenset[str] = frozenset(get_args(Role))
PROPERTY = "role"


def style(widget: QWidget, *roles: Role) -> None:
    """Give `widget` exactly these roles; call it again when its state changes."""
    words = " ".join(roles)
    before = widget.property(PROPERTY)
    if before == words:
        return
    widget.setProperty(PROPERTY, words)
    if before is None and "Qt" not in vars(QtCore):
        return  # before the first frame, which would wait for `Qt`: the first showing polishes it
    if widget.testAttribute(QtCore.Qt.WidgetAttribute.WA_WState_Polished):
        repolish(widget)


def inset(field: QAbstractSpinBox) -> None:
    """Leave the room before a number that other fields have: Qt's style sheets cannot."""
    field.lineEdit().setTextMargins(space(2), 0, 0, 0)


def repolish(widget: QWidget) -> None:
    """Have the style sheet look at the properties of `widget` again."""
    look = widget.style()
    look.unpolish(widget)
    look.polish(widget)
    widget.update()


GRID = 4  # pixels; every distance is a multiple of it
RADIUS = 8  # corners of cards and banners
RADIUS_SMALL = 6  # corners of buttons and fields
MOTION_MS = 120  # how long anything moves
COLUMN_WIDTH = 190 * GRID  # of what is read or filled in from side to side

ColorName: TypeAlias = Literal[
    "surface", "rail", "card", "hover", "pressed", "border", "control_border",
    "text", "muted", "disabled",
    "accent", "accent_hover", "accent_pressed", "accent_text", "accent_soft",
    "success", "success_soft", "warning", "warning_soft", "danger", "danger_soft",
    "code", "focus",
]  # fmt: skip


class Tokens(NamedTuple):
    """The colours of one mode; `*_soft` is the background for the colour of that name."""

    surface: str  # behind everything
    rail: str  # the column of pages and the status strip
    card: str  # what a person handles; also fields
    hover: str
    pressed: str
    border: str  # parts what is calm
    control_border: str  # edge of a field or button: 3:1 against card and surface
    text: str
    muted: str
    disabled: str  # the one colour without a contrast promise, as the guidelines allow
    accent: str
    accent_hover: str
    accent_pressed: str
    accent_text: str  # on accent
    accent_soft: str
    success: str
    success_soft: str
    warning: str
    warning_soft: str
    danger: str
    danger_soft: str
    code: str  # behind what comes from servers
    focus: str


class TextSizes(NamedTuple):
    """The three text sizes in points, from the size the system is set to."""

    small: float
    body: float
    title: float


LIGHT = Tokens(
    surface="#f6f7f9",
    rail="#eceef2",
    card="#ffffff",
    hover="#eef0f4",
    pressed="#e3e6ec",
    border="#dde1e7",
    control_border="#868e9c",
    text="#1a1e26",
    muted="#566070",
    disabled="#9aa2af",
    accent="#2f5bd0",
    accent_hover="#264cb3",
    accent_pressed="#1d3b8f",
    accent_text="#ffffff",
    accent_soft="#e6ecfb",
    success="#146c3f",
    success_soft="#e0f3e8",
    warning="#7d4f00",
    warning_soft="#fbeed3",
    danger="#b3202f",
    danger_soft="#fce6e7",
    code="#f1f3f6",
    focus="#1a1e26",
)

DARK = Tokens(
    surface="#17191e",
    rail="#121418",
    card="#1f2229",
    hover="#282c34",
    pressed="#31363f",
    border="#30353e",
    control_border="#737c8b",
    text="#d6dae2",
    muted="#a3acba",
    disabled="#656d7a",
    accent="#8fb0ff",
    accent_hover="#abc4ff",
    accent_pressed="#c6d7ff",
    accent_text="#0e1730",
    accent_soft="#26324f",
    success="#6fd39c",
    success_soft="#17372a",
    warning="#e8bd63",
    warning_soft="#352c17",
    danger="#ff9096",
    danger_soft="#3d2128",
    code="#13151a",
    focus="#e7e9ee",
)

FACES: tuple[tuple[tuple[str, str], ...], tuple[tuple[str, str], ...]] = (
    (  # light: behind the letter, the letter
        ("#ffcfca", "#7e302d"),
        ("#fed4b9", "#793900"),
        ("#f0dcb1", "#684600"),
        ("#d1e7bd", "#385805"),
        ("#bcebd1", "#005e37"),
        ("#b0ebea", "#005e60"),
        ("#b6e6ff", "#00567d"),
        ("#c9dfff", "#2a4a88"),
        ("#e0d7ff", "#523e82"),
        ("#f8d0ee", "#703265"),
    ),
    (  # dark
        ("#5d2d2a", "#ffc1ba"),
        ("#593215", "#ffc89f"),
        ("#4e3a06", "#f3d392"),
        ("#31441a", "#c4e4a5"),
        ("#124830", "#a3eac3"),
        ("#004848", "#8cebea"),
        ("#03435b", "#98e3ff"),
        ("#283c62", "#b7d8ff"),
        ("#40355e", "#dbccff"),
        ("#532e4c", "#fec2ef"),
    ),
)
"""For servers without an icon: each has one of these by its name, of the same hue in both modes."""

COLOR_NAMES: tuple[str, ...] = Tokens._fields


def space(steps: float) -> int:
    """Pixels of `steps` steps of the grid; `space(4)` is the margin of a page, `space(2)` a gap."""
    return round(GRID * steps)


def text_sizes(base: float) -> TextSizes:
    """The three sizes around `base`, the point size of the system's own font."""
    return TextSizes(small=round(base * 0.9, 1), body=base, title=round(base * 1.5, 1))


# A high contrast desktop: its own colours, moved towards its text as far as 7:1 asks.

_TEXT = 7.0
_CERTAIN = 20.0  # black on white has 21: no ordinary palette goes that far
_STEPS = 20


class SystemColors(NamedTuple):
    """What is taken of the system's palette."""

    window: str
    text: str
    base: str  # behind what a person types or chooses
    highlight: str
    link: str
    disabled: str


def contrast(one: str, other: str) -> float:
    """The ratio of two colours, 1 to 21, as the guidelines for accessible content define it."""
    darker, lighter = sorted((_luminance(one), _luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def is_high_contrast(colors: SystemColors) -> bool:
    """Whether the palette alone says so."""
    return contrast(colors.window, colors.text) >= _CERTAIN


def is_dark(tokens: Tokens) -> bool:
    """Whether light text stands on a dark background."""
    return _luminance(tokens.surface) < _luminance(tokens.text)


def contrasting_tokens(colors: SystemColors) -> Tokens:
    """The system's colours for everything that the window paints."""
    window, text = colors.window, colors.text
    if contrast(window, text) < _TEXT:  # the system itself falls short
        text = max("#000000", "#ffffff", key=lambda color: contrast(color, window))
    card = colors.base if contrast(colors.base, text) >= _TEXT else window
    hover, pressed = (_background(window, text, share, (text,)) for share in (0.1, 0.18))
    behind = window, card, pressed
    plain = DARK if _luminance(window) < _luminance(text) else LIGHT
    accent = _readable(colors.link, text, behind)
    chosen = _background(window, colors.highlight, 0.4, (text, accent))
    success, warning, danger = (
        _readable(tone, text, behind) for tone in (plain.success, plain.warning, plain.danger)
    )
    return Tokens(
        surface=window,
        rail=window,
        card=card,
        hover=hover,
        pressed=pressed,
        border=text,
        control_border=text,
        text=text,
        muted=text,
        disabled=colors.disabled,
        accent=accent,
        accent_hover=accent,
        accent_pressed=accent,
        accent_text=window,
        accent_soft=chosen,
        success=success,
        success_soft=window,
        warning=warning,
        warning_soft=window,
        danger=danger,
        danger_soft=window,
        code=card,
        focus=text,
    )


def _readable(color: str, text: str, behind: tuple[str, ...]) -> str:
    """The colour, as far towards the text as it needs to be read on all of these."""
    for step in range(_STEPS + 1):
        mixed = _mix(color, text, step / _STEPS)
        if all(contrast(mixed, one) >= _TEXT for one in behind):
            return mixed
    return text


def _background(window: str, color: str, share: float, read: tuple[str, ...]) -> str:
    """The window with some of a colour in it, as far as everything in `read` stays readable."""
    for step in range(_STEPS):
        mixed = _mix(window, color, share * (1 - step / _STEPS))
        if all(contrast(mixed, one) >= _TEXT for one in read):
            return mixed
    return window


def _parts(color: str) -> list[int]:
    return [int(color[start : start + 2], 16) for start in (1, 3, 5)]


def _mix(one: str, other: str, share: float) -> str:
    pairs = zip(_parts(one), _parts(other), strict=True)
    mixed = (round(a + (b - a) * share) for a, b in pairs)
    return "#" + "".join(f"{part:02x}" for part in mixed)


def _luminance(color: str) -> float:
    parts = [part / 255 for part in _parts(color)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
