"""The table of past calls with its search; pages are loaded as the person scrolls to them.

Must not know what a person does with a call.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from PySide6.QtCore import (
    QAbstractTableModel,
    QItemSelectionModel,
    QModelIndex,
    QPersistentModelIndex,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QLineEdit,
    QPushButton,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from desktop.gui import bridge
from desktop.gui.history import labels
from desktop.gui.theme import space, style
from desktop.gui.translations import counted
from desktop.gui.widgets.formatting import format_duration
from desktop.gui.widgets.retranslation import Retranslated
from desktop.gui.widgets.styled_text import origin_label
from desktop.history.records import FAILED, Query
from desktop.history.store import PAGE, HistoryError

if TYPE_CHECKING:
    from PySide6.QtCore import QObject

    from desktop.gui.theme import Theme
    from desktop.history.records import CallPage, Summary
    from desktop.history.store import HistoryStore

Index: TypeAlias = QModelIndex | QPersistentModelIndex
TIME, TOOL, ARGUMENTS, OUTCOME, DURATION, ORIGIN = range(6)
COLUMNS = 6
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_NOWHERE = QModelIndex()
_TOOLTIP = 400


class HistoryModel(QAbstractTableModel):
    """Six columns: time, tool, arguments, outcome, duration, origin; the latest call first."""

    more_requested = Signal()
    """The view was scrolled to the last row that is loaded."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._titles: tuple[str, ...] = ("",) * COLUMNS
        self._calls: list[Summary] = []
        self.total = 0

    @property
    def calls(self) -> tuple[Summary, ...]:
        return tuple(self._calls)

    def show_page(self, page: CallPage) -> bool:
        """Show these calls from the top. Returns whether the rows that stay kept their place."""
        self.total = page.total
        fresh = self._fresh(page)
        if fresh is None:
            self.beginResetModel()
            self._calls = list(page.calls)
            self.endResetModel()
            return False
        if fresh:
            self.beginInsertRows(_NOWHERE, 0, len(fresh) - 1)
            self._calls[:0] = fresh
            self.endInsertRows()
        return True

    def add_page(self, page: CallPage) -> None:
        """Append older calls below."""
        self.total = page.total
        if page.calls:
            first = len(self._calls)
            self.beginInsertRows(_NOWHERE, first, first + len(page.calls) - 1)
            self._calls += page.calls
            self.endInsertRows()

    def call_at(self, index: Index) -> Summary | None:
        is_there = index.isValid() and index.row() < len(self._calls)
        return self._calls[index.row()] if is_there else None

    def row_of(self, number: int) -> int:
        """The row of a call; -1 if it is not shown."""
        return next((row for row, call in enumerate(self._calls) if call.id == number), -1)

    def set_titles(self, titles: tuple[str, ...]) -> None:
        self._titles = titles
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, COLUMNS - 1)
        if self._calls:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self._calls) - 1, COLUMNS - 1))

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._calls)

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else COLUMNS

    def canFetchMore(self, parent: Index) -> bool:
        return not parent.isValid() and len(self._calls) < self.total

    def fetchMore(self, parent: Index) -> None:
        self.more_requested.emit()

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation is not Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self._titles[section]
        if role == Qt.ItemDataRole.TextAlignmentRole and section == DURATION:
            return _RIGHT
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        call = self.call_at(index)
        if call is None:
            return None
        column = index.column()
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return _cell(call, column)
            case Qt.ItemDataRole.ForegroundRole:
                return self._theme.color(_color(call, column))
            case Qt.ItemDataRole.FontRole if column == ARGUMENTS:
                return self._theme.mono_font()
            case Qt.ItemDataRole.TextAlignmentRole if column == DURATION:
                return _RIGHT
            case Qt.ItemDataRole.ToolTipRole if column in (TOOL, ARGUMENTS, OUTCOME):
                whole = call.message if column == OUTCOME else _cell(call, column)
                # A tooltip guesses whether its text is rich text: a stranger's text must not be.
                return whole[:_TOOLTIP].replace("<", "‹")
            case _:
                return None

    def _fresh(self, page: CallPage) -> list[Summary] | None:
        """The new calls on top; None if the rest differs from what is shown."""
        if not self._calls:
            return None
        known = self._calls[0].id
        fresh = [call for call in page.calls if call.id > known]
        rest = [call.id for call in page.calls[len(fresh) :]]
        is_same = [call.id for call in self._calls[: len(rest)]] == rest
        whole = len(fresh) + len(self._calls) <= page.total
        return fresh if is_same and whole and (rest or not page.calls) else None


def _cell(call: Summary, column: int) -> str:
    match column:
        case 0:
            return labels.time_label(call.at)
        case 1:
            return labels.call_label(call)
        case 2:
            return "" if call.arguments in ("{}", "null") else call.arguments
        case 3:
            return labels.outcome_label(call.outcome).text
        case 4:
            return format_duration(call.duration)
        case _:
            return origin_label(call.origin)


def _color(call: Summary, column: int) -> Any:
    if column == OUTCOME:
        return labels.outcome_label(call.outcome).tone
    return "text" if column == TOOL else "muted"


_SEARCH_MS = 120
"""Milliseconds from the last key to the search: a word is searched once, not each letter."""
_WIDTHS = (space(28), space(52), space(60), space(28), space(22), space(22))


