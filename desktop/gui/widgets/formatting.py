"""Byte sizes and durations as text; not translated, because the units are the same everywhere."""

from __future__ import annotations

_UNITS = ("B", "kB", "MB", "GB")


def format_size(size: int) -> str:
    """A byte count in decimal units: 999 B, 1.2 kB, 10 MB."""
    value, unit = float(size), 0
    while value >= 999.5 and unit < len(_UNITS) - 1:
        value, unit = value / 1000, unit + 1
    digits = 1 if unit and value < 9.95 else 0
    return f"{value:.{digits}f} {_UNITS[unit]}"


def format_duration(seconds: float) -> str:
    """How long something took: 0.4 ms, 23 ms, 1.25 s, 2 min 05 s."""
    milliseconds = seconds * 1000
    if milliseconds < 999.5:
        return f"{milliseconds:.{0 if milliseconds >= 9.95 else 1}f} ms"
    if seconds < 59.95:
        return f"{seconds:.{2 if seconds < 9.995 else 1}f} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest:02d} s"
