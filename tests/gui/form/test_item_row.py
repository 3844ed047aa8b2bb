from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.gui.form.fields import FieldSpec
from desktop.gui.form.item_row import ItemRow
from desktop.gui.form.nodes import JsonNode, ScalarNode

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from desktop.gui.form.field import FormContext


def test_an_item_and_its_buttons_say_which_one_they_are(qtbot: QtBot, context: FormContext) -> None:
    for node in (
        ScalarNode(FieldSpec("", "string", in_list=True)),
        JsonNode(FieldSpec(in_list=True)),
    ):
        row = ItemRow(node, context)
        qtbot.addWidget(row)
        row.place(1, 3)
        assert row.row.field.target().accessibleName() == "Item 2"
        assert row.remove_button.accessibleName() == "Remove item 2"
