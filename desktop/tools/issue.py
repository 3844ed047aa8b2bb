"""One finding of a validation: where, what kind, how bad, in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

Layer: TypeAlias = Literal["type", "format", "range", "rule"]


@dataclass(frozen=True, slots=True)
class ValidationIssue:
    """`path` is from the root of the arguments (`("items", 0, "name")`), empty for the whole."""

    path: tuple[str | int, ...]
    layer: Layer
    message: str
    severity: Literal["error", "warning"] = "error"

    @property
    def where(self) -> str:
        """The path as a JSON path without the root: `items[0].name`."""
        text = ""
        for part in self.path:
            text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else part
        return text

    def __str__(self) -> str:
        return f"{self.where}: {self.message}" if self.path else self.message
