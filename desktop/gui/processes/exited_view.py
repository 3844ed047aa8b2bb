"""The servers that ended lately, the latest first. Only shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QSizePolicy,
    QVBoxLayout,
)

from desktop.gui import bridge
from desktop.gui.processes import model
from desktop.gui.theme import space, style
from desktop.gui.widgets.retranslation import Retranslated

if TYPE_CHECKING:
    from desktop.gui.theme import Theme
    from desktop.processes.tracker import RecentExits

_HEIGHT = space(30)  # about five lines; more are there to be scrolled to


class ExitedView(Retranslated, QFrame):
    """A heading and a short list; hidden while nothing ended."""

    def __init__(self, theme: Theme, ends: RecentExits) -> None:
        super().__init__()
        self._theme, self._ends = theme, ends
        self._heading = QLabel()
        style(self._heading, "heading")
        self.list = QListWidget()
        self.list.setMaximumHeight(_HEIGHT)
        self.list.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Maximum)
        self.list.setSizeAdjustPolicy(QAbstractItemView.SizeAdjustPolicy.AdjustToContents)
        self.list.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.list.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.list.setUniformItemSizes(True)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(space(2))
        column.addWidget(self._heading)
        column.addWidget(self.list)
        bridge.connect(self, ends.changed, self.refresh)
        theme.changed.connect(self.refresh)
        self._translate()
        self.refresh()

    @property
    def lines(self) -> tuple[str, ...]:
        return tuple(self.list.item(row).text() for row in range(self.list.count()))

    def refresh(self) -> None:
        self.list.clear()
        for end in self._ends.exits:
            how = model.end_words(end.outcome)
            line = f"{model.clock_words(end.at)}   {end.owner}  ·  {how.text}  ·  PID {end.pid}"
            item = QListWidgetItem(" ".join(line.splitlines()))
            item.setForeground(self._theme.color(how.tone))
            self.list.addItem(item)
        self.list.updateGeometry()
        self.setVisible(self.list.count() > 0)

    def retranslate(self) -> None:
        self._translate()
        self.refresh()

    def _translate(self) -> None:
        self._heading.setText(self.tr("Recently ended"))
        self.list.setAccessibleName(self.tr("Recently ended"))
