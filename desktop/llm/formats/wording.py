"""Says in a schema's description what its rules cannot say to a provider. Bounded."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from desktop.llm.formats.keywords import Schema

_LONGEST: Final = 300


def described(schema: Schema, words: str) -> None:
    """Add a note to the description, cut where it is long."""
    note = words if len(words) <= _LONGEST else words[: _LONGEST - 1] + "…"
    before = schema.get("description")
    schema["description"] = f"{before} ({note})" if before else note
