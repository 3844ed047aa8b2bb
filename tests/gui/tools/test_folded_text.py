from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from desktop.gui.tools.folded_text import ExpandableText

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot


def test_a_short_text_is_shown_whole(qtbot: QtBot) -> None:
    text = ExpandableText()
    qtbot.addWidget(text)
    text.show_text("<b>short</b>")
    text.show()
    assert text.start.text() == "<b>short</b>"
    assert text.start.textFormat() == Qt.TextFormat.PlainText
    assert not text.toggle.isVisible()


def test_a_long_text_unfolds_and_folds(qtbot: QtBot) -> None:
    text = ExpandableText()
    qtbot.addWidget(text)
    text.show_text("\n".join(f"line {i}" for i in range(50)))
    text.show()
    assert text.start.text().endswith("line 2 …")
    QTest.mouseClick(text.toggle, Qt.MouseButton.LeftButton)
    assert text.whole.isVisible()
    assert "line 49" in text.whole.toPlainText()
    QTest.mouseClick(text.toggle, Qt.MouseButton.LeftButton)
    assert text.start.isVisible()


def test_without_text_it_takes_no_room(qtbot: QtBot) -> None:
    text = ExpandableText()
    qtbot.addWidget(text)
    text.show_text("")
    assert text.isHidden()
