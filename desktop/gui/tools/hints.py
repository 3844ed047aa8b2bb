"""A server's hints about a tool in words. Hints are untrusted: they colour, they decide nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from PySide6.QtCore import QCoreApplication

if TYPE_CHECKING:
    from desktop.tool_types import Annotations


Tone: TypeAlias = Literal["", "success", "danger"]


@dataclass(frozen=True, slots=True)
class Hint:
    """One thing the server says, and how it is coloured."""

    words: str
    tone: Tone = ""


def hints_of(annotations: Annotations) -> list[Hint]:
    """What is worth a badge; what the server leaves open says nothing."""
    hints: list[Hint] = []
    if annotations.read_only:
        hints.append(Hint(QCoreApplication.translate("Hints", "read-only"), "success"))
    elif annotations.destructive:
        hints.append(Hint(QCoreApplication.translate("Hints", "destructive"), "danger"))
    elif annotations.read_only is False:
        hints.append(Hint(QCoreApplication.translate("Hints", "makes changes")))
    if annotations.idempotent and not annotations.read_only:
        hints.append(Hint(QCoreApplication.translate("Hints", "safe to repeat")))
    if annotations.open_world:
        hints.append(Hint(QCoreApplication.translate("Hints", "reaches outside")))
    elif annotations.open_world is False:
        hints.append(Hint(QCoreApplication.translate("Hints", "stays local")))
    return hints
