"""Following references inside one schema."""

from __future__ import annotations

from typing import Any

import pytest

from desktop.llm.formats.references import follow, resolve

BASE: Any = {
    "$id": "http://x/s.json",
    "$defs": {
        "A": {"$ref": "#/$defs/B"},
        "B": {"type": "string"},
        "a/b~c d": True,
        "Round": {"$ref": "#/$defs/Round"},
        "Text": "no schema",
    },
    "anyOf": [{"type": "null"}],
}


@pytest.mark.parametrize(
    ("reference", "target"),
    [
        ("#", BASE),
        ("#/$defs/B", BASE["$defs"]["B"]),
        ("http://x/s.json#/$defs/B", BASE["$defs"]["B"]),
        ("http://x/s.json", BASE),
        ("#/$defs/a~1b~0c%20d", True),
        ("#/anyOf/0", {"type": "null"}),
        ("#/anyOf/7", None),
        ("#/anyOf/x", None),
        ("#/$defs/Text/0", None),
        ("#/$defs/Nowhere/deeper", None),
        ("#anchor", None),
        ("http://elsewhere/s.json", None),
    ],
)
def test_a_reference_leads_to_its_target_or_nowhere(reference: str, target: Any) -> None:
    assert resolve(BASE, reference) == target


def test_references_to_references_are_followed_but_not_for_ever() -> None:
    assert follow(BASE, "#/$defs/A") == {"type": "string"}
    assert follow(BASE, "#/$defs/Round") is None
