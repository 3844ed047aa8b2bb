from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from desktop.gui.form.model import FormModel
from desktop.gui.form.object_field import ObjectField
from desktop.gui.form.object_node import ObjectNode
from tests.gui.form.conftest import labels

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from desktop.gui.form.field import FormContext


def test_an_optional_object_is_drawn_once_it_is_opened(qtbot: QtBot, context: FormContext) -> None:
    model = FormModel({"properties": {"next": {"$ref": "#"}, "n": {"type": "integer"}}})
    node = model.find(("next",))
    assert isinstance(node, ObjectNode)
    field = ObjectField(node, context)
    qtbot.addWidget(field)
    field.show()
    assert (field.rows, model.value()) == ([], {})
    QTest.mouseClick(field.open_button, Qt.MouseButton.LeftButton)
    assert [row.node.spec.name for row in field.rows] == ["next", "n"]
    assert model.value() == {"next": {}}
    node.set_value(model.find(("nowhere",)).spec.default)
    field.load()
    assert field.rows == []


def test_a_tool_without_arguments_says_so(qtbot: QtBot, context: FormContext) -> None:
    root = FormModel({"type": "object"}).root
    assert isinstance(root, ObjectNode)
    field = ObjectField(root, context, is_root=True)
    qtbot.addWidget(field)
    field.show()
    assert labels(field) == "This tool takes no arguments."


def test_an_open_object_takes_other_properties(qtbot: QtBot, context: FormContext) -> None:
    root = FormModel({"properties": {"a": {}}, "additionalProperties": True}).root
    assert isinstance(root, ObjectNode)
    field = ObjectField(root, context, is_root=True)
    qtbot.addWidget(field)
    field.show()
    assert "Other properties" in labels(field)
