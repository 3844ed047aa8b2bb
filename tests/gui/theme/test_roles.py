from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QApplication, QLabel

from desktop.gui.theme import Theme, style

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

pytest_plugins = ("tests.gui.theme_fixture",)


def _color(label: QLabel) -> str:
    return label.palette().color(QPalette.ColorRole.WindowText).name()


def test_a_role_given_to_a_shown_widget_changes_its_look_at_once(
    qtbot: QtBot, theme: Theme
) -> None:
    label = QLabel("state")
    qtbot.addWidget(label)
    label.show()

    style(label, "danger")

    assert _color(label) == theme.color("danger").name()


def test_a_new_role_replaces_the_old_one(qtbot: QtBot, theme: Theme) -> None:
    label = QLabel("state")
    qtbot.addWidget(label)
    style(label, "danger", "mono")
    label.show()

    style(label, "success")

    assert label.property("role") == "success"
    assert _color(label) == theme.color("success").name()


def test_a_role_given_before_the_first_showing_counts(qtbot: QtBot, theme: Theme) -> None:
    label = QLabel("state")
    qtbot.addWidget(label)
    style(label, "muted")
    label.show()
    QApplication.sendPostedEvents()

    assert _color(label) == theme.color("muted").name()
