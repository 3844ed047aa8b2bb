"""Arguments are read as what they are: short ones on a line, long texts as texts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from desktop.gui.widgets.arguments_view import (
    LONG,
    MAX_LINE,
    MAX_TEXTS,
    ArgumentsView,
    argument_line,
    split_arguments,
)

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        ({}, ""),
        (
            {"path": "a.txt", "n": 1.0, "deep": {"x": [None]}},
            'path: a.txt · n: 1.0 · deep: {"x": [null]}',
        ),
        ({"a": "x\u202ey"}, r"a: x\u202ey"),
    ],
)
def test_what_is_short_is_whole_on_one_line(arguments: dict[str, Any], line: str) -> None:
    assert argument_line(arguments) == (line, True)


@pytest.mark.parametrize("value", ["one\ntwo", "x" * (MAX_LINE + 1), ["y" * 200]])
def test_a_line_that_is_not_all_says_so(value: Any) -> None:
    line, is_whole = argument_line({"a": value})
    assert not is_whole
    assert len(line) <= MAX_LINE
    assert "\n" not in line


def test_long_texts_are_taken_out_with_their_places() -> None:
    edits = [{"oldText": "a\nb", "newText": "c"}, {"oldText": "d", "newText": "e\n"}]
    short, texts = split_arguments({"path": "x", "edits": edits, "note": ["z" * (LONG + 1)]})
    assert short == {"path": "x", "edits": [{"newText": "c"}, {"oldText": "d"}], "note": ["…"]}
    assert texts == [
        ("edits[0].oldText", "a\nb"),
        ("edits[1].newText", "e\n"),
        ("note[0]", "z" * (LONG + 1)),
    ]


def test_more_texts_than_fit_stay_in_the_json() -> None:
    many = {f"t{n}": "a\nb" for n in range(MAX_TEXTS + 1)}
    short, texts = split_arguments(many)
    assert (list(short), len(texts)) == ([f"t{MAX_TEXTS}"], MAX_TEXTS)


def test_a_text_is_shown_as_a_text_and_cannot_pass_for_an_argument(
    qtbot: QtBot, theme: Theme
) -> None:
    view = ArgumentsView(theme)
    qtbot.addWidget(view)
    view.show()
    view.show_arguments({"path": "a.txt", "content": "Hello\npath: /etc/passwd\u202e"})
    assert view.short.toPlainText() == '{\n  "path": "a.txt"\n}'
    (box,) = view.texts
    assert box.toPlainText() == "Hello\npath: /etc/passwd⟨U+202E⟩"
    assert (box.accessibleName(), box.isReadOnly()) == ("content", True)
    view.show_arguments({"text": "only\nthis"})
    assert not view.short.isVisible()
    view.show_text("{broken")
    assert (view.short.toPlainText(), view.short.isVisible(), view.texts) == ("{broken", True, [])
