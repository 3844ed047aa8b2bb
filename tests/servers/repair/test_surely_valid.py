"""What is taken for valid at a look is what both models of the SDK take."""

from __future__ import annotations

import copy
from typing import Any

import mcp_types as types
import pytest
from mcp_types import methods
from pydantic import TypeAdapter

from desktop.servers.repair.answer_repair import repairing_results
from tests.odd_values import wronged
from tests.servers.repair.test_answer_repair import BLOCKS, GOOD, RICH

VERSION = "2025-11-25"
PLAIN: dict[str, Any] = {key: RICH[key] for key in RICH if key not in {"icons", "execution"}}
TEXT: dict[str, Any] = {"content": [{"type": "text", "text": "x"}] * 2, "isError": True}
ANSWERS: dict[str, tuple[dict[str, Any], Any]] = {
    "tools/list": ({"tools": [GOOD, PLAIN], "nextCursor": "2"}, types.ListToolsResult),
    "tools/call": (TEXT, types.CallToolResult),
}


ODD_TEXTS = ("", "é", "x" * 100_000)


def text(value: str) -> dict[str, Any]:
    return {"type": "text", "text": value}


def looked_at_alone(method: str, data: dict[str, Any]) -> bool:
    """Whether it was accepted without the model."""
    asked = False

    def ask(method: str, version: str, data: dict[str, Any]) -> None:
        nonlocal asked
        asked = True

    repairing_results(ask)(method, VERSION, data)
    return not asked


@pytest.mark.parametrize("method", ANSWERS)
def test_plain_answers_need_no_model(method: str) -> None:
    assert looked_at_alone(method, copy.deepcopy(ANSWERS[method][0]))


@pytest.mark.parametrize("block", BLOCKS)
def test_what_is_not_plain_is_left_to_the_model(block: dict[str, Any]) -> None:
    assert not looked_at_alone("tools/call", {"content": [copy.deepcopy(block)]})


@pytest.mark.parametrize("method", ANSWERS)
def test_whatever_one_value_is_both_models_take_what_the_look_takes(method: str) -> None:
    answer, model = ANSWERS[method]
    wrongs = [wrong for _, wrong in wronged(answer)]
    if method == "tools/call":
        wrongs += [{"content": [text(odd)]} for odd in ODD_TEXTS]
    taken = [wrong for wrong in wrongs if looked_at_alone(method, copy.deepcopy(wrong))]
    assert 0 < len(taken) < len(wrongs) / 2
    for wrong in taken:
        methods.validate_server_result(method, VERSION, copy.deepcopy(wrong))
        TypeAdapter(model).validate_python(wrong, by_name=False)
