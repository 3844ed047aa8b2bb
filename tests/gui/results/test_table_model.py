from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester

from desktop.gui.results.table_model import TableModel
from desktop.gui.results.table_rows import Table

if TYPE_CHECKING:
    from desktop.gui.theme import Theme

MODEL_TABLE = Table(("n", "x"), [{"n": 1, "x": "a"}, {"n": 2.5, "x": None}, {"x": [1]}])
DISPLAY = Qt.ItemDataRole.DisplayRole


def shown(model: TableModel) -> list[list[object]]:
    rows, columns = range(model.rowCount()), range(model.columnCount())
    return [[model.index(row, column).data() for column in columns] for row in rows]


def test_it_keeps_the_contract_of_a_model(theme: Theme) -> None:
    model = TableModel(theme)
    mode = QAbstractItemModelTester.FailureReportingMode.Fatal
    tester = QAbstractItemModelTester(model, mode, model)
    model.show_table(MODEL_TABLE)
    model.set_order([2, 0, 1])
    assert tester.model() is model
    assert shown(model) == [["", "[1]"], ["1", "a"], ["2.5", "null"]]


def test_a_row_keeps_its_number_and_columns_their_names(theme: Theme) -> None:
    model = TableModel(theme)
    model.show_table(MODEL_TABLE)
    model.set_order([2, 0, 1])
    assert model.headerData(0, Qt.Orientation.Vertical) == "2"
    assert model.headerData(1, Qt.Orientation.Horizontal) == "x"


def test_numbers_stand_right_and_what_is_not_plain_is_paler(theme: Theme) -> None:
    model = TableModel(theme)
    model.show_table(MODEL_TABLE)
    alignment = model.index(0, 0).data(Qt.ItemDataRole.TextAlignmentRole)
    assert alignment & Qt.AlignmentFlag.AlignRight
    pale = model.index(1, 1).data(Qt.ItemDataRole.ForegroundRole)
    assert pale == theme.color("muted")


def test_asked_to_sort_it_only_says_so(theme: Theme) -> None:
    model = TableModel(theme)
    model.show_table(MODEL_TABLE)
    asked: list[object] = []

    def note(column: int, order: Qt.SortOrder) -> None:
        asked.append((column, order))

    model.sort_asked.connect(note)
    model.sort(1, Qt.SortOrder.DescendingOrder)
    assert asked == [(1, Qt.SortOrder.DescendingOrder)]
    assert list(model.order) == [0, 1, 2]
