from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtTest import QTest

from desktop.gui.servers.command_field import CommandField

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot


def test_the_offer_is_there_only_while_there_is_something_to_split(qtbot: QtBot) -> None:
    field = CommandField()
    qtbot.addWidget(field)
    QTest.keyClicks(field.edit, "npx")
    assert field.split.isHidden()
    QTest.keyClicks(field.edit, " -y pkg")
    assert not field.split.isHidden()
    assert field.text == "npx -y pkg"
