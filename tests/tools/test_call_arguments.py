"""Arguments are read as the JSON object they are, or refused with the place of the fault.

The text of a model is read in the same way, and what cannot be written as JSON is never sent.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from desktop.tools.executor import CallRejectedError, parse_arguments
from desktop.values.tool_types import ErrorCode, ToolCall
from tests.live_servers import error_of
from tests.tools.executor_bench import Alone, Own

if TYPE_CHECKING:
    from desktop.values.tool_types import JsonObject


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


@pytest.mark.parametrize("text", ['{"n": 3}', "", "  "])
async def test_the_text_of_a_model_is_read_as_its_arguments(text: str) -> None:
    alone = Alone(tool := Own())
    finished: list[ToolCall] = []
    alone.executor.finished.connect(lambda call, _: finished.append(call))
    assert (await alone.executor.run(ToolCall("own:tool", text=text))).success
    expected = {"n": 3} if text.strip() else {}
    assert tool.given == [expected]
    assert finished[0].arguments == expected
    assert alone.told[:4] == ["started", "found", "parsed", "validated"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"n": 3', "is not JSON at line 1, column 8"),
        ('{"n": NaN}', "NaN is no JSON number"),
        ("[1]", "must be a JSON object, is a list"),
        ("null", "must be a JSON object, is null"),
        ("[" * 100_000, "nested too deeply"),
    ],
)
async def test_text_that_is_no_object_is_refused_and_never_becomes_an_empty_one(
    text: str, said: str
) -> None:
    alone = Alone(tool := Own())
    code, message = error_of(await alone.executor.run(ToolCall("own:tool", text=text)))
    assert code == ErrorCode.INVALID_ARGUMENTS
    assert said in message
    assert (tool.given, alone.told) == ([], ["started", "found", "refused", "finished"])


async def test_arguments_that_are_no_object_are_refused() -> None:
    alone = Alone(tool := Own())
    call = ToolCall("own:tool", [1])  # type: ignore[arg-type]  # what a careless caller passes
    assert error_of(await alone.executor.run(call))[0] == ErrorCode.INVALID_ARGUMENTS
    assert tool.given == []


def _nested(depth: int) -> dict[str, Any]:
    value: dict[str, Any] = {}
    for _ in range(depth):
        value = {"n": value}
    return value


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"n": float("nan")}, "a number in it is infinite, not a number, or too long"),
        ({"n": [float("-inf")]}, "a number in it is infinite, not a number, or too long"),
        ({"n": 10**5000}, "a number in it is infinite, not a number, or too long"),
        ({"n": [1, 2.5, float("inf")] * 2_000}, "a number in it"),
        ({"n": b"bytes"}, "bytes is not JSON"),
        (_nested(200_000), "it is nested too deeply"),
    ],
)
async def test_what_cannot_be_json_is_never_sent(arguments: JsonObject, said: str) -> None:
    alone = Alone(tool := Own())
    call = ToolCall("own:tool", arguments, validate=False)
    result = await alone.executor.run(call)
    code, message = error_of(result)
    assert code == ErrorCode.INVALID_ARGUMENTS
    assert f"own:tool cannot be written as JSON; nothing was sent: {said}" in message
    assert (tool.given, result.is_unchecked) == ([], False)
    assert result.error is not None
    assert result.error.type == "ValidationError"
    assert [issue.code for issue in alone.step("refused").issues] == ["json"]
