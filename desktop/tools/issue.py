"""One finding of a validation: where, what kind, how bad, in words."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping

Layer: TypeAlias = Literal["type", "format", "range", "rule"]
"""The kind of value, the form of a text, limits and choices, and what fields ask of each other."""


@dataclass(frozen=True, slots=True)
class ValidationIssue:
    """`path` is from the root of the arguments (`("items", 0, "name")`), empty for the whole.

    `message` is an English sentence part that reads after the place. `code` is the same for a
    program, stable: the schema's keyword (`required`, `minimum`), or `false` (a schema that allows
    nothing), `looseFormat`, `undeclared`, `oddSchema` (the tool's fault, not the value's),
    `missingOutput`, `json` (no JSON at all), `comparison` (a person's rule), `ruleFailed`; empty
    where the words are somebody else's. `values` has what a translation puts in (`limit`, `name`),
    never a value that was given: it may be secret. Errors stop a call, warnings do not.
    """

    path: tuple[str | int, ...]
    layer: Layer
    message: str
    severity: Literal["error", "warning"] = "error"
    code: str = ""
    values: Mapping[str, Any] = field(default_factory=dict[str, Any], compare=False)

    @property
    def where(self) -> str:
        """The path as a JSON path without the root: `items[0].name`."""
        text = ""
        for part in self.path:
            text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else part
        return text

    def __str__(self) -> str:
        return f"{self.where}: {self.message}" if self.path else self.message

    def to_json(self) -> dict[str, Any]:
        """What `mcp-desktop call --json` prints of it."""
        return {
            "path": list(self.path),
            "layer": self.layer,
            "severity": self.severity,
            "code": self.code,
            "message": self.message,
        }
