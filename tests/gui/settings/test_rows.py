from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QUrl, Slot
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QFrame, QLabel, QPushButton, QScrollArea

from desktop.gui.settings.rows import PathRow, SectionCard, SectionList, SettingRow

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


def _left_of_the_words(button: QPushButton) -> int:
    """Pixels between the left edge and the first letter."""
    image = button.grab().toImage()
    ground = image.pixelColor(image.width() - 4, image.height() // 2)
    return next(
        x
        for x in range(4, image.width())
        if any(image.pixelColor(x, y) != ground for y in range(6, image.height() - 6))
    )


def test_names_of_sections_begin_at_one_line_and_are_whole_or_not_there(
    qtbot: QtBot, theme: Theme
) -> None:
    page = QScrollArea()
    qtbot.addWidget(page)
    page.resize(900, 400)
    sections = SectionList(page)
    cards: list[SectionCard] = []
    for name in ("Files", "Your servers in other apps"):
        cards.append(SectionCard())
        qtbot.addWidget(cards[-1])
        cards[-1].set_title(name)
        cards[-1].show()
        sections.add(cards[-1])
    sections.place(300)
    page.show()
    short, long = sections.findChildren(QPushButton)
    short.setChecked(False)
    long.setChecked(False)

    assert sections.names == ["Files", "Your servers in other apps"]
    assert long.width() >= long.sizeHint().width()
    assert short.width() == long.width()
    assert abs(_left_of_the_words(short) - _left_of_the_words(long)) <= 2

    sections.place(long.width() - 1)
    assert sections.isHidden()


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
