from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QFrame, QLabel

from desktop.gui.settings.section import SectionCard

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot


def test_rows_are_parted_by_lines_and_called_by_the_title(qtbot: QtBot) -> None:
    card = SectionCard()
    qtbot.addWidget(card)
    card.set_title("Files")
    card.add(QLabel("one"))
    card.add(QLabel("two"))
    lines = [frame for frame in card.findChildren(QFrame) if frame.property("role") == "divider"]

    assert len(lines) == 1
    assert card.accessibleName() == "Files"
