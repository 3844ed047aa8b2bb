"""The table in a JSON value (an array of objects): columns, cells, order, view model and export.

All work is bounded or comes in steps between which the event loop can run. The view model reads a
cell only when it is painted.
"""

from __future__ import annotations

import csv
import heapq
import io
import json
from collections import Counter
from itertools import islice
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, cast

from msgspec import Struct
from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
)

from desktop.gui import bridge

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from desktop.gui.theme import Theme

JsonObject: TypeAlias = dict[str, Any]

MAX_COLUMNS = 50
_SAMPLE = 2_000  # rows whose keys are counted
_BLOCK = 1_000  # rows sorted in one go: a few milliseconds
_MAX_SHOWN_LENGTH = 200  # characters of a cell
_DEPTH = 6


class Table(Struct, frozen=True):
    """`rows` as they are in the value, at `path` in it; `more` columns are left out."""

    columns: tuple[str, ...]
    rows: list[Any]
    path: str = ""
    more: int = 0


def table_of(value: Any) -> Table | None:
    """The table that `value` is, or that is the only one among the members of an object."""
    if isinstance(value, list):
        return _table(cast("list[Any]", value), "")
    if not isinstance(value, dict):
        return None
    members = islice(cast("JsonObject", value).items(), _SAMPLE)
    found = [_table(cast("list[Any]", i), str(k)) for k, i in members if isinstance(i, list)]
    tables = [table for table in found if table is not None]
    return tables[0] if len(tables) == 1 else None


