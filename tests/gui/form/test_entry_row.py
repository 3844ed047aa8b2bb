from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from desktop.gui.form.entry_row import MapEntryRow
from desktop.gui.form.model import FormModel
from desktop.gui.form.object_node import ObjectNode
from tests.gui.form.conftest import labels
from tests.gui.form.hard_schemas import HARD

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from desktop.gui.form.field import FormContext


def test_the_value_changes_its_kind_with_the_key(qtbot: QtBot, context: FormContext) -> None:
    owner = FormModel(HARD["free keys of a pattern"]).find(("x",))
    assert isinstance(owner, ObjectNode)
    entry = owner.add_entry()
    row = MapEntryRow(entry, owner, context)
    qtbot.addWidget(row)
    row.show()
    QTest.keyClicks(row.key_edit, "n1")
    assert type(row.row.field).__name__ == "NumberField"
    QTest.keyClick(row.key_edit, Qt.Key.Key_Return)
    QTest.keyClicks(row.row.field.target(), "5")
    assert owner.value() == {"n1": 5}
    row.key_edit.selectAll()
    QTest.keyClicks(row.key_edit, "other")
    row.tell()
    assert "must match ^s or ^n" in labels(row)
    assert row.key_edit.property("role") == "invalid"
    assert row.remove_button.accessibleName() == "Remove other"
