from __future__ import annotations

from typing import Any

import pytest

from desktop.gui.form.fields import ABSENT, FieldSpec, Kind
from desktop.gui.form.fitting import fits

CASES: list[tuple[Kind, list[Any], list[Any]]] = [
    ("string", ["", "a\nb"], [1, None, "a\r", "\ud800"]),
    ("integer", [1, 1.5, 2**80, "12a"], [True, "12", "", None]),
    ("boolean", [True, False], [1, 0, "true"]),
    ("array", [[], [1]], [{}, "[]"]),
    ("object", [{}, {"a": 1}], [[], None]),
    ("json", [None, 1, {}], []),
    ("union", [1, "a"], []),
]


@pytest.mark.parametrize(
    ("kind", "yes", "no"),
    CASES,
)
def test_a_field_fits_what_it_gives_back_unchanged(
    kind: Kind, yes: list[Any], no: list[Any]
) -> None:
    spec = FieldSpec(kind=kind)
    assert all(fits(spec, value) for value in [ABSENT, *yes])
    assert not any(fits(spec, value) for value in no)


def test_a_constant_fits_by_type_too_and_null_where_it_is_allowed() -> None:
    spec = FieldSpec(kind="const", schema={"const": {"a": 1}})
    assert fits(spec, {"a": 1})
    assert not fits(spec, {"a": 1.0})
    assert fits(FieldSpec(kind="string", nullable=True), None)
