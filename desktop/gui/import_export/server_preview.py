"""The servers of one import source with a checkbox each, and all there is to the selected one.

Below the list stands what it would run or reach, in full, and what should be known of that. Decides
only which are checked at first: the new ones.
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
)

from desktop.gui.import_export import labels
from desktop.gui.layouts import in_column
from desktop.gui.servers.labels import one_line
from desktop.gui.theme import space, style
from desktop.gui.translations import spoken
from desktop.gui.widgets.icons import set_icon
from desktop.gui.widgets.text_editors import LaunchText

if TYPE_CHECKING:
    from collections.abc import Iterator

    from desktop.config.imports.plan import EntryDifference, ImportPlan, PlannedServer
    from desktop.gui.theme import Theme

    Tone = Literal["danger", "warning", "muted", "success"]

_MAX_NOTES = 40
_ICONS = {"danger": "error", "warning": "warning", "muted": "info", "success": "check"}


_LEAST = space(20)  # pixels of what a server would use, however small the window


class LaunchDetailsView(LaunchText):
    """A line for each thing that would be used."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self.setAccessibleName(self.tr("What this server runs or connects to"))
        self.fit(_LEAST)

    def show_server(self, server: PlannedServer | None) -> None:
        details = server.details if server is not None else ()
        self.setPlainText("\n".join(f"{detail.place}: {detail.value}" for detail in details))
        self.setVisible(bool(details))


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

    def show_server(self, server: PlannedServer | None) -> None:
        self._shown = server
        self._fill()

    def _fill(self) -> None:
        content = QFrame()
        style(content)
        column = in_column(content, margins=(1, 2, 2, 2))
        self._lines = []
        notes = list(self._texts())
        for tone, text in notes[:_MAX_NOTES]:
            self._lines.append(text)
            column.addLayout(self._line(tone, text))
        if len(notes) > _MAX_NOTES:
            more = self.tr("And {count} more.").format(count=len(notes) - _MAX_NOTES)
            self._lines.append(more)
            column.addLayout(self._line("warning", more))
        column.addStretch(1)
        self.setWidget(content)
        self.setAccessibleName("\n".join(self._lines))

    def _texts(self) -> Iterator[tuple[Tone, str]]:
        server = self._shown
        if server is None:
            return
        if server.reason:
            yield "danger", spoken(server.reason)
        if server.scope:
            text = self.tr("It belongs to the project {folder} in the other app.")
            yield "muted", text.format(folder=server.scope)
        if server.can_be_imported and server.target != server.name:
            yield "muted", self._renamed(server)
        for difference in server.differences:
            yield "warning", self._difference(difference)
        if server.status == "same":
            yield "muted", self.tr("Same command or address: nothing to import.")
            return
        known = [finding for finding in server.findings if finding.kind != "renamed"]
        for finding in sorted(known, key=lambda found: (not found.is_danger, not found.is_warning)):
            yield ("warning" if finding.is_warning else "muted"), labels.warning_label(finding)
        if server.status == "new" and not known:
            yield "success", self.tr("Nothing stands out.")

    def _renamed(self, server: PlannedServer) -> str:
        if any(finding.kind == "renamed" for finding in server.findings):
            text = self.tr("Name not allowed here; imported as “{name}”.")
        else:
            text = self.tr("Name already in use; imported as “{name}”.")
        return text.format(name=server.target)

    def _difference(self, difference: EntryDifference) -> str:
        if difference.is_secret:
            return self.tr("{place}: different secret value").format(place=difference.place)
        nothing = self.tr("nothing")
        return self.tr("{place}: yours is {ours}, theirs {theirs}").format(
            place=difference.place,
            ours=difference.ours or nothing,
            theirs=difference.theirs or nothing,
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


class ServerTree(QTreeWidget):
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
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)  # a command is known by both ends
        self.setColumnCount(3)
        style(self)
        header = self.header()
        header.setSectionsMovable(False)
        header.setSectionResizeMode(_WAY, QHeaderView.ResizeMode.Stretch)
        header.resizeSection(_NAME, _NAME_WIDTH)
        self.itemChanged.connect(lambda: self.checks_changed.emit())
        self.currentItemChanged.connect(self._choose)
        theme.changed.connect(self._show_states)
        self.setHeaderLabels([self.tr("Server"), self.tr("State"), self.tr("Connection")])
        self.setAccessibleName(self.tr("Servers to import"))

    @property
    def checked(self) -> frozenset[str]:
        """The names that the checked servers would have here."""
        return frozenset(
            server.target
            for row, server in enumerate(self._servers)
            if server.can_be_imported and self._item(row).checkState(_NAME) == Qt.CheckState.Checked
        )

    def show_plan(self, plan: ImportPlan) -> None:
        """Be the servers of `plan`; the first one is chosen."""
        self.blockSignals(True)
        self.clear()
        self._servers = plan.servers
        self.addTopLevelItems([_item_of(server) for server in plan.servers])
        self._show_states()
        self.header().resizeSection(_STATE, min(self.sizeHintForColumn(_STATE), _STATE_WIDTH))
        self.blockSignals(False)
        if self._servers:
            self.setCurrentItem(self._item(0))
        self.checks_changed.emit()

    def set_checked(self, row: int, checked: bool) -> None:
        state = Qt.CheckState.Checked if checked else Qt.CheckState.Unchecked
        self._item(row).setCheckState(_NAME, state)

    def _item(self, row: int) -> QTreeWidgetItem:
        item = self.topLevelItem(row)
        assert item is not None  # noqa: S101 - a row for each server
        return item

    def _choose(self, item: QTreeWidgetItem | None) -> None:
        row = self.indexOfTopLevelItem(item) if item is not None else -1
        self.server_selected.emit(self._servers[row] if 0 <= row < len(self._servers) else None)

    def _show_states(self) -> None:
        was_blocked = self.blockSignals(True)
        for row, server in enumerate(self._servers):
            state, item = labels.noted_state_label(server), self._item(row)
            item.setText(_STATE, state.text)
            item.setForeground(_STATE, QBrush(self._theme.color(state.tone)))
            item.setForeground(_WAY, QBrush(self._theme.color("muted")))
        self.blockSignals(was_blocked)


def _item_of(server: PlannedServer) -> QTreeWidgetItem:
    way = server.details[0].value if server.details else spoken(server.reason)
    item = QTreeWidgetItem([one_line(server.name), "", one_line(way)])
    item.setToolTip(_WAY, item.text(_WAY).replace("<", "‹"))
    flags = Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsEnabled
    if server.can_be_imported:
        is_new = server.status == "new"
        item.setFlags(flags | Qt.ItemFlag.ItemIsUserCheckable)
        item.setCheckState(_NAME, Qt.CheckState.Checked if is_new else Qt.CheckState.Unchecked)
    else:
        item.setFlags(flags)
    return item
