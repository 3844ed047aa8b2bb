from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QUrl, Slot
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QFrame, QLabel

from desktop.gui.settings.rows import PathRow, SectionCard, SettingRow

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme


def test_rows_are_parted_by_lines_and_called_by_the_title(qtbot: QtBot) -> None:
    card = SectionCard()
    qtbot.addWidget(card)
    card.set_title("Files")
    card.add(QLabel("one"))
    card.add(QLabel("two"))
    lines = [frame for frame in card.findChildren(QFrame) if frame.property("role") == "divider"]

    assert len(lines) == 1
    assert card.accessibleName() == "Files"


class _FileBrowser(QObject):
    """Stands where the desktop's file browser does."""

    def __init__(self) -> None:
        super().__init__()
        self.opened: list[Path] = []

    @Slot(QUrl)
    def open(self, url: QUrl) -> None:
        self.opened.append(Path(url.toLocalFile()))


def test_the_path_is_copied_whole(qtbot: QtBot, theme: Theme, tmp_path: Path) -> None:
    row = PathRow(theme, tmp_path / "mcp.json")
    qtbot.addWidget(row)
    QTest.mouseClick(row.copy_button, Qt.MouseButton.LeftButton)

    assert QGuiApplication.clipboard().text() == str(tmp_path / "mcp.json")


def test_the_nearest_folder_that_exists_is_shown(
    qtbot: QtBot, theme: Theme, tmp_path: Path
) -> None:
    browser = _FileBrowser()
    row = PathRow(theme, tmp_path / "not" / "yet" / "mcp.json")
    qtbot.addWidget(row)
    # PySide's stub says bytes, its code takes text alone.
    QDesktopServices.setUrlHandler("file", browser, "open")  # pyright: ignore[reportArgumentType]
    QTest.mouseClick(row.show_button, Qt.MouseButton.LeftButton)
    QDesktopServices.unsetUrlHandler("file")

    assert browser.opened == [tmp_path]


def test_a_control_is_called_by_its_row(qtbot: QtBot) -> None:
    box = QComboBox()
    row = SettingRow(box)
    qtbot.addWidget(row)
    row.set_text("Theme", "Light or dark.")

    assert (box.accessibleName(), box.accessibleDescription()) == ("Theme", "Light or dark.")
