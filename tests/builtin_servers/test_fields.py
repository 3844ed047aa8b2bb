"""Short ways to write schemas mean the long ones."""

from __future__ import annotations

from builtin_servers.fields import TEXT, count, flag, icon, list_of, meta, reads, record, writes


def test_a_record_is_closed_and_requires_all_unless_told() -> None:
    assert record({"a": TEXT}) == {
        "type": "object",
        "properties": {"a": TEXT},
        "required": ["a"],
        "additionalProperties": False,
    }
    assert record({"a": TEXT}, [])["required"] == []


def test_fields_carry_their_description_and_limits() -> None:
    assert count("d", maximum=3) == {
        "type": "integer",
        "description": "d",
        "minimum": 1,
        "maximum": 3,
    }
    assert flag("d", default=True)["default"] is True
    assert list_of(TEXT) == {"type": "array", "items": TEXT}


def test_annotations_say_all_four() -> None:
    assert reads()["readOnlyHint"] is True
    assert writes(destructive=False, idempotent=True) == {
        "readOnlyHint": False,
        "destructiveHint": False,
        "idempotentHint": True,
        "openWorldHint": False,
    }


def test_an_icon_is_small_and_fetches_nothing() -> None:
    (one,) = icon("M1 1h2")
    assert one["src"].startswith("data:image/svg+xml,")
    assert len(one["src"]) < 500
    assert meta("c", "t", more=1)["more"] == 1
