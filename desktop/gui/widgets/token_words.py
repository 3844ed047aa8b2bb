"""How estimated tokens are written in the window, on every page the same."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QCoreApplication

if TYPE_CHECKING:
    from collections.abc import Mapping

translate = QCoreApplication.translate


class ToolCosts(NamedTuple):
    """What tools cost in every request to a model, in tokens; an estimate."""

    servers: Mapping[str, int] = {}
    """What each server offers; of those alone that have tools."""
    tools: Mapping[str, Mapping[str, int]] = {}
    """Each listed tool of a server, by its name, switched off or not."""
    total: int = 0
    """All that is offered."""
    model: str = ""
    """The model that is counted for; empty where none is chosen."""
    percent: float | None = None
    """The share of its window; None where that is not known."""


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
