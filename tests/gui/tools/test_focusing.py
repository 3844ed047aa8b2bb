from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QLabel, QLineEdit, QPushButton, QVBoxLayout, QWidget

from desktop.gui.tools.focusing import focus_first_field

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot


def form(qtbot: QtBot, *widgets: QWidget) -> tuple[QWidget, QWidget, QPushButton]:
    window, otherwise = QWidget(), QPushButton()
    qtbot.addWidget(window)
    inner = QWidget(window)
    layout = QVBoxLayout(inner)
    for widget in widgets:
        layout.addWidget(widget)
    outer = QVBoxLayout(window)
    outer.addWidget(inner)
    outer.addWidget(otherwise)
    window.show()
    window.activateWindow()
    return window, inner, otherwise


def test_the_first_field_comes_before_buttons(qtbot: QtBot) -> None:
    hidden, field = QLineEdit(), QLineEdit()
    window, inner, otherwise = form(qtbot, QPushButton(), QLabel("x"), hidden, field)
    hidden.hide()
    focus_first_field(inner, otherwise)
    assert field is window.focusWidget()


def test_a_button_is_better_than_nothing(qtbot: QtBot) -> None:
    button = QPushButton()
    window, inner, otherwise = form(qtbot, button)
    focus_first_field(inner, otherwise)
    assert button is window.focusWidget()


def test_without_fields_it_goes_elsewhere(qtbot: QtBot) -> None:
    window, inner, otherwise = form(qtbot)
    focus_first_field(inner, otherwise)
    assert otherwise is window.focusWidget()
