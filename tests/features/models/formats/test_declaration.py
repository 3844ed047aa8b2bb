"""Names that providers accept, and the report of what was changed."""

from __future__ import annotations

import pytest

from desktop.base.translatable import translatable
from desktop.features.models.formats.declaration import (
    MAX_CHANGES,
    WIRE_NAME,
    Change,
    Report,
    json_pointer,
)


@pytest.mark.parametrize("name", ["a", "mcp__s__t-1", "_x", "a" * 63])
def test_names_that_all_providers_take(name: str) -> None:
    assert WIRE_NAME.fullmatch(name)


@pytest.mark.parametrize("name", ["", "1a", "a.b", "a b", "名", "a" * 64, "a\n"])
def test_names_that_some_provider_refuses(name: str) -> None:
    assert WIRE_NAME.fullmatch(name) is None


def test_a_change_is_told_once_and_its_path_is_a_json_pointer() -> None:
    report = Report()
    for _ in range(2):
        report.add("loosened", ("properties", "a/b~c", 0), translatable("why"))
    assert list(report.changes) == [
        Change("loosened", "/properties/a~1b~0c/0", translatable("why"))
    ]
    assert report.loosened == 2


def test_the_number_and_length_of_changes_are_bounded_but_all_are_counted() -> None:
    report = Report()
    for number in range(MAX_CHANGES + 50):
        report.add("loosened", (number,), translatable("Said: {words}", words="x" * 1000))
    assert len(report.changes) == MAX_CHANGES
    assert report.loosened == MAX_CHANGES + 50
    assert all(len(change.sentence) <= 300 for change in report.changes)
    assert all(change.sentence.pattern == "Said: {words}" for change in report.changes)
    assert json_pointer(()) == ""
