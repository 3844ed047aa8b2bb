from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton

from desktop.gui.closing_view import ClosingView, shortened

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme

pytest_plugins = ("tests.gui.theme_fixture",)


def shown(view: ClosingView) -> str:
    return "\n".join(label.text() for label in view.findChildren(QLabel))


def test_it_says_who_still_runs_and_how_the_others_ended(qtbot: QtBot, theme: Theme) -> None:
    view = ClosingView(theme)
    qtbot.addWidget(view)
    view.show_progress(["files", "git"], 3, 1)
    assert "Closing 6 servers…" in shown(view)
    assert "3 closed, 1 forced." in shown(view)
    assert "Still running: files, git" in shown(view)
    view.show_progress([], 1, 0)
    assert "Closing 1 server…" in shown(view)
    assert "Still running" not in shown(view)


def test_who_could_not_be_ended_is_named(qtbot: QtBot, theme: Theme) -> None:
    view = ClosingView(theme)
    qtbot.addWidget(view)
    view.show_left(["files (PID 7)"], 3, 1)
    assert "3 closed, 1 forced, 1 left." in view.words
    assert "Could not be ended: files (PID 7)" in view.words


def test_its_button_asks_to_end_at_once(qtbot: QtBot, theme: Theme) -> None:
    view = ClosingView(theme)
    qtbot.addWidget(view)
    view.show_progress(["files"], 0, 0)
    with qtbot.waitSignal(view.hurry_requested):
        QTest.mouseClick(view.findChildren(QPushButton)[0], Qt.MouseButton.LeftButton)


def test_what_a_server_is_called_is_no_markup(qtbot: QtBot, theme: Theme) -> None:
    view = ClosingView(theme)
    qtbot.addWidget(view)
    view.show_progress(["<b>x</b>{count}"], 0, 0)
    formats = {label.textFormat() for label in view.findChildren(QLabel) if label.text()}
    assert formats == {Qt.TextFormat.PlainText}
    assert "<b>x</b>{count}" in shown(view)


def test_many_names_are_counted() -> None:
    assert shortened([str(n) for n in range(7)]) == "0, 1, 2, 3, 4 (+2)"
