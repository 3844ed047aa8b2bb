"""The table of calls with its search: loads pages as they are scrolled to, keeps what is chosen.

Must not know what is done with a call.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QItemSelectionModel, Qt, QTimer, Signal
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
from desktop.gui.counted import counted
from desktop.gui.history.history_model import ARGUMENTS, COLUMNS, HistoryModel
from desktop.gui.theme import space, style
from desktop.history.records import Query
from desktop.history.store import PAGE, HistoryError

if TYPE_CHECKING:
    from desktop.gui.theme import Theme
    from desktop.history.records import CallPage, Summary
    from desktop.history.store import HistoryStore

_SEARCH_MS = 120
"""From the last key to the search: a word is searched once, not a letter at a time."""
_WIDTHS = (space(28), space(52), space(60), space(28), space(22), space(22))


class HistoryList(QWidget):
    """Search field, a filter, and the calls, the latest first."""

    chosen_changed = Signal()
    """Other calls are chosen, or none."""
    loaded = Signal()
    """What the file has is shown."""
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
        self.model.more_wanted.connect(self._load_more)
        self.table.selectionModel().selectionChanged.connect(lambda: self.chosen_changed.emit())
        theme.changed.connect(self.table.viewport().update)
        self._translate()

    @property
    def query(self) -> Query:
        return Query(self.search.text().strip(), failed_only=self.failed_only.isChecked())

    @property
    def is_filtered(self) -> bool:
        return self.query != Query()

    @property
    def chosen(self) -> list[Summary]:
        """The calls that are selected, from top to bottom."""
        rows = sorted(index.row() for index in self.table.selectionModel().selectedRows())
        found = (self.model.call_at(self.model.index(row, 0)) for row in rows)
        return [call for call in found if call is not None]

    def reload(self) -> None:
        """Read the calls anew from the top."""
        self._turn += 1
        bridge.run(self, self._reload(self._turn), self.tr("Reading the history"))

    def pause(self) -> bool:
        """Leave out a search that is due; whether there was one."""
        is_due = self._later.isActive()
        self._later.stop()
        return is_due

    def choose(self, number: int) -> None:
        """Select this call, if it is shown."""
        row = self.model.row_of(number)
        if row >= 0:
            # Not `selectRow`: it asks which keys are held, and that is Ctrl right after Ctrl+R.
            flags = QItemSelectionModel.SelectionFlag
            index = self.model.index(row, 0)
            self.table.selectionModel().setCurrentIndex(index, flags.ClearAndSelect | flags.Rows)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._translate()
        super().changeEvent(event)

    async def _reload(self, turn: int) -> None:
        count = max(PAGE, self.table.rowAt(self.table.viewport().height()) + PAGE)
        try:
            page = await self._store.page(self.query, count=count)
        except HistoryError as error:  # told at each look it would fill the log
            self.failed.emit(str(error))
            return
        if turn == self._turn:
            self._show(page)

    def _show(self, page: CallPage) -> None:
        chosen = [call.id for call in self.chosen]
        if not self.model.show_page(page):
            self._select(chosen)
        self._tell()
        self.is_loaded = True
        self.loaded.emit()

    def _select(self, numbers: list[int]) -> None:
        """Choose these again after the rows were replaced; the first row where none is left."""
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
        self.chosen_changed.emit()

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

    def _tell(self) -> None:
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

    def _translate(self) -> None:
        self.search.setPlaceholderText(self.tr("Search tools, arguments and results"))
        self.search.setAccessibleName(self.search.placeholderText())
        self.failed_only.setText(self.tr("Failed only"))
        self.table.setAccessibleName(self.tr("Calls, the latest first"))
        names = self.tr("Time"), self.tr("Tool"), self.tr("Arguments"), self.tr("Outcome")
        self.model.set_titles((*names, self.tr("Duration"), self.tr("By")))
        self._tell()
