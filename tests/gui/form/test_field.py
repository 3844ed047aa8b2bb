from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtWidgets import QLineEdit

from desktop.gui.form.field import Field, mark_invalid
from desktop.gui.form.model.field_spec import FieldSpec
from desktop.gui.form.model.nodes import JsonNode

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from desktop.gui.form.field import FormContext
    from desktop.gui.theme import Theme


def test_a_field_has_to_say_how_it_shows_its_node(qtbot: QtBot, context: FormContext) -> None:
    field = Field(JsonNode(FieldSpec()), context)
    qtbot.addWidget(field)
    with pytest.raises(NotImplementedError):
        field.load()


def test_a_mistake_is_seen_even_when_it_was_marked_before_the_first_showing(
    qtbot: QtBot, theme: Theme
) -> None:
    editor = QLineEdit()
    qtbot.addWidget(editor)
    editor.ensurePolished()
    mark_invalid(editor, True)
    editor.show()
    assert theme.color("danger").name() in {
        editor.grab().toImage().pixelColor(editor.width() // 2, y).name() for y in range(3)
    }
