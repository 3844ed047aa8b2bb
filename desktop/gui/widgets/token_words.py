"""How estimated tokens are written in the window, on every page the same."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

translate = QCoreApplication.translate


def tokens_label(tokens: int) -> str:
    """An estimate: `≈ 1,234 tokens`."""
    words = translate("TokenWords", "≈ {count} tokens")
    return words.format(count=f"{tokens:,}")


def tokens_figure(tokens: int) -> str:
    """The same where a heading has said that it is tokens: `≈ 1,234`."""
    return f"≈ {tokens:,}"


def percent_label(percent: float) -> str:
    """A share of a window; a small one is not said to be none."""
    return "< 1 %" if 0 < percent < 1 else f"{round(percent)} %"
