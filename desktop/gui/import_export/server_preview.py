"""The servers of one import source with a checkbox each, and the notes on the selected one.

Decides only which are checked at first: the new ones.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QBrush
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QScrollArea,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
)

from desktop.gui.import_export import labels
from desktop.gui.servers.labels import one_line, target_words
from desktop.gui.theme import space, style
from desktop.gui.translations import spoken
from desktop.gui.widgets.icons import set_icon
from desktop.gui.widgets.retranslation import Retranslated

if TYPE_CHECKING:
    from collections.abc import Iterator

    from desktop.config.imports.plan import EntryDifference, ImportPlan, PlannedServer
    from desktop.gui.theme import Theme

    Tone = Literal["danger", "warning", "muted", "success"]

_MAX_NOTES = 40
_ICONS = {"danger": "error", "warning": "warning", "muted": "info", "success": "check"}


class ServerNotes(QScrollArea):
    """A line each with a sign; says so where there is nothing to say."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._shown: PlannedServer | None = None
        self._lines: list[str] = []
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._fill()

    @property
    def lines(self) -> tuple[str, ...]:
        """What is said, top to bottom."""
        return tuple(self._lines)

    def show_server(self, one: PlannedServer | None) -> None:
        self._shown = one
        self._fill()

    def _fill(self) -> None:
        content = QFrame()
        style(content)
        column = QVBoxLayout(content)
        column.setContentsMargins(space(1), space(2), space(2), space(2))
        column.setSpacing(space(2))
        self._lines = []
        for tone, text in list(self._texts())[:_MAX_NOTES]:
            self._lines.append(text)
            column.addLayout(self._line(tone, text))
        column.addStretch(1)
        self.setWidget(content)
        self.setAccessibleName("\n".join(self._lines))

    def _texts(self) -> Iterator[tuple[Tone, str]]:
        one = self._shown
        if one is None:
            return
        if one.reason:
            yield "danger", spoken(one.reason)
        if one.scope:
            said = self.tr("It belongs to the project {folder} in the other app.")
            yield "muted", said.format(folder=one.scope)
        if one.can_be_imported and one.target != one.name:
            yield "muted", self._renamed(one)
        for difference in one.differences:
            yield "warning", self._difference(difference)
        if one.status == "same":
            yield "muted", self.tr("Started or reached in the very same way: nothing to import.")
            return
        known = [finding for finding in one.findings if finding.kind != "renamed"]
        for finding in sorted(known, key=lambda found: not found.is_warning):
            yield ("warning" if finding.is_warning else "muted"), labels.finding_words(finding)
        if one.status == "new" and not known:
            yield "success", self.tr("Nothing stands out.")

    def _renamed(self, one: PlannedServer) -> str:
        if any(finding.kind == "renamed" for finding in one.findings):
            said = self.tr("Its name cannot be used here; it becomes “{name}”.")
        else:
            said = self.tr("A server here has its name already; it becomes “{name}”.")
        return said.format(name=one.target)

    def _difference(self, one: EntryDifference) -> str:
        if one.is_secret:
            return self.tr("{place}: another secret value").format(place=one.place)
        nothing = self.tr("nothing")
        return self.tr("{place}: yours is {ours}, theirs {theirs}").format(
            place=one.place, ours=one.ours or nothing, theirs=one.theirs or nothing
        )

    def _line(self, tone: Tone, text: str) -> QHBoxLayout:
        sign, label = QLabel(), QLabel(text)
        set_icon(self._theme, sign, _ICONS[tone], tone)
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        label.setWordWrap(True)
        row = QHBoxLayout()
        row.setSpacing(space(2))
        row.addWidget(sign, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(label, 1)
        return row


_NAME, _STATE, _WAY = range(3)
_NAME_WIDTH, _STATE_WIDTH = space(40), space(88)


class ServerTree(Retranslated, QTreeWidget):
    """A table in truth: no server has another one below it."""

    checks_changed = Signal()
    server_selected = Signal(object)
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
        self.addTopLevelItems([_item_of(server) for server in plan.servers])
        self._show_states()
        self.blockSignals(False)
        if self._servers:
            self.setCurrentItem(self._item(0))
        self.checks_changed.emit()

    def set_checked(self, row: int, checked: bool) -> None:
        state = Qt.CheckState.Checked if checked else Qt.CheckState.Unchecked
        self._item(row).setCheckState(_NAME, state)

    def retranslate(self) -> None:
        self._translate()
        self._show_states()

    def _item(self, row: int) -> QTreeWidgetItem:
        item = self.topLevelItem(row)
        assert item is not None  # noqa: S101 - a row for each server
        return item

    def _choose(self, item: QTreeWidgetItem | None) -> None:
        row = self.indexOfTopLevelItem(item) if item is not None else -1
        self.server_selected.emit(self._servers[row] if 0 <= row < len(self._servers) else None)

    def _show_states(self) -> None:
        was_blocked = self.blockSignals(True)
        for row, one in enumerate(self._servers):
            state, item = labels.noted_state_words(one), self._item(row)
            item.setText(_STATE, state.text)
            item.setForeground(_STATE, QBrush(self._theme.color(state.tone)))
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
