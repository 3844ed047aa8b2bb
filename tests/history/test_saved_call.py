from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from desktop.history.saved_call import SavedCall

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
