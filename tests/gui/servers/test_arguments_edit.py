from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.gui.servers.arguments_edit import ArgumentsEdit

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot


def test_untouched_arguments_come_back_as_they_were(qtbot: QtBot) -> None:
    edit = ArgumentsEdit()
    qtbot.addWidget(edit)
    edit.show_arguments(("a\nb", "", " c "))
    assert edit.arguments() == ("a\nb", "", " c ")
    edit.setPlainText("x\n\ny z")
    assert edit.arguments() == ("x", "y z")
