from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.gui.form.arguments_json import ArgumentsJson

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme


def test_the_text_stands_for_an_object_or_for_nothing(qtbot: QtBot, theme: Theme) -> None:
    editor = ArgumentsJson(theme)
    qtbot.addWidget(editor)
    for text, value in (('{"a": 1}', {"a": 1}), ("", {}), ("[1]", None), ("{", None)):
        editor.set_text(text)
        assert editor.value == value
        assert (editor.issue is None) == (value is not None)


def test_a_list_is_refused_in_words(qtbot: QtBot, theme: Theme) -> None:
    editor = ArgumentsJson(theme)
    qtbot.addWidget(editor)
    editor.set_text("[1]")
    assert "must be a JSON object" in editor.status.text()
