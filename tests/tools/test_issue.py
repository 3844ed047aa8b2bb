import pytest

from desktop.tools.issue import ValidationIssue


@pytest.mark.parametrize(
    ("path", "where"),
    [
        ((), ""),
        (("city",), "city"),
        (("items", 0, "name"), "items[0].name"),
        ((0, 1), "[0][1]"),
    ],
)
def test_the_place_is_written_as_a_path(path: tuple[str | int, ...], where: str) -> None:
    assert ValidationIssue(path, "type", "must be a string").where == where


def test_an_issue_reads_as_its_place_and_what_is_wrong() -> None:
    assert str(ValidationIssue(("city",), "type", "must be a string")) == "city: must be a string"


def test_an_issue_of_the_whole_names_no_place() -> None:
    assert str(ValidationIssue((), "rule", "give one of both")) == "give one of both"


def test_an_issue_is_printed_with_its_code_and_without_values() -> None:
    issue = ValidationIssue(("a", 0), "range", "must be at least 3", code="minimum")
    assert issue.to_json() == {
        "path": ["a", 0],
        "layer": "range",
        "severity": "error",
        "code": "minimum",
        "message": "must be at least 3",
    }
