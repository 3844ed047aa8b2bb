"""Wide marks of an input method become those of JSON; what is in its strings stays."""

from __future__ import annotations

import json

import pytest

from desktop.base.ascii_text import narrow_json


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("{“a”：1}", {"a": 1}),
        ('｛"a"：［１，２］｝', {"a": [1, 2]}),
        (
            "{“址”：“https://x.example/a，b”， “n”：２}",
            {"址": "https://x.example/a，b", "n": 2},
        ),
        ('{"quoted": "他说：“好”，走了"}', {"quoted": "他说：“好”，走了"}),
        ('{"escaped": "a\\"：b"，"c"：true}', {"escaped": 'a"：b', "c": True}),
        ("{＂a＂：\u3000“”}", {"a": ""}),
        ('{"a": 1}', {"a": 1}),
    ],
)
def test_json_of_an_input_method_is_read_as_meant(written: str, meant: object) -> None:
    assert json.loads(narrow_json(written)) == meant


def test_what_is_json_already_is_not_touched() -> None:
    text = json.dumps({"a：b": "“”，。：", "c": [1.5, None]}, ensure_ascii=False, indent=2)
    assert narrow_json(text) == text
