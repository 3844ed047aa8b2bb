from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QPushButton

from desktop.diagnostics.crash_reports import CrashReports
from desktop.gui.main_window import MainWindow
from desktop.gui.startup_notices import ReportDialog, offer, show_damages, show_swept
from desktop.gui.window_state import WindowState
from desktop.processes.orphan_cleanup import CleanedProcess

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme


@pytest.fixture
def window(qtbot: QtBot, theme: Theme, tmp_path: Path) -> Iterator[MainWindow]:
    made = MainWindow(theme, WindowState(tmp_path / "window.ini"))
    qtbot.addWidget(made)
    yield made
    made.finish()


def test_what_was_ended_is_told_with_its_owners(window: MainWindow) -> None:
    show_swept(
        window, [CleanedProcess("files", 7, "node", True), CleanedProcess("git", 8, "python", True)]
    )
    assert window.banners.messages == (
        "2 processes left over from a previous run were stopped: files (PID 7), git (PID 8)",
    )


def test_what_cannot_be_ended_is_an_error_of_its_own(window: MainWindow) -> None:
    show_swept(
        window,
        [CleanedProcess("files", 7, "node", True), CleanedProcess("git", 8, "python", False)],
    )
    assert window.banners.messages == (
        "1 process left over from a previous run was stopped: files (PID 7)",
        "Left over from a previous run and could not be stopped: git (PID 8)",
    )


def test_nothing_is_told_of_nothing(window: MainWindow) -> None:
    show_swept(window, [])
    assert window.banners.messages == ()


@pytest.fixture
def reports(tmp_path: Path) -> CrashReports:
    made = CrashReports(tmp_path / "crashes", tmp_path / "logs")
    made.write(ValueError("<b>x</b>"), "in a test")
    return made


def button(window: MainWindow, text: str) -> QPushButton:
    (found,) = [child for child in window.banners.findChildren(QPushButton) if child.text() == text]
    return found


def test_a_report_is_offered_once(window: MainWindow, theme: Theme, reports: CrashReports) -> None:
    offer(window, theme, reports)
    assert window.banners.messages == ("The app crashed last time. A report is available.",)
    assert reports.new() == []
    window.banners.remove("crash")
    offer(window, theme, reports)
    assert window.banners.messages == ()


def test_several_are_counted(window: MainWindow, theme: Theme, reports: CrashReports) -> None:
    reports.write(ValueError("y"), "in a test")
    offer(window, theme, reports)
    assert window.banners.messages == ("The app crashed earlier. 2 reports are available.",)


def test_it_is_shown_as_plain_text_and_copied(
    window: MainWindow, theme: Theme, reports: CrashReports
) -> None:
    offer(window, theme, reports)
    button(window, "Copy").click()
    copied = QGuiApplication.clipboard().text()
    assert copied.startswith("ValueError: in a test")
    button(window, "Show").click()
    dialog = window.findChild(ReportDialog)
    assert dialog is not None
    assert "<b>x</b>" in dialog.text.toPlainText()
    QGuiApplication.clipboard().clear()
    dialog.copy.click()
    assert QGuiApplication.clipboard().text() == copied
    dialog.shut.click()


def test_deleted_it_is_gone_with_its_banner(
    window: MainWindow, theme: Theme, reports: CrashReports, tmp_path: Path
) -> None:
    offer(window, theme, reports)
    button(window, "Delete").click()
    assert list((tmp_path / "crashes").iterdir()) == []
    assert window.banners.messages == ()


def test_all_damaged_files_are_in_one_banner_and_those_without_room_are_counted(
    window: MainWindow,
) -> None:
    show_damages(window, ["one is damaged.", "two is damaged."])
    show_damages(window, [f"{number} is damaged." for number in range(5)])
    (said,) = window.banners.messages
    assert said.splitlines()[0] == "2 is damaged."
    assert said.splitlines()[-1].endswith("2 more.")
