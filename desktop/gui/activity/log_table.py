"""A table that grows at its end and scrolls along, unless a person scrolled up to read.

Rows have one height and no widgets, so that ten thousand of them scroll. It is not a tree view,
which asks the model about every row whenever rows are added. Must not know a particular model.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView

from desktop.gui.theme import space

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtCore import QAbstractItemModel, QSettings
    from PySide6.QtGui import QKeyEvent

    from desktop.gui.theme import Theme


class LogTable(QTableView):
    """The rows of a flat model, in columns whose widths are remembered."""

    def __init__(
        self,
        theme: Theme,
        model: QAbstractItemModel,
        settings: QSettings,
        name: str,
        widths: Sequence[int],
    ) -> None:
        """Args: name: key of the widths in `settings`. widths: in grid steps; 0 for the rest."""
        super().__init__()
        self._settings, self._name = settings, name
        self._follows = True
        self._top = 0
        self.setModel(model)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        rows = self.verticalHeader()
        rows.hide()
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        rows.setDefaultSectionSize(self.fontMetrics().height() + space(3))
        self._set_up_header(widths)
        model.rowsAboutToBeInserted.connect(self._before_rows)
        model.rowsInserted.connect(self._after_rows)
        model.rowsRemoved.connect(self._after_removal)
        theme.changed.connect(self.viewport().update)

    @property
    def is_at_end(self) -> bool:
        """Whether the last row is visible, or there is no row."""
        bar = self.verticalScrollBar()
        return bar.value() >= bar.maximum()

    def select_row(self, row: int) -> None:
        """Make a row the current one and show it."""
        index = self.model().index(row, 0)
        self.setCurrentIndex(index)
        self.scrollTo(index)

    def rowsAboutToBeRemoved(
        self, parent: QModelIndex | QPersistentModelIndex, start: int, end: int
    ) -> None:
        """Remember the scroll position before the view moves because the current row goes."""
        self._top = self.verticalScrollBar().value()
        super().rowsAboutToBeRemoved(parent, start, end)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Home and End go to the first and last row, not to the first and last column."""
        last = self.model().rowCount() - 1
        rows = {Qt.Key.Key_Home: 0, Qt.Key.Key_End: last}
        row = rows.get(Qt.Key(event.key()))
        if row is not None and last >= 0:
            self.select_row(row)
        else:
            super().keyPressEvent(event)

    def _set_up_header(self, widths: Sequence[int]) -> None:
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        for column, steps in enumerate(widths):
            header.resizeSection(column, space(steps))
        saved = self._settings.value(self._name)
        if isinstance(saved, QByteArray):
            header.restoreState(saved)
        header.setMinimumSectionSize(space(8))
        header.setSectionResizeMode(widths.index(0), QHeaderView.ResizeMode.Stretch)
        header.sectionResized.connect(self._remember)

    def _remember(self, *_: int) -> None:
        self._settings.setValue(self._name, self.horizontalHeader().saveState())

    def _before_rows(self, *_: object) -> None:
        self._follows = self.is_at_end

    def _after_rows(self, *_: object) -> None:
        if self._follows:
            self.scrollToBottom()

    def _after_removal(self, _: QModelIndex, first: int, last: int) -> None:
        """Keep the rows that are being read in place, although rows above them were removed."""
        if first == 0 and not self._follows:
            self.updateGeometries()  # else the scroll bar still counts the removed rows
            self.verticalScrollBar().setValue(self._top - (last + 1))
