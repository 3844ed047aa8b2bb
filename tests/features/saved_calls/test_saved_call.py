from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from desktop.features.saved_calls.saved_call import SavedCall
from desktop.features.saved_calls.value_paths import MISSING, find, parse_path
from desktop.values.tool_types import ValidationIssue


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


def test_a_call_may_be_sent_unchecked_and_stays_so() -> None:
    document = {"name": "n", "tool": "s:t", "arguments": {"a": 1}, "validate": False, "note": 7}
    call = SavedCall.model_validate(document)
    assert not call.is_validated
    assert list(call.to_json().items()) == list(document.items())
    plain = SavedCall.model_validate({"name": "n", "tool": "s:t", "validate": True})
    assert plain.is_validated
    assert "validate" not in plain.to_json()


@pytest.mark.parametrize("value", ["no", 0, None, "false"])
def test_whether_a_call_is_validated_is_true_or_false_and_nothing_like_it(value: Any) -> None:
    with pytest.raises(ValidationError, match="validate"):
        SavedCall.model_validate({"name": "n", "tool": "s:t", "validate": value})


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


WHOLE: dict[str, Any] = {
    "name": "adds",
    "tool": "calculator:calculate",
    "arguments": {"a": 1, "b": None},
    "timeout": 5.0,
    "expect": {"contains": ["3"], "equals": {"a.b[0]": None}, "seconds": 2.0},
    "owner": "ann",
}


def test_a_call_is_written_as_it_was_read_with_keys_we_do_not_know() -> None:
    call = SavedCall.model_validate(WHOLE)
    assert call.to_json() == WHOLE
    assert list(call.to_json()) == list(WHOLE)


def test_what_says_nothing_is_not_written() -> None:
    call = SavedCall(name="n", tool="s:t")
    assert call.to_json() == {"name": "n", "tool": "s:t", "arguments": {}}


def test_one_text_stands_for_a_list_of_one() -> None:
    call = SavedCall.model_validate(WHOLE | {"expect": {"contains": "3"}})
    assert call.expect.contains == ("3",)


@pytest.mark.parametrize(
    ("wrong", "where"),
    [
        ({"name": ""}, "name"),
        ({"tool": "calculate"}, "tool"),
        ({"tool": "calculator:"}, "tool"),
        ({"arguments": [1]}, "arguments"),
        ({"timeout": 0}, "timeout"),
        ({"expect": {"error": "oops"}}, "error"),
        ({"expect": {"seconds": "inf"}}, "seconds"),
        ({"expect": {"contains": [""]}}, "contains"),
        ({"expect": {"equals": {"a..b": 1}}}, "equals"),
        ({"expect": {"equal": {"a": 1}}}, "equal"),
    ],
)
def test_what_is_wrong_is_refused_where_it_is(wrong: dict[str, Any], where: str) -> None:
    with pytest.raises(ValidationError) as raised:
        SavedCall.model_validate(WHOLE | wrong)
    assert where in [part for error in raised.value.errors() for part in error["loc"]]