def _table(rows: list[Any], path: str) -> Table | None:
    """Columns in the order of their first row; counted in rows spread over the whole."""
    sample = rows[:: max(1, len(rows) // _SAMPLE)]
    if not sample or not all(isinstance(row, dict) for row in sample):
        return None
    count = Counter(str(key) for row in sample for key in row)
    if not count:
        return None
    kept = {key for key, _ in count.most_common(MAX_COLUMNS)}
    columns = tuple(key for key in count if key in kept)
    return Table(columns, rows, path, len(count) - len(columns))


def cell_value(row: Any, column: str) -> Any:
    """The value of a cell; `MISSING` where the row has none."""
    return cast("JsonObject", row).get(column, MISSING) if isinstance(row, dict) else MISSING


class _Missing:
    """A cell that its row does not have: not the same as null."""

    def __repr__(self) -> str:
        return ""


MISSING = _Missing()


def cell_text(value: Any, room: int = _MAX_SHOWN_LENGTH) -> str:
    """The value in one line: strings as they are, what is nested as short JSON."""
    if value is MISSING:
        return ""
    if isinstance(value, str):
        return " ".join(value[:room].splitlines()) + ("…" if len(value) > room else "")
    return compact_json(value, room)


def compact_json(value: Any, room: int = _MAX_SHOWN_LENGTH, depth: int = _DEPTH) -> str:
    """JSON of `value` in about `room` characters, with `…` for what is left out."""
    if isinstance(value, str):
        return json.dumps(value[:room] + ("…" if len(value) > room else ""), ensure_ascii=False)
    if isinstance(value, dict):
        members = cast("JsonObject", value)
        return _joined("{}", ((f"{k}: ", v) for k, v in members.items()), len(members), room, depth)
    if isinstance(value, list):
        items = cast("list[Any]", value)
        return _joined("[]", (("", item) for item in items), len(items), room, depth)
    return json.dumps(value, default=str)[:room]


def _joined(marks: str, parts: Any, count: int, room: int, depth: int) -> str:
    written: list[str] = []
    left = room
    for name, value in parts:
        if left <= 0 or depth <= 0:
            written.append("…")
            break
        written.append(name[:left] + compact_json(value, left, depth - 1))
        left -= len(written[-1]) + 2
    return f"{marks[0]}{', '.join(written)}{marks[1]}" if count else marks


def sorted_rows(table: Table, column: str, *, descending: bool = False) -> Iterator[int | None]:
    """The numbers of the rows in the order of a column; equal ones as they came, missing ones last.

    Numbers come before words, words before the rest. None comes after a block of work.
    """
    count = len(table.rows)
    blocks: list[list[tuple[tuple[int, float, str], int]]] = []
    for start in range(0, count, _BLOCK):
        keyed = (
            (_key(value), -number if descending else number)
            for number in range(start, min(start + _BLOCK, count))
            if not _is_nothing(value := cell_value(table.rows[number], column))
        )
        blocks.append(sorted(keyed, reverse=descending))
        yield None
    placed = bytearray(count)
    for _, number in heapq.merge(*blocks, reverse=descending):
        placed[abs(number)] = 1
        yield abs(number)
    yield from (number for number in range(count) if not placed[number])


def _is_nothing(value: Any) -> bool:
    return value is MISSING or value is None


def _key(value: Any) -> tuple[int, float, str]:
    if isinstance(value, bool):
        return 2, float(value), ""
    if isinstance(value, (int, float)):
        return 0, _number(value), ""
    return (
        1,
        0.0,
        value[:_MAX_SHOWN_LENGTH].casefold() if isinstance(value, str) else compact_json(value),
    )


def _number(value: float) -> float:
    try:
        number = float(value)
    except OverflowError:  # an integer of hundreds of digits
        return float("inf") if value > 0 else float("-inf")
    return number if number == number else float("-inf")  # NaN has no order


# A table asks thousands of times: what Qt's enumerations cost is spent once.
_TEXT, _SIDE, _COLOR, _SPOKEN = (
    int(Qt.ItemDataRole.DisplayRole),
    int(Qt.ItemDataRole.TextAlignmentRole),
    int(Qt.ItemDataRole.ForegroundRole),
    int(Qt.ItemDataRole.AccessibleTextRole),
)
_ROLES = frozenset({_TEXT, _SIDE, _COLOR, _SPOKEN})
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter

Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()
NO_TABLE = Table((), [])


class TableModel(QAbstractTableModel):
    """The rows in the current order; row headers keep their numbers in the value.

    Being asked to sort, it only says so: ordering takes long.
    """

    sort_requested = Signal(int, Qt.SortOrder)

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        bridge.release_on_destroy(self)
        self._theme = theme
        self.table = NO_TABLE
        self.order: Sequence[int] = ()

    def show_table(self, table: Table) -> None:
        self.beginResetModel()
        self.table = table
        self.order = range(len(table.rows))
        self.endResetModel()

    def set_order(self, order: Sequence[int]) -> None:
        """Show the rows in this order; no index is kept over it."""
        self.beginResetModel()
        self.order = order
        self.endResetModel()

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        self.sort_requested.emit(column, order)

    def value(self, index: Index) -> Any:
        """The value of a cell; `MISSING` where there is none."""
        row = self.table.rows[self.order[index.row()]]
        return cell_value(row, self.table.columns[index.column()])

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self.order)

    def columnCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self.table.columns)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if role != _TEXT:
            return None
        if orientation == Qt.Orientation.Vertical:
            return str(self.order[section])
        return self.table.columns[section][:80]

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role not in _ROLES or not index.isValid():
            return None
        value = self.value(index)
        if role == _SIDE:
            is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
            return _RIGHT if is_number else _LEFT
        if role == _COLOR:
            is_pale = value is MISSING or value is None or isinstance(value, (dict, list))
            return self._theme.color("muted" if is_pale else "text")
        return cell_text(value)


ExportFormat: TypeAlias = Literal["csv", "tsv", "markdown"]


_ROWS = 50  # written in one go


def export_rows(table: Table, rows: Sequence[int], form: ExportFormat) -> Iterator[str]:
    """The rows with these numbers, in this order, below their columns, piece by piece.

    Cells are whole.
    """
    yield _lines([table.columns], form)
    if form == "markdown":
        yield _row("---" for _ in table.columns) + "\n"
    for start in range(0, len(rows), _ROWS):
        part = (table.rows[row] for row in rows[start : start + _ROWS])
        yield _lines(
            ([_text(cell_value(row, name)) for name in table.columns] for row in part), form
        )


def _lines(rows: Iterable[Sequence[str]], form: ExportFormat) -> str:
    if form == "markdown":
        return "".join(f"{_row(row)}\n" for row in rows)
    text = io.StringIO(newline="")
    csv.writer(text, dialect="excel-tab" if form == "tsv" else "excel").writerows(rows)
    return text.getvalue()


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(_escaped(cell) for cell in cells)} |"


def _escaped(text: str) -> str:
    return " ".join(text.replace("\\", "\\\\").replace("|", "\\|").splitlines())


def _text(value: Any) -> str:
    if value is MISSING or value is None:
        return ""
    if isinstance(value, str):
        return value
    try:
        return json.dumps(value, ensure_ascii=False, default=str)
    except (ValueError, RecursionError):
        return ""
