"""A profile with what a test says, and all else unknown."""

from __future__ import annotations

from typing import Any

from desktop.features.client_profiles.profiles import CELLS, Profile

SOURCE = "https://example.com/says"


def cell(value: object) -> dict[str, object]:
    return {"value": value, "source": SOURCE, "date": "2026-11-01", "seen": "read"}


def profile(*rules: dict[str, object], **known: object) -> Profile:
    """Args: rules: of schemas. known: the values of cells."""
    cells: dict[str, Any] = dict.fromkeys(CELLS, "unknown")
    cells |= {name: cell(value) for name, value in known.items()}
    about = {"id": "theirs", "label": "Theirs", "version": "1"}
    return Profile.model_validate({**about, **cells, "schema_rules": list(map(cell, rules))})
