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

VERSION, LATEST = "2025-11-25", "2026-07-28"
PLAIN: dict[str, Any] = {key: RICH[key] for key in RICH if key != "execution"}
TEXT: dict[str, Any] = {"content": [{"type": "text", "text": "x"}] * 2, "isError": True}
ICON = {
    "src": "https://x.org/x.svg",
    "mimeType": "image/svg+xml",
    "sizes": ["any"],
    "theme": "dark",
}
GREETING: dict[str, Any] = {
    "protocolVersion": VERSION,
    "capabilities": {
        "tools": {"listChanged": True},
        "prompts": {"listChanged": False},
        "resources": {"subscribe": True, "listChanged": True},
        "logging": {},
        "completions": {},
        "experimental": {"x": {"y": 1}},
    },
    "serverInfo": {"name": "x", "title": "X", "version": "1", "icons": [ICON]},
    "instructions": "Say it.",
}
PAGE: dict[str, Any] = {"tools": [GOOD, PLAIN], "nextCursor": "2", "_meta": {"x": 1}}
RESULT: dict[str, Any] = {**TEXT, "structuredContent": {"x": 1}, "_meta": {"x": 1}}
LATER: dict[str, Any] = {"resultType": "complete"}
CACHED: dict[str, Any] = {**LATER, "ttlMs": 0, "cacheScope": "public"}
ANSWERS: list[tuple[str, str, dict[str, Any], Any]] = [
    ("initialize", VERSION, GREETING, types.InitializeResult),
    ("tools/list", VERSION, PAGE, types.ListToolsResult),
    ("tools/list", LATEST, {**PAGE, **CACHED}, types.ListToolsResult),
    ("tools/call", VERSION, RESULT, types.CallToolResult),
    ("tools/call", LATEST, {**RESULT, **LATER}, types.CallToolResult),
]
EACH = pytest.mark.parametrize(("method", "version", "answer", "model"), ANSWERS)
ODD_TEXTS = ("", "é", "x" * 100_000)
HALF = "\ud800"
"""Half of a pair: no text to pydantic, wherever it stands."""


def text(value: str) -> dict[str, Any]:
    return {"type": "text", "text": value}


def looked_at_alone(method: str, version: str, data: dict[str, Any]) -> bool:
    """Whether it was accepted without the model."""
    asked = False

    def ask(method: str, version: str, data: dict[str, Any]) -> None:
        nonlocal asked
        asked = True

    repairing_results(ask)(method, version, data)
    return not asked


@EACH
def test_plain_answers_need_no_model(
    method: str, version: str, answer: dict[str, Any], model: Any
) -> None:
    assert looked_at_alone(method, version, copy.deepcopy(answer))


@pytest.mark.parametrize("block", BLOCKS)
@pytest.mark.parametrize("version", [VERSION, LATEST])
def test_what_is_not_plain_is_left_to_the_model(version: str, block: dict[str, Any]) -> None:
    answer = {**LATER, "content": [copy.deepcopy(block)]}
    assert not looked_at_alone("tools/call", version, answer)


@pytest.mark.parametrize("name", LATER | CACHED)
def test_what_a_generation_requires_has_to_be_there(name: str) -> None:
    answer = {**PAGE, **CACHED}
    del answer[name]
    assert not looked_at_alone("tools/list", LATEST, copy.deepcopy(answer))


@EACH
def test_whatever_one_value_is_both_models_take_what_the_look_takes(
    method: str, version: str, answer: dict[str, Any], model: Any
) -> None:
    wrongs = [wrong for _, wrong in wronged(answer)]
    wrongs += [{**answer, name: {HALF: 1}} for name in answer]
    wrongs += [{**answer, name: HALF} for name in answer]
    if method == "tools/call":
        wrongs += [{**answer, "content": [text(odd)]} for odd in (*ODD_TEXTS, HALF)]
    wrongs = copy.deepcopy(wrongs)  # they share their parts, and a greeting's version is mended
    taken = [wrong for wrong in wrongs if looked_at_alone(method, version, wrong)]
    assert 0 < len(taken) < len(wrongs) / 2
    for wrong in taken:
        methods.validate_server_result(method, version, copy.deepcopy(wrong))
        TypeAdapter(model).validate_python(wrong, by_name=False)
