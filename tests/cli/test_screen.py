from __future__ import annotations

import json
import math

import pytest

from desktop.cli.screen import Console, plain, to_json


def test_control_characters_are_removed_but_for_tab_and_line_feed() -> None:
    assert plain("a\x1b[31mb\x07\r\tc\nd\x9b2J\x7f") == "a[31mb\tc\nd2J"


def test_text_cannot_turn_the_direction_of_the_line() -> None:
    assert plain("user\u202etxt.exe\u2066x\u2069") == "usertxt.exex"


@pytest.mark.parametrize(
    "value",
    [
        {"text": "服务 \x1b[2J \x9b \x7f \u202e"},
        ["\ud800 half a pair", 1.5, None, True],
        {"deep": [{"a": "\u2028"}]},
    ],
)
def test_a_document_is_json_without_anything_a_terminal_obeys(value: object) -> None:
    text = to_json(value)
    assert json.loads(text) == value
    assert plain(text) == text


def test_numbers_that_json_does_not_know_are_null() -> None:
    value = {"a": [math.nan, math.inf, 1.0], "b": (-math.inf,)}
    assert json.loads(to_json(value)) == {"a": [None, None, 1.0], "b": [None]}


def test_results_and_notes_go_to_their_own_streams(capsys: pytest.CaptureFixture[str]) -> None:
    screen = Console()
    screen.write("result")
    screen.note("note")
    screen.status("never shown where nobody looks")
    screen.document({"a": 1})
    shown = capsys.readouterr()
    assert shown.out == 'result\n{\n  "a": 1\n}\n'
    assert shown.err == "note\n"


def test_nothing_is_coloured_or_cut_where_no_terminal_is() -> None:
    screen = Console()
    assert screen.paint("text", "red") == "text"
    assert screen.width is None
    assert not screen.is_watched
