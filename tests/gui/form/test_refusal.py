from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from desktop.gui.form.refusal import Refusal

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot


def test_it_says_what_stands_against_the_other_view(qtbot: QtBot) -> None:
    refusal = Refusal()
    qtbot.addWidget(refusal)
    assert refusal.isHidden()
    refusal.refuse_json()
    assert "A field holds text" in refusal.words.text()
    assert not refusal.reset.isVisible()
    refusal.refuse_form()
    assert "The form cannot show this" in refusal.words.text()
    with qtbot.waitSignal(refusal.reset_wanted):
        QTest.mouseClick(refusal.reset, Qt.MouseButton.LeftButton)
