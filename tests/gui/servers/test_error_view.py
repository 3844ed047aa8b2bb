from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel

from desktop.gui.servers.error_view import ErrorView

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme


def test_an_error_is_plain_text_in_full_and_its_height_is_bounded(
    theme: Theme, qtbot: QtBot
) -> None:
    view = ErrorView(theme)
    qtbot.addWidget(view)
    view.resize(300, 100)
    view.show_error("<img src=x> " * 200 + "the end")
    assert view.text.endswith("the end")
    assert view.sizeHint().height() < 300
    assert all(
        label.textFormat() == Qt.TextFormat.PlainText
        for label in view.findChildren(QLabel)
        if label.text()
    )
    view.show_error("")
    assert view.isHidden()
