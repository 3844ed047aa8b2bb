from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit

from desktop.gui.servers.server_form import KeyValueEditor

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme


@pytest.fixture
def form(theme: Theme, qtbot: QtBot) -> KeyValueEditor:
    form = KeyValueEditor(theme, "=")
    qtbot.addWidget(form)
    form.show()
    return form


def test_a_value_is_covered_as_soon_as_its_name_looks_secret_and_until_it_is_shown(
    form: KeyValueEditor,
) -> None:
    row = form.add_row()
    QTest.keyClicks(row.name, "API")
    QTest.keyClicks(row.value, "abc")
    assert row.value.echoMode() == QLineEdit.EchoMode.Normal
    QTest.keyClicks(row.name, "_KEY")
    assert row.value.echoMode() == QLineEdit.EchoMode.Password
    QTest.mouseClick(row.show_value, Qt.MouseButton.LeftButton)
    assert row.value.echoMode() == QLineEdit.EchoMode.Normal
    assert form.pairs() == {"API_KEY": "abc"}


def test_pasted_lines_become_rows(form: KeyValueEditor) -> None:
    QApplication.clipboard().setText('export A=1\nTOKEN="x=y"\n\n')
    row = form.add_row()
    QTest.keyClick(row.name, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    assert form.pairs() == {"A": "1", "TOKEN": "x=y"}


def test_headers_are_pasted_with_their_colon(theme: Theme, qtbot: QtBot) -> None:
    form = KeyValueEditor(theme, ":")
    qtbot.addWidget(form)
    QApplication.clipboard().setText("Authorization: Bearer a=b\nX-Y: 1")
    QTest.keyClick(form.add_row().name, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    assert form.pairs() == {"Authorization": "Bearer a=b", "X-Y": "1"}


def test_an_empty_row_does_not_count_and_a_removed_one_is_gone(form: KeyValueEditor) -> None:
    form.show_pairs({"A": "1", "B": ""})
    form.add_row()
    assert form.pairs() == {"A": "1", "B": ""}
    QTest.mouseClick(form.rows[0].remove, Qt.MouseButton.LeftButton)
    assert form.pairs() == {"B": ""}
    form.add_row("B", "2")
    assert form.doubled() == "B"
