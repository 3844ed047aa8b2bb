from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from desktop.gui.form.field import Field
from desktop.gui.form.fields import FieldSpec
from desktop.gui.form.nodes import JsonNode

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from desktop.gui.form.field import FormContext


def test_a_field_has_to_say_how_it_shows_its_node(qtbot: QtBot, context: FormContext) -> None:
    field = Field(JsonNode(FieldSpec()), context)
    qtbot.addWidget(field)
    with pytest.raises(NotImplementedError):
        field.load()
