"""Arguments are read as the JSON object they are, or refused with the place of the fault."""

from __future__ import annotations

import pytest

from desktop.tool_types import ErrorCode
from desktop.tools.parsing import parse_arguments
from desktop.tools.refusal import CallRejectedError


def test_an_object_is_taken_as_it_is_and_text_is_read() -> None:
    given = {"a": 1}
    assert parse_arguments(given) is given
    assert parse_arguments('{"a": {"b": [1, null]}}') == {"a": {"b": [1, None]}}
    assert parse_arguments("") == {}


@pytest.mark.parametrize(
    ("given", "layer", "said"),
    [
        ('{\n "a": }', "format", "line 2, column 7"),
        ('{"a": Infinity}', "format", "Infinity"),
        (f'{{"a": {"9" * 5000}}}', "format", "is not JSON"),
        ("'a'", "format", "line 1, column 1"),
        ('"text"', "type", "is text"),
        (7, "type", "is a whole number"),
        (None, "type", "is null"),
    ],
)
def test_anything_else_is_refused_with_what_and_where(given: object, layer: str, said: str) -> None:
    with pytest.raises(CallRejectedError, match="nothing was sent") as caught:
        parse_arguments(given)
    assert said in str(caught.value)
    assert [issue.layer for issue in caught.value.issues] == [layer]
    error = caught.value.result.error
    assert error is not None
    assert error.code == ErrorCode.INVALID_ARGUMENTS
