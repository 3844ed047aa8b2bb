from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from desktop.gui.form.array_field import ArrayField
from tests.gui.form.conftest import focused

if TYPE_CHECKING:
    from tests.gui.form.conftest import ShowForm


def test_an_item_that_was_added_comes_before_the_button_that_added_it(
    show_form: ShowForm,
) -> None:
    form = show_form({"properties": {"l": {"items": {"type": "string"}}, "z": {"type": "boolean"}}})
    field = form.findChildren(ArrayField)[0]
    QTest.mouseClick(field.add_button, Qt.MouseButton.LeftButton)
    names: list[str] = []
    for _ in range(4):
        QTest.keyClick(focused(), Qt.Key.Key_Tab)
        names.append(focused().accessibleName())
    assert names == [
        "Remove item 1",
        "l, list: text, optional: Add item",
        "What else to send for l",
        "z, true or false, optional: true",
    ]


def test_an_editor_comes_before_its_default(show_form: ShowForm) -> None:
    form = show_form({"properties": {"n": {"type": "integer", "default": 3}}})
    form.json_button.setFocus()
    names: list[str] = []
    for _ in range(2):
        QTest.keyClick(focused(), Qt.Key.Key_Tab)
        names.append(focused().accessibleName() or focused().property("text"))
    assert names == ["n, whole number, optional", "Use default: 3"]
