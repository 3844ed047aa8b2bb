from __future__ import annotations

import json
from typing import Any

import pytest

from desktop.gui.form.model.json_text import JsonTextError
from desktop.gui.form.model.paste import NotArgumentsError, PastedCall, read_pasted

ARGUMENTS = {"city": "Paris", "days": 2**60}
TEXT = json.dumps(ARGUMENTS)
CHAT = {"id": "1", "type": "function", "function": {"name": "weather", "arguments": TEXT}}
USE = {"type": "tool_use", "id": "1", "name": "weather", "input": ARGUMENTS}


@pytest.mark.parametrize(
    "copied",
    [
        {
            "jsonrpc": "2.0",
            "id": 1,
            "method": "tools/call",
            "params": {"name": "weather", "arguments": ARGUMENTS, "_meta": {}},
        },
        {"name": "weather", "arguments": ARGUMENTS},
        {"tool": "weather", "arguments": ARGUMENTS, "expect": {}},
        CHAT,
        [CHAT],
        {"role": "assistant", "content": None, "tool_calls": [CHAT]},
        {"type": "function_call", "call_id": "1", "name": "weather", "arguments": TEXT},
        USE,
        {"role": "assistant", "content": [{"type": "text", "text": "I look"}, USE]},
        {"functionCall": {"name": "weather", "args": ARGUMENTS}},
        {"role": "model", "parts": [{"functionCall": {"name": "weather", "args": ARGUMENTS}}]},
    ],
)
def test_the_arguments_are_taken_out_of_every_known_call(copied: Any) -> None:
    assert read_pasted(json.dumps(copied), {"city"}) == PastedCall(ARGUMENTS, "weather")


def test_arguments_alone_stay_as_they_are() -> None:
    assert read_pasted(TEXT, ()) == PastedCall(ARGUMENTS)
    assert read_pasted("{}", ()) == PastedCall({})


def test_a_tool_that_takes_a_name_and_arguments_itself_gets_both() -> None:
    copied = {"name": "x", "arguments": {"a": 1}}
    assert read_pasted(json.dumps(copied), {"name", "arguments"}) == PastedCall(copied)


def test_a_request_without_arguments_has_none() -> None:
    copied = {"method": "tools/call", "params": {"name": "now"}}
    assert read_pasted(json.dumps(copied), ()) == PastedCall({}, "now")


@pytest.mark.parametrize("copied", ["[]", "5", '"text"', "null", json.dumps([CHAT, CHAT])])
def test_what_is_no_object_and_no_single_call_is_refused(copied: str) -> None:
    with pytest.raises(NotArgumentsError):
        read_pasted(copied, ())


@pytest.mark.parametrize("copied", ["", "{oh", '{"name": "a", "arguments": "{oh"}'])
def test_what_is_not_json_is_refused(copied: str) -> None:
    with pytest.raises(JsonTextError):
        read_pasted(copied, ())


def test_a_call_in_a_call_without_end_is_refused() -> None:
    copied: Any = {}
    for _ in range(50):
        copied = {"function": copied}
    with pytest.raises(NotArgumentsError):
        read_pasted(json.dumps(copied), ())
