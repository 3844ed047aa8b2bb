from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from desktop.gui.form.field_factory import make_field
from desktop.gui.form.model.form_model import FormModel

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from desktop.gui.form.field import FormContext


@pytest.mark.parametrize(
    ("schema", "widget"),
    [
        ({"type": "string"}, "TextField"),
        ({"type": "string", "format": "password"}, "SecretField"),
        ({"type": "integer"}, "NumberField"),
        ({"type": "boolean"}, "ChipsField"),
        ({"enum": ["a", "b"]}, "ChipsField"),
        ({"enum": list(range(9))}, "ListField"),
        ({"const": "a"}, "ChipsField"),
        ({"items": {"type": "string"}}, "ArrayField"),
        ({"properties": {"a": {}}}, "ObjectField"),
        ({}, "JsonField"),
    ],
)
def test_each_kind_has_its_widget(
    qtbot: QtBot, context: FormContext, schema: Any, widget: str
) -> None:
    field = make_field(FormModel({"properties": {"x": schema}}).find(("x",)), context)
    qtbot.addWidget(field)
    assert type(field).__name__ == widget
    field.load()
    field.target()
