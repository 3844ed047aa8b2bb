"""The process tree as a Qt model: a row for each server, below it its processes; and their labels.

Rows keep their identity between snapshots, so that the view keeps selection and expansion. Must not
take snapshots.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from PySide6.QtCore import QCoreApplication, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QStandardItem, QStandardItemModel

from desktop.gui.servers import labels
from desktop.gui.servers.labels import memory_label, uptime_label
from desktop.gui.translations import counted
from desktop.gui.widgets.styled_text import StyledText

if TYPE_CHECKING:
    from collections.abc import Iterator

    from desktop.gui.theme import Theme
    from desktop.processes.snapshot import GroupKind, ProcessGroup, ProcessInfo, Snapshot
    from desktop.processes.tracker import ServerExit

translate = QCoreApplication.translate


def process_cells(process: ProcessInfo) -> tuple[str, ...]:
    """One process as a row: process, PID, owner, age, CPU, memory."""
    state, title = state_label(process.state), process.title or process.short
    return (
        f"{title}  ({state})" if state else title,
        str(process.pid),
        process.owner,
        uptime_label(process.age),
        cpu_label(process.cpu),
        memory_label(process.memory),
    )


def group_cells(group: ProcessGroup) -> tuple[str, ...]:
    """All processes of one owner as a row."""
    oldest = max((process.age for process in group.processes), default=0.0)
    return (
        group.owner,
        "",
        count_label(group),
        uptime_label(oldest),
        cpu_label(group.cpu),
        memory_label(group.memory),
    )


def _group_hint(group: ProcessGroup) -> str:
    if group.kind != "keepers":
        return group.owner
    return translate("ProcessWords", "They end the servers if the app cannot do it any more.")


def count_label(group: ProcessGroup) -> str:
    shown = len(group.processes)
    if shown < group.count:
        words = translate("ProcessWords", "{shown} of {count} processes")
        return words.format(shown=shown, count=f"{group.count:,}")
    return _processes(shown)


def total_label(snapshot: Snapshot) -> str:
    """Everything in one line, what the app uses apart from what its keepers use."""
    servers, count, app = len(snapshot.servers), snapshot.count, memory_label(snapshot.app.memory)
    if not servers:
        return translate("ProcessWords", "The app itself {app}").format(app=app)
    if snapshot.keepers is not None:
        words = translate("ProcessWords", "{app}, its keepers {keepers}")
        app = words.format(app=app, keepers=memory_label(snapshot.keepers.memory))
    parts = (
        counted(
            servers,
            translate("ProcessWords", "1 server"),
            translate("ProcessWords", "{count} servers"),
        ),
        _processes(count),
        memory_label(snapshot.memory),
    )
    return translate("ProcessWords", "{servers}; the app itself {app}").format(
        servers=", ".join(parts), app=app
    )


def _processes(count: int) -> str:
    one = translate("ProcessWords", "1 process")
    return counted(count, one, translate("ProcessWords", "{count} processes"))


def cpu_label(cpu: float | None) -> str:
    """Per cent of one core; empty before there was a second look."""
    return "" if cpu is None else labels.cpu_label(cpu)


def state_label(state: str) -> str:
    """A state that a person should know of; the ordinary ones are not worth a word."""
    return {
        "zombie": translate("ProcessWords", "exited, not yet reaped"),
        "disk-sleep": translate("ProcessWords", "waiting for a device, cannot be ended"),
        "stopped": translate("ProcessWords", "stopped"),
        "tracing-stop": translate("ProcessWords", "stopped by a debugger"),
    }.get(state, "")


def exit_label(end: ServerExit) -> StyledText:
    """How a process ended, and who had it end."""
    if end.outcome == "left":
        return StyledText(translate("ProcessWords", "Could not be ended"), "danger")
    if end.cause == "person":
        return StyledText(translate("ProcessWords", "Ended by you"), "muted")
    if end.cause == "app":
        if end.outcome == "forced":
            return StyledText(translate("ProcessWords", "Stopped by force"), "warning")
        return StyledText(translate("ProcessWords", "Stopped"), "muted")
    if end.code is not None and end.code < 0:
        words = translate("ProcessWords", "Ended by signal {signal}").format(signal=-end.code)
        return StyledText(words, "warning")
    if end.code:
        words = translate("ProcessWords", "Exited with code {code}").format(code=end.code)
        return StyledText(words, "warning")
    return StyledText(translate("ProcessWords", "Ended by itself"), "muted")


def time_label(at: float) -> str:
    return time.strftime("%H:%M:%S", time.localtime(at))


Index: TypeAlias = QModelIndex | QPersistentModelIndex
Key: TypeAlias = tuple[str, int, float]
_APP: Key = ("app", 0, 0.0)
_KEEPERS: Key = ("keepers", 0, 0.0)
_BELOW = _KEEPERS, _APP
"""The groups that belong to no server, in the order they are shown below those that do."""
PROCESS, PID, OWNER, AGE, CPU, MEMORY = range(6)
COLUMNS = 6
_KEY = Qt.ItemDataRole.UserRole
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_NUMBERS = (PID, AGE, CPU, MEMORY)


@dataclass(frozen=True, slots=True)
class ProcessRow:
    """What stands behind a row: a group, or one of its processes."""

    group: ProcessGroup
    process: ProcessInfo | None

    @property
    def root(self) -> ProcessInfo | None:
        """The process of the row; of a group its first one."""
        return self.process or next(iter(self.group.processes), None)


class ProcessesModel(QStandardItemModel):
    """Six columns: process, PID, owner, age, CPU, memory."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(0, COLUMNS, parent)
        self._theme = theme
        self._items: dict[Key, QStandardItem] = {}
        self._rows: dict[Key, ProcessRow] = {}

    def show_snapshot(self, snapshot: Snapshot) -> list[QModelIndex]:
        """Bring the rows up to date; those that are new are given back."""
        wanted = dict(_rows(snapshot))
        added: list[Key] = []
        for key, (above, row) in wanted.items():
            if self._place(key, above, row):
                added.append(key)
            self._fill(self._items[key], row)
        for key in reversed([key for key in self._items if key not in wanted]):
            item = self._items.pop(key)
            self._above(item).removeRow(item.row())
        self._rows = {key: row for key, (_, row) in wanted.items()}
        return [self._items[key].index() for key in added]

    def row_at(self, index: QModelIndex) -> ProcessRow | None:
        key = index.siblingAtColumn(PROCESS).data(_KEY) if index.isValid() else None
        return self._rows.get(tuple(key)) if key is not None else None

    def set_titles(self, titles: tuple[str, ...], memory_hint: str) -> None:
        """Name the columns."""
        self.setHorizontalHeaderLabels(titles)
        for column in _NUMBERS:
            self.horizontalHeaderItem(column).setTextAlignment(_RIGHT)
        self.horizontalHeaderItem(MEMORY).setToolTip(memory_hint)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role == Qt.ItemDataRole.ForegroundRole:
            is_plain = index.column() == PROCESS or not index.parent().isValid()
            return self._theme.color("text" if is_plain else "muted")
        if role == Qt.ItemDataRole.FontRole and index.column() == PROCESS:
            if index.parent().isValid():
                return self._theme.mono_font()
            return self._theme.strong_font()
        return super().data(index, role)

    def _place(self, key: Key, above: Key | None, row: ProcessRow) -> bool:
        """See that there is a row for `key` below `above`; whether it is new there."""
        parent = self._items[above] if above is not None else self.invisibleRootItem()
        item = self._items.get(key)
        if item is not None and self._above(item) is parent:
            return False
        if item is not None:  # its parent died: it has another one now
            parent.appendRow(self._above(item).takeRow(item.row()))
            return True
        cells = [QStandardItem() for _ in range(COLUMNS)]
        for column, cell in enumerate(cells):
            cell.setEditable(False)
            if column in _NUMBERS:
                cell.setTextAlignment(_RIGHT)
        cells[PROCESS].setData(key, _KEY)
        parent.insertRow(parent.rowCount() if above else self._place_by_name(key, row), cells)
        self._items[key] = cells[PROCESS]
        return True

    def _place_by_name(self, key: Key, row: ProcessRow) -> int:
        """Where a new group belongs: by name, as the snapshot has them, and the app at the end."""
        servers = self.rowCount() - sum(key in self._items for key in _BELOW)
        if key in _BELOW:
            return servers + sum(other in self._items for other in _BELOW[: _BELOW.index(key)])
        name = row.group.owner.casefold()
        return sum(self.item(line).text().casefold() <= name for line in range(servers))

    def _above(self, item: QStandardItem) -> QStandardItem:
        return item.parent() or self.invisibleRootItem()

    def _fill(self, item: QStandardItem, row: ProcessRow) -> None:
        process = row.process
        texts = process_cells(process) if process is not None else group_cells(row.group)
        parent, line = self._above(item), item.row()
        for column, text in enumerate(texts):
            cell = parent.child(line, column)
            if cell.text() != text:
                cell.setText(text)
                if column == PROCESS:
                    # A tooltip guesses whether its text is rich: that of others must not be.
                    whole = process.command if process is not None else _group_hint(row.group)
                    cell.setToolTip(whole.replace("<", "‹"))


def _rows(snapshot: Snapshot) -> Iterator[tuple[Key, tuple[Key | None, ProcessRow]]]:
    """Each row with its key and that of the one above it, parents first."""
    owners: dict[str, int] = {}
    for group in snapshot.groups:
        number = owners[group.owner] = owners.get(group.owner, -1) + 1
        others: dict[GroupKind, Key] = {"app": _APP, "keepers": _KEEPERS}
        top = others.get(group.kind, (f"server {group.owner}", number, 0.0))
        yield top, (None, ProcessRow(group, None))
        keys = {process.pid: _key(process) for process in group.processes}
        for process in group.processes:
            above = keys.get(process.parent, top) if process.parent is not None else top
            yield keys[process.pid], (above, ProcessRow(group, process))


def _key(process: ProcessInfo) -> Key:
    return "", process.pid, process.process.create_time()
