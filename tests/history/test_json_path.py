"""Paths as validation prints them, and nothing cleverer."""

from __future__ import annotations

from typing import Any

import pytest

from desktop.history.json_path import MISSING, find, parse_path
from desktop.tool_types import ValidationIssue


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("", ()),
        ("$", ()),
        ("a", ("a",)),
        ("a.b[0].c", ("a", "b", 0, "c")),
        ("$.a[2]", ("a", 2)),
        ("[0][1]", (0, 1)),
        ("[-1].x", (-1, "x")),
        ('["odd. name"].b', ("odd. name", "b")),
        ('a["q\\"uote"]', ("a", 'q"uote')),
        ("snake_case.kebab-case", ("snake_case", "kebab-case")),
        ("名.字", ("名", "字")),
    ],
)
def test_a_path_is_read(text: str, parts: tuple[str | int, ...]) -> None:
    assert parse_path(text) == parts


@pytest.mark.parametrize("text", ["a..b", ".a", "a.", "a[b]", "a[0", "a b", "$a", "a.[0]", "[0]a"])
def test_what_is_no_path_says_so(text: str) -> None:
    with pytest.raises(ValueError, match="is no path at"):
        parse_path(text)


@pytest.mark.parametrize("path", [("a",), ("a", 0, "b"), (1, "x")])
def test_what_validation_prints_is_a_path(path: tuple[str | int, ...]) -> None:
    assert parse_path(ValidationIssue(path, "type", "wrong").where) == path


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("a[1].b", 5),
        ("a[-1].b", 5),
        ("a[2]", MISSING),
        ("a[-3]", MISSING),
        ("b", None),
        ("c", MISSING),
        ("a.b", MISSING),
        ("b.x", MISSING),
        ("s[0]", MISSING),
    ],
)
def test_null_is_a_value_and_nothing_is_missing(path: str, value: Any) -> None:
    document = {"a": [{}, {"b": 5}], "b": None, "s": "text"}
    assert find(document, parse_path(path)) is value or find(document, parse_path(path)) == value
