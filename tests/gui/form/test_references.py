from __future__ import annotations

from typing import Any

import pytest

from desktop.gui.form.references import References, name_of_reference

ROOT: dict[str, Any] = {
    "$defs": {
        "a/b": {"type": "string"},
        "loop": {"$ref": "#/$defs/loop"},
        "two": {"$ref": "#/$defs/a~1b", "title": "Two"},
        "named": {"$anchor": "here", "type": "integer"},
    },
    "list": [{"type": "boolean"}],
}


@pytest.mark.parametrize(
    ("reference", "found"),
    [
        ("#/$defs/a~1b", {"type": "string"}),
        ("#/$defs/two", {"type": "string", "title": "Two"}),
        ("#/list/0", {"type": "boolean"}),
        ("#here", {"$anchor": "here", "type": "integer"}),
        ("#", ROOT),
    ],
)
def test_local_references_are_followed(reference: str, found: Any) -> None:
    assert References(ROOT).resolved({"$ref": reference}) == found


@pytest.mark.parametrize(
    "reference",
    ["#/$defs/loop", "#/list/7", "#/list/x", "#nowhere", "http://example.test/x", "file:///x", 5],
)
def test_dead_ends_circles_and_foreign_places_stay_as_they_are(reference: Any) -> None:
    assert "$ref" in References(ROOT).resolved({"$ref": reference})


def test_the_last_word_of_a_reference_is_its_name() -> None:
    assert name_of_reference({"$ref": "#/$defs/My%20Shape"}) == "My Shape"
    assert name_of_reference({"$ref": 5}) == name_of_reference({}) == ""
