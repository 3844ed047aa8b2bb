"""What a conversion tells of itself."""

from __future__ import annotations

from desktop.llm.formats.report import MOST_CHANGES, Change, Report, pointer
from desktop.translatable import translatable


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
    for number in range(MOST_CHANGES + 50):
        report.add("loosened", (number,), translatable("Said: {words}", words="x" * 1000))
    assert len(report.changes) == MOST_CHANGES
    assert report.loosened == MOST_CHANGES + 50
    assert all(len(change.sentence) <= 300 for change in report.changes)
    assert all(change.sentence.pattern == "Said: {words}" for change in report.changes)
    assert pointer(()) == ""
