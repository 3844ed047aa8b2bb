"""What a run is compared with: its calls, its answer, its limits."""

from __future__ import annotations

from typing import Any

import pytest

from desktop.features.evals.eval_case import CaseExpectations
from desktop.features.evals.scoring import NotMeasuredError, score
from desktop.features.evals.transcript import ModelCall, RunTranscript

A = ModelCall("s:a", {"n": 1, "deep": {"x": 1, "y": 2}})
B = ModelCall("s:b", {}, "it broke", "tool_error")
ASKED = ModelCall("s:a", {"n": 2}, asked=True)


def kinds(expect: dict[str, Any], *calls: ModelCall, **fields: Any) -> list[str]:
    run = RunTranscript("case", "m", parts=calls, **fields)
    return [found.kind for found in score(CaseExpectations.model_validate(expect), run)]


@pytest.mark.parametrize(
    ("expect", "found"),
    [
        ({"calls": [{"tool": "s:a"}, {"tool": "s:b"}]}, []),
        ({"calls": [{"tool": "s:b"}, {"tool": "s:b"}]}, ["calls"]),
        ({"calls": [{"tool": "s:b"}, {"tool": "s:a", "arguments": {"n": 1}}]}, ["calls"]),
        ({"calls": [{"tool": "s:b"}, {"tool": "s:a", "arguments": {"n": 1}}], "any_order": 1}, []),
        ({"calls": [{"tool": "s:a", "arguments": {"deep": {"y": 2}}}]}, []),
        ({"calls": [{"tool": "s:a", "arguments": {"deep": {"z": 2}}}]}, ["calls"]),
        ({"calls": [{"tool": "s:a"}], "only": True}, ["only"]),
        ({"calls": [{"tool": "s:a", "times": 2}]}, []),
        ({"calls": [{"tool": "s:a", "times": 1}]}, ["calls"]),
        ({"calls": [{"tool": "s:a", "times": [1, 3]}]}, []),
        ({"calls": [{"tool": "s:a", "times": 0}]}, ["calls"]),
        ({"calls": [{"tool": "s:a", "asked": True}]}, []),
        ({"calls": [{"tool": "s:b", "asked": True}]}, ["calls"]),
        ({"calls": [{"tool": "s:b", "error": "tool_error"}]}, []),
        ({"calls": [{"tool": "s:b", "error": False}]}, ["calls"]),
        ({"calls": [{"tool": "s:a", "matches": {"properties": {"n": {"const": 2}}}}]}, []),
        ({"calls": [{"tool": "s:a", "matches": {"properties": {"n": {"const": 3}}}}]}, ["calls"]),
        ({"never": "s:b"}, ["never"]),
        ({"first": "s:a"}, []),
        ({"first": ["s:b", "s:c"]}, ["first"]),
        ({"errors": 0}, ["errors"]),
        ({"errors": 1}, []),
    ],
)
def test_calls_are_found_in_their_order(expect: dict[str, Any], found: list[str]) -> None:
    assert kinds(expect, A, B, ASKED) == found


def test_each_call_stands_for_one_that_is_expected_in_whatever_order() -> None:
    wide, narrow = {"tool": "s:a"}, {"tool": "s:a", "arguments": {"n": 1}}
    assert kinds({"calls": [wide, narrow], "any_order": True}, A) == ["calls"]
    assert kinds({"calls": [wide, narrow], "any_order": True}, A, ASKED) == []


@pytest.mark.parametrize(
    ("expect", "found"),
    [
        ({"contains": "four"}, []),
        ({"contains": ["four", "/f.*r/", "/^x/"]}, ["contains"]),
        ({"contains": "/(a+)+$/"}, ["contains"]),
        ({"turns": 2, "tokens": 100, "seconds": 3}, []),
        ({"turns": 1, "tokens": 99, "seconds": 2}, ["seconds", "turns", "tokens"]),
        ({"cost": 0.1}, ["cost"]),
    ],
)
def test_the_answer_and_the_limits(expect: dict[str, Any], found: list[str]) -> None:
    run = {"answer": "It is four.", "turns": 2, "tokens": 100, "seconds": 3.0, "cost": 0.5}
    assert kinds(expect, **run) == found


def test_the_json_of_an_answer_is_compared_also_in_a_block_of_code() -> None:
    for answer in ('{"n": 4}', '```json\n{"n": 4}\n```'):
        assert kinds({"equals": {"n": 4}}, answer=answer) == []
        assert kinds({"equals": {"n": 5}}, answer=answer) == ["equals"]
    assert kinds({"equals": {"n": 4}}, answer="It is 4") == ["equals"]


def test_a_model_that_does_not_come_to_an_end_has_failed_and_a_provider_has_not() -> None:
    assert kinds({}, end="limit", error="too many turns") == ["end"]
    for unknown in ({"problem": "no answer"}, {"judged": {"other": True}}):
        with pytest.raises(NotMeasuredError):
            kinds({"judge": "Says four."}, **unknown)
    assert kinds({"judge": "Says four."}, judged={"Says four.": False}) == ["judge"]
