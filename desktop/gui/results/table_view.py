"""An array of objects as a table: sorted by a click, searched, copied as CSV, TSV or Markdown."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QItemSelectionModel, Qt
from PySide6.QtGui import QAction, QGuiApplication, QKeySequence
from PySide6.QtWidgets import QAbstractItemView, QLabel, QTableView, QWidget

from desktop.gui import bridge, shortcuts
from desktop.gui.layouts import in_column
from desktop.gui.results.saving import in_turns, save_as
from desktop.gui.results.search import FindBar, SearchedView
from desktop.gui.results.table import Table, TableModel, cell_text, export_rows, sorted_rows
from desktop.gui.shortcuts import give
from desktop.gui.theme import Theme, space, style
from desktop.gui.translations import counted
from desktop.gui.widgets.action_row import ActionRow

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Iterable, Iterator, Sequence

    from PySide6.QtCore import QItemSelectionRange

    from desktop.gui.results.table import ExportFormat

_COPY = QKeySequence.StandardKey.Copy
_MAX_COLUMN_WIDTH = 75  # grid steps of a column at first
_MEASURED = 50  # rows looked at for the widths


class TableView(SearchedView):
    """Rows on demand; what takes long is done in short turns."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        bridge.release_on_destroy(self)
        self._name = "result"
        self.working: asyncio.Task[None] | None = None
        self.model = TableModel(theme, self)
        self.table = QTableView(self)
        self.find_bar = FindBar(theme, self._search, self)
        self.note = QLabel(self)
        self.note.setTextFormat(Qt.TextFormat.PlainText)
        style(self.note, "muted", "small")
        self._set_up_table(theme)
        self._make_tools(theme)
        in_column(self, self.tools.bar, self.find_bar, (self.table, 1), self.note, spacing=1)
        self.find_bar.reached.connect(self._go_to)
        self.find_bar.closed.connect(self.table.setFocus)
        theme.changed.connect(self.table.viewport().update)

    def show_table(self, table: Table, name: str = "result") -> None:
        """Show `table` as it came; `name` is proposed when saving."""
        self._name = name
        header = self.table.horizontalHeader()
        header.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        self.model.show_table(table)
        self.table.resizeColumnsToContents()
        for column in range(len(table.columns)):
            if header.sectionSize(column) > space(_MAX_COLUMN_WIDTH):
                header.resizeSection(column, space(_MAX_COLUMN_WIDTH))
        notes = [
            counted(len(table.rows), self.tr("1 row"), self.tr("{count} rows")),
            counted(len(table.columns), self.tr("1 column"), self.tr("{count} columns")),
        ]
        if table.more:
            one = self.tr("1 rare column is not shown")
            many = self.tr("{count} rare columns are not shown")
            notes.append(counted(table.more, one, many))
        if table.path:
            notes.append(table.path[:80])
        self.note.setText(" · ".join(notes))
        self.find_bar.reset()

    def content_height(self) -> int:
        """Pixels that all rows need."""
        row = self.table.verticalHeader().defaultSectionSize()
        bar = self.table.horizontalScrollBar().sizeHint().height()
        around = self.table.horizontalHeader().sizeHint().height() + bar + space(2)
        if not self.find_bar.isHidden():
            around += self.find_bar.sizeHint().height() + space(1)
        return len(self.model.order) * row + around + self.note.sizeHint().height()

    def _sort(self, column: int, order: Qt.SortOrder) -> None:
        """Order the rows by a column (-1: as they came), between the turns of the loop."""
        if self.working is not None:
            self.working.cancel()
        table = self.model.table
        if 0 <= column < len(table.columns):
            is_descending = order == Qt.SortOrder.DescendingOrder
            work = self._order(table, table.columns[column], is_descending)
            self.working = bridge.run(self, work, self.tr("Sort the table"))
        elif table.rows:
            self._show_order(range(len(table.rows)))

    async def _order(self, table: Table, column: str, descending: bool) -> None:
        rows = await in_turns(sorted_rows(table, column, descending=descending))
        if table is self.model.table:
            self._show_order(rows)

    def _show_order(self, rows: Sequence[int]) -> None:
        self.model.set_order(rows)
        self.find_bar.reset()

    def copy_as(self, form: ExportFormat) -> None:
        """Copy the selected rows, or all where fewer than two are selected."""
        self.working = bridge.run(self, self._copy(form), self.tr("Copy the table"))

    async def _copy(self, form: ExportFormat) -> None:
        table, rows = self.model.table, self._chosen_rows()
        text = "".join(await in_turns(export_rows(table, rows, form)))
        QGuiApplication.clipboard().setText(text)

    def _chosen_rows(self) -> Sequence[int]:
        parts = self._selected()
        rows = sorted({row for part in parts for row in range(part.top(), part.bottom() + 1)})
        return [self.model.order[row] for row in rows] if len(rows) > 1 else self.model.order

    def _selected(self) -> list[QItemSelectionRange]:
        """By ranges: one index for each of a million cells would take seconds."""
        return list(cast("Iterable[QItemSelectionRange]", self.table.selectionModel().selection()))

    def _copy_cell(self) -> None:
        """One cell as it is, several as TSV of their rows."""
        index = self.table.currentIndex()
        if sum(part.width() * part.height() for part in self._selected()) > 1:
            self.copy_as("tsv")
        elif index.isValid():
            value = self.model.value(index)
            QGuiApplication.clipboard().setText(
                value if isinstance(value, str) else cell_text(value, 1_000_000)
            )

    def _search(self, words: str) -> Iterator[tuple[int, int] | None]:
        wanted = words.lower()
        columns = self.model.table.columns
        for place, row in enumerate(self.model.order):
            item = self.model.table.rows[row]
            for number, column in enumerate(columns if isinstance(item, dict) else ()):
                if column in item and wanted in cell_text(item[column]).lower():
                    yield place, number
            yield None

    def _go_to(self, place: tuple[int, int]) -> None:
        index = self.model.index(*place)
        self.table.setCurrentIndex(index)
        self.table.scrollTo(index, QAbstractItemView.ScrollHint.PositionAtCenter)

    def _set_up_table(self, theme: Theme) -> None:
        table = self.table
        table.setFont(theme.mono_font())
        table.setModel(self.model)
        table.setWordWrap(False)
        table.setAccessibleName(self.tr("Table of the result"))
        table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        table.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        table.setTabKeyNavigation(False)
        table.setShowGrid(False)
        table.setCornerButtonEnabled(False)
        rows = table.verticalHeader()
        rows.setSectionResizeMode(rows.ResizeMode.Fixed)
        rows.setDefaultSectionSize(table.fontMetrics().height() + space(3))
        header = table.horizontalHeader()
        header.setResizeContentsPrecision(_MEASURED)
        header.setSortIndicatorClearable(True)
        header.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        table.setSortingEnabled(True)
        self.model.sort_requested.connect(self._sort)
        header.setHighlightSections(False)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        # With the selection of the table it looks through all rows when all are selected: seconds.
        header.setSelectionModel(QItemSelectionModel(self.model, header))
        self.copy_cell = QAction(self.tr("Copy"), self)
        give(self.copy_cell, shortcuts.COPY)
        self.copy_cell.triggered.connect(self._copy_cell)
        table.addAction(self.copy_cell)

    def _make_tools(self, theme: Theme) -> None:
        self.tools = ActionRow(self)
        self.tools.addStretch(1)
        self.tools.tool(theme, "search", self.tr("Find (Ctrl+F)"), self.open_find)
        self.copies = [
            self._copy_action(self.tr("As CSV"), "csv"),
            self._copy_action(self.tr("As TSV, for a spreadsheet"), "tsv"),
            self._copy_action(self.tr("As Markdown"), "markdown"),
        ]
        self.tools.tool_menu(theme, "copy", self.tr("Copy"), self.copies)
        self.save = self.tools.tool(theme, "save", self.tr("Save CSV…"), self._save)

    def _copy_action(self, text: str, form: ExportFormat) -> QAction:
        action = QAction(text, self)
        action.triggered.connect(lambda: self.copy_as(form))
        return action

    def _save(self) -> None:
        table, rows = self.model.table, self._chosen_rows()

        async def content() -> bytes:
            return "".join(await in_turns(export_rows(table, rows, "csv"))).encode(
                "utf-8", "replace"
            )

        save_as(self, f"{self._name}.csv", content)
