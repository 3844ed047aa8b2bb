"""The tokens of a high contrast desktop: its own colours, and 7:1 for every text.

Takes what the system's palette says and moves a colour towards the text where the contrast is not
enough. Plain arithmetic on "#rrggbb"; no Qt.
"""

from __future__ import annotations

from typing import NamedTuple

from desktop.gui.theme.tokens import DARK, LIGHT, Tokens

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
