"""A slip of the fingers is understood, and looking for what was meant takes no time."""

from __future__ import annotations

import subprocess
import sys

import pytest

from desktop.base.did_you_mean import MAX_COMPARED, nearest_names

NAMES = ["search", "Search_Users", "read_file", "readFile", "write"]


@pytest.mark.parametrize(
    ("wanted", "near"),
    [
        ("serch", ["search"]),
        ("SEARCH", ["search", "Search_Users"]),
        ("search_user", ["Search_Users", "search"]),
        ("wirte", ["write"]),
        ("zzz", []),
        ("", []),
    ],
)
def test_the_nearest_come_first_and_what_is_far_does_not_come(wanted: str, near: list[str]) -> None:
    assert nearest_names(wanted, NAMES) == near


def test_names_that_differ_in_case_alone_are_all_meant() -> None:
    assert nearest_names("read", ["READ", "Read", "raed"]) == ["READ", "Read", "raed"]
    assert nearest_names("read", ["READ", "Read", "raed"], 1) == ["READ"]


def test_no_more_is_compared_than_there_is_time_for() -> None:
    looked = iter([*["x"] * MAX_COMPARED, "search", "after"])
    assert nearest_names("search", looked) == []
    assert next(looked) == "search"
    assert nearest_names("s" * 10**6, ["s" * 10**6, "t" * 10**6]) == ["s" * 10**6]


def test_nothing_is_imported_before_somebody_made_a_mistake() -> None:
    code = "import sys, desktop.cli.main; print('difflib' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "False"
