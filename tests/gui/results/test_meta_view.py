from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from desktop.gui.results.meta_view import MetaView

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme


def test_it_is_folded_until_asked_for(theme: Theme, qtbot: QtBot) -> None:
    view = MetaView(theme)
    qtbot.addWidget(view)
    view.show()
    view.show_meta({"a.example/x": "<b>1</b>"})
    assert not view.text.isVisible()
    QTest.mouseClick(view.toggle, Qt.MouseButton.LeftButton)
    assert view.text.toPlainText() == '{\n  "a.example/x": "<b>1</b>"\n}'
    view.show_meta({"other": 1})
    assert not view.text.isVisible()
    view.show_meta({})
    assert not view.isVisible()
