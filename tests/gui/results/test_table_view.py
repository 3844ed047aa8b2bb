from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from desktop.gui.results.saving import SaveDialog
from desktop.gui.results.structured_view import TableView
from desktop.gui.results.table import Table
from tests.patience import LIMIT

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme

LEFT = Qt.MouseButton.LeftButton
CTRL = Qt.KeyboardModifier.ControlModifier
ROWS = [{"n": n, "name": f"name {n}"} for n in (2, 10, 1)]


def view(theme: Theme, qtbot: QtBot, table: Table) -> TableView:
    made = TableView(theme)
    qtbot.addWidget(made)
    made.show_table(table, "tool")
    made.resize(500, 300)
    made.show()
    return made


async def done(shown: TableView) -> None:
    assert shown.working is not None
    await asyncio.wait_for(shown.working, LIMIT)


def click_header(shown: TableView, column: int) -> None:
    header = shown.table.horizontalHeader()
    place = QPoint(header.sectionViewportPosition(column) + 10, header.height() // 2)
    QTest.mouseClick(header.viewport(), LEFT, pos=place)


def first_column(shown: TableView) -> list[str]:
    return [shown.model.index(row, 0).data() for row in range(shown.model.rowCount())]


async def test_clicks_on_a_column_sort_it_up_down_and_not_at_all(
    theme: Theme, qtbot: QtBot
) -> None:
    shown = view(theme, qtbot, Table(("n", "name"), ROWS))
    click_header(shown, 0)
    await done(shown)
    assert first_column(shown) == ["1", "2", "10"]
    click_header(shown, 0)
    await done(shown)
    assert first_column(shown) == ["10", "2", "1"]
    click_header(shown, 0)
    assert first_column(shown) == ["2", "10", "1"]


async def test_all_or_the_selected_rows_are_copied(theme: Theme, qtbot: QtBot) -> None:
    shown = view(theme, qtbot, Table(("n", "name"), ROWS))
    clipboard = QGuiApplication.clipboard()
    for action, text in zip(
        shown.copies,
        (
            "n,name\n2,name 2\n10,name 10\n1,name 1\n",
            "n\tname\n2\tname 2\n10\tname 10\n1\tname 1\n",
            "| n | name |\n| --- | --- |\n| 2 | name 2 |\n| 10 | name 10 |\n| 1 | name 1 |\n",
        ),
        strict=True,
    ):
        action.trigger()
        await done(shown)
        assert clipboard.text().replace("\r\n", "\n") == text
    shown.table.setCurrentIndex(shown.model.index(1, 0))
    QTest.keyClick(shown.table, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    shown.copy_cell.trigger()
    await done(shown)
    assert clipboard.text().replace("\r\n", "\n") == "n\tname\n10\tname 10\n1\tname 1\n"


def test_one_cell_is_copied_as_it_is(theme: Theme, qtbot: QtBot) -> None:
    shown = view(theme, qtbot, Table(("n",), [{"n": "a\nb"}]))
    shown.table.setCurrentIndex(shown.model.index(0, 0))
    shown.copy_cell.trigger()
    assert QGuiApplication.clipboard().text() == "a\nb"


def test_a_hundred_thousand_rows_are_shown_and_searched(theme: Theme, qtbot: QtBot) -> None:
    rows = [{"n": n, "name": f"name {n}"} for n in range(100_000)]
    shown = view(theme, qtbot, Table(("n", "name"), rows, "items", 3))
    assert "100,000 rows · 2 columns · 3 rare columns" in shown.note.text()
    QTest.keyClick(shown.table, Qt.Key.Key_F, CTRL)
    QTest.keyClicks(shown.find_bar.field, "name 9876")
    qtbot.waitUntil(lambda: shown.table.currentIndex().row() == 9876, timeout=20_000)
    assert shown.table.currentIndex().column() == 1
    QTest.keyClick(shown.find_bar.field, Qt.Key.Key_Escape)
    assert not shown.find_bar.isVisible()


async def test_the_table_is_saved_as_csv(theme: Theme, qtbot: QtBot, tmp_path: Path) -> None:
    shown = view(theme, qtbot, Table(("n",), ROWS))
    QTest.mouseClick(shown.save, LEFT)
    dialog = shown.findChildren(SaveDialog)[0]
    dialog.fileSelected.emit(str(tmp_path / "x.csv"))
    dialog.reject()
    assert dialog.writing is not None
    await asyncio.wait_for(dialog.writing, LIMIT)
    assert (tmp_path / "x.csv").read_bytes() == b"n\r\n2\r\n10\r\n1\r\n"


async def test_a_new_table_is_not_ordered_by_a_late_sort(theme: Theme, qtbot: QtBot) -> None:
    shown = view(theme, qtbot, Table(("n", "name"), ROWS))
    click_header(shown, 0)
    working = shown.working
    assert working is not None
    shown.show_table(Table(("n",), [{"n": 9}]))
    await asyncio.wait([working], timeout=LIMIT)
    assert first_column(shown) == ["9"]
