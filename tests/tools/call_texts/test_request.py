from __future__ import annotations

import json

from desktop.tools.call_texts.request import plain_json, request_text


def test_the_request_is_what_the_protocol_wants() -> None:
    assert json.loads(request_text("echo", {"text": "你好", "n": 2**70})) == {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": "echo", "arguments": {"text": "你好", "n": 2**70}},
    }


def test_what_can_be_read_is_written_as_it_is_and_what_cannot_be_seen_escaped() -> None:
    assert plain_json({"text": "你好"}) == '{"text": "你好"}'
    assert plain_json({"text": "\u202e\x7f"}) == '{"text": "\\u202e\\u007f"}'