class HistoryList(Retranslated, QWidget):
    """Search field, a filter, and the calls, the latest first."""

    selection_changed = Signal()
    """Other calls are selected, or none."""
    loaded = Signal()
    """The calls of the file are shown."""
    failed = Signal(str)
    """Why the file cannot be read."""

    def __init__(self, theme: Theme, store: HistoryStore, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._store = store
        self._is_loading_more = False
        self._turn = 0
        self.is_loaded = False
        self._later = QTimer(self, singleShot=True, interval=_SEARCH_MS)
        self._later.timeout.connect(self.reload)
        self.search = QLineEdit()
        self.search.setClearButtonEnabled(True)
        self.search.setMaxLength(200)
        self.failed_only = QPushButton()
        self.failed_only.setCheckable(True)
        style(self.failed_only, "chip")
        self.count = QLabel()
        style(self.count, "muted", "small")
        self.model = HistoryModel(theme, self)
        self.table = QTableView()
        self._set_up_table()
        self._lay_out()
        self.search.textChanged.connect(lambda: self._later.start())
        self.search.returnPressed.connect(self.table.setFocus)
        self.failed_only.toggled.connect(lambda: self.reload())
        self.model.more_requested.connect(self._load_more)
        self.table.selectionModel().selectionChanged.connect(lambda: self.selection_changed.emit())
        theme.changed.connect(self.table.viewport().update)
        self.retranslate()

    @property
    def query(self) -> Query:
        return Query(
            self.search.text().strip(), outcome=FAILED if self.failed_only.isChecked() else ""
        )

    @property
    def is_filtered(self) -> bool:
        return self.query != Query()

    @property
    def chosen(self) -> list[Summary]:
        """The calls that are selected, from top to bottom."""
        rows = sorted(index.row() for index in self.table.selectionModel().selectedRows())
        calls = (self.model.call_at(self.model.index(row, 0)) for row in rows)
        return [call for call in calls if call is not None]

    def reload(self) -> None:
        """Read the calls anew from the top."""
        self._turn += 1
        bridge.run(self, self._reload(self._turn), self.tr("Reading the history"))

    def pause(self) -> bool:
        """Drop a pending search; returns whether there was one."""
        is_due = self._later.isActive()
        self._later.stop()
        return is_due

    def choose(self, number: int) -> None:
        """Select this call, if it is shown."""
        row = self.model.row_of(number)
        if row >= 0:
            # Not `selectRow`: it heeds keys that are held, and right after Ctrl+R that is Ctrl.
            flags = QItemSelectionModel.SelectionFlag
            index = self.model.index(row, 0)
            self.table.selectionModel().setCurrentIndex(index, flags.ClearAndSelect | flags.Rows)

    async def _reload(self, turn: int) -> None:
        count = max(PAGE, self.table.rowAt(self.table.viewport().height()) + PAGE)
        try:
            page = await self._store.page(self.query, count=count)
        except HistoryError as error:  # logging it at each refresh would fill the log
            self.failed.emit(str(error))
            return
        if turn == self._turn:
            self._show(page)

    def _show(self, page: CallPage) -> None:
        chosen = [call.id for call in self.chosen]
        if not self.model.show_page(page):
            self._select(chosen)
        self._show_total()
        self.is_loaded = True
        self.loaded.emit()

    def _select(self, numbers: list[int]) -> None:
        """Select these again after the rows were replaced; the first row if none is left."""
        rows = [row for row in map(self.model.row_of, numbers) if row >= 0]
        if not rows and self.model.rowCount():
            rows = [0]
        flags = QItemSelectionModel.SelectionFlag
        for row in rows:
            index = self.model.index(row, 0)
            self.table.selectionModel().select(index, flags.Select | flags.Rows)
        if rows:
            index = self.model.index(rows[0], 0)
            self.table.selectionModel().setCurrentIndex(index, flags.NoUpdate)
        self.selection_changed.emit()

    def _load_more(self) -> None:
        if not self._is_loading_more:
            self._is_loading_more = True
            bridge.run(self, self._more(self._turn), self.tr("Reading the history"))

    async def _more(self, turn: int) -> None:
        try:
            calls = self.model.calls
            before = calls[-1].id if calls else None
            page = await self._store.page(self.query, before)
            if turn == self._turn:
                self.model.add_page(page)
        except HistoryError as error:
            self.failed.emit(str(error))
        finally:
            self._is_loading_more = False

    def _show_total(self) -> None:
        total = self.model.total
        self.count.setText(counted(total, self.tr("1 call"), self.tr("{count} calls")))

    def _set_up_table(self) -> None:
        table = self.table
        table.setModel(self.model)
        table.setFrameShape(QFrame.Shape.NoFrame)
        table.setShowGrid(False)
        table.setWordWrap(False)
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        table.setTabKeyNavigation(False)
        table.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        table.verticalHeader().hide()
        table.verticalHeader().setDefaultSectionSize(space(7))
        header = table.horizontalHeader()
        header.setHighlightSections(False)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        for column in range(COLUMNS):
            header.resizeSection(column, _WIDTHS[column])
        header.setSectionResizeMode(ARGUMENTS, QHeaderView.ResizeMode.Stretch)

    def _lay_out(self) -> None:
        top = QHBoxLayout()
        top.setSpacing(space(2))
        top.addWidget(self.search, 1)
        top.addWidget(self.failed_only)
        top.addWidget(self.count)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(space(2))
        column.addLayout(top)
        column.addWidget(self.table, 1)

    def retranslate(self) -> None:
        self.search.setPlaceholderText(self.tr("Search tools, arguments and results"))
        self.search.setAccessibleName(self.search.placeholderText())
        self.failed_only.setText(self.tr("Failed only"))
        self.table.setAccessibleName(self.tr("Calls, newest first"))
        names = self.tr("Time"), self.tr("Tool"), self.tr("Arguments"), self.tr("Outcome")
        self.model.set_titles((*names, self.tr("Duration"), self.tr("By")))
        self._show_total()
