"""The servers of one source with a check box each, and what would become of them.

Decides only what is checked at first: the new ones.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QBrush
from PySide6.QtWidgets import QHeaderView, QTreeWidget, QTreeWidgetItem

from desktop.gui.importing import words
from desktop.gui.servers.labels import one_line, target_words
from desktop.gui.theme import space, style
from desktop.gui.translations import spoken

if TYPE_CHECKING:
    from desktop.config.imports.plan import ImportPlan, PlannedServer
    from desktop.gui.theme import Theme

_NAME, _STATE, _WAY = range(3)
_NAME_WIDTH, _STATE_WIDTH = space(40), space(88)


class ServerTree(QTreeWidget):
    """A table in truth: no server has another one below it."""

    checks_changed = Signal()
    chosen = Signal(object)
    """The `PlannedServer` to say more of, or None."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._servers: tuple[PlannedServer, ...] = ()
        self.setRootIsDecorated(False)
        self.setUniformRowHeights(True)
        self.setAllColumnsShowFocus(True)
        self.setColumnCount(3)
        style(self)
        header = self.header()
        header.setSectionsMovable(False)
        header.setSectionResizeMode(_WAY, QHeaderView.ResizeMode.Stretch)
        header.resizeSection(_NAME, _NAME_WIDTH)
        header.resizeSection(_STATE, _STATE_WIDTH)
        self.itemChanged.connect(lambda: self.checks_changed.emit())
        self.currentItemChanged.connect(self._choose)
        theme.changed.connect(self._show_states)
        self._translate()

    @property
    def checked(self) -> frozenset[str]:
        """The names that the checked servers would have here."""
        return frozenset(
            one.target
            for row, one in enumerate(self._servers)
            if one.can_be_imported and self._item(row).checkState(_NAME) == Qt.CheckState.Checked
        )

    def show_plan(self, plan: ImportPlan) -> None:
        """Be the servers of `plan`; the first one is chosen."""
        self.blockSignals(True)
        self.clear()
        self._servers = plan.servers
        self.addTopLevelItems([_item_of(one) for one in plan.servers])
        self._show_states()
        self.blockSignals(False)
        if self._servers:
            self.setCurrentItem(self._item(0))
        self.checks_changed.emit()

    def set_checked(self, row: int, checked: bool) -> None:
        state = Qt.CheckState.Checked if checked else Qt.CheckState.Unchecked
        self._item(row).setCheckState(_NAME, state)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._translate()
            self._show_states()
        super().changeEvent(event)

    def _item(self, row: int) -> QTreeWidgetItem:
        item = self.topLevelItem(row)
        assert item is not None  # noqa: S101 - a row for each server
        return item

    def _choose(self, item: QTreeWidgetItem | None) -> None:
        row = self.indexOfTopLevelItem(item) if item is not None else -1
        self.chosen.emit(self._servers[row] if 0 <= row < len(self._servers) else None)

    def _show_states(self) -> None:
        was_blocked = self.blockSignals(True)
        for row, one in enumerate(self._servers):
            shown, item = words.noted_state_words(one), self._item(row)
            item.setText(_STATE, shown.text)
            item.setForeground(_STATE, QBrush(self._theme.color(shown.color)))
            item.setForeground(_WAY, QBrush(self._theme.color("muted")))
        self.blockSignals(was_blocked)

    def _translate(self) -> None:
        self.setHeaderLabels([self.tr("Server"), self.tr("State"), self.tr("How it is reached")])
        self.setAccessibleName(self.tr("Servers to import"))


def _item_of(one: PlannedServer) -> QTreeWidgetItem:
    way = target_words(one.config) if one.config is not None else spoken(one.reason)
    item = QTreeWidgetItem([one_line(one.name), "", one_line(way)])
    flags = Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsEnabled
    if one.can_be_imported:
        is_new = one.status == "new"
        item.setFlags(flags | Qt.ItemFlag.ItemIsUserCheckable)
        item.setCheckState(_NAME, Qt.CheckState.Checked if is_new else Qt.CheckState.Unchecked)
    else:
        item.setFlags(flags)
    return item
