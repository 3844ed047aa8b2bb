"""The Processes page: the process tree of each server and of the app, and recently exited servers.

Takes snapshots only while it is visible. Ends or restarts nothing itself: the service restarts a
server, the tracker kills a process by its identity.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, TypeAlias

from msgspec import Struct
from PySide6.QtCore import (
    QCoreApplication,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import QAction, QGuiApplication, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHeaderView,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QMenu,
    QPushButton,
    QSizePolicy,
    QTreeView,
)

from desktop.gui import bridge, shortcuts
from desktop.gui.layouts import InnerRow, in_column
from desktop.gui.servers import labels
from desktop.gui.servers.labels import memory_label, uptime_label
from desktop.gui.shortcuts import Shortcut, give
from desktop.gui.theme import space, style
from desktop.gui.translations import counted, listed
from desktop.gui.widgets.banner import BannerArea
from desktop.gui.widgets.empty_state import EmptyState
from desktop.gui.widgets.focus_guard import guard_focus
from desktop.gui.widgets.icons import set_icon
from desktop.gui.widgets.labels import ElidedLabel, plain_tip
from desktop.gui.widgets.question_dialog import QuestionDialog
from desktop.gui.widgets.styled_text import StyledText
from desktop.processes.snapshot import ProcessMonitor

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from PySide6.QtGui import QFocusEvent, QHideEvent, QResizeEvent, QShowEvent
    from PySide6.QtWidgets import QWidget

    from desktop.gui.theme import Theme
    from desktop.processes.snapshot import GroupKind, ProcessGroup, ProcessInfo, Snapshot
    from desktop.processes.tracker import McpProcessTracker, RecentExits, ServerExit
    from desktop.servers.service import McpService

_HEIGHT = space(30)  # about five lines; more are there to be scrolled to
translate = QCoreApplication.translate


class ExitedView(QFrame):
    """A heading and a short list; hidden while nothing ended."""

    def __init__(self, theme: Theme, ends: RecentExits) -> None:
        super().__init__()
        self._theme, self._ends = theme, ends
        self._heading = QLabel(self.tr("Recently ended"))
        style(self._heading, "heading")
        self.list = QListWidget()
        self.list.setMaximumHeight(_HEIGHT)
        self.list.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Maximum)
        self.list.setSizeAdjustPolicy(QAbstractItemView.SizeAdjustPolicy.AdjustToContents)
        self.list.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.list.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.list.setUniformItemSizes(True)
        in_column(self, self._heading, self.list)
        bridge.connect(self, ends.changed, self.refresh)
        theme.changed.connect(self.refresh)
        self.list.setAccessibleName(self.tr("Recently ended"))
        self.refresh()

    @property
    def lines(self) -> tuple[str, ...]:
        return tuple(self.list.item(row).text() for row in range(self.list.count()))

    def refresh(self) -> None:
        self.list.clear()
        for end in self._ends.exits:
            how = exit_label(end)
            line = f"{time_label(end.at)}   {end.owner}  ·  {how.text}  ·  PID {end.pid}"
            item = QListWidgetItem(" ".join(line.splitlines()))
            item.setForeground(self._theme.color(how.tone))
            self.list.addItem(item)
        self.list.updateGeometry()
        self.setVisible(self.list.count() > 0)


class EndDialog(QuestionDialog):
    """Whether to end a process."""

    def __init__(self, parent: QWidget, question: str, meaning: str) -> None:
        action = QCoreApplication.translate("EndDialog", "End process")
        super().__init__(parent, question, meaning, action)
        self.setWindowTitle(action)
        self.end = self.act


LOOK_MS = 2000
SOON_MS = 100
"""From news of a server to the next look; news that come together share it."""
SECOND_MS = 400
"""From the first look at a process to the second one, which knows its CPU."""
_WIDTH_WITH_OWNER = space(180)
"""Of the page; in a narrower one the names need the room of the owner, which heads each group."""
_WIDTHS = (space(90), space(20), space(46), space(26), space(20), space(24))


class ProcessesPage(QFrame):
    """Tree, totals and what ended lately, kept in step with the system."""

    servers_requested = Signal()

    def __init__(
        self,
        theme: Theme,
        service: McpService,
        tracker: McpProcessTracker,
        ends: RecentExits,
        problem: str = "",
    ) -> None:
        """Args: problem: why the ledger cannot be written; empty while it can."""
        super().__init__()
        self._theme, self._service, self._problem = theme, service, problem
        self._tracker = tracker
        self.monitor = ProcessMonitor(tracker, keepers=self.tr("Keepers of the servers"))
        self._following = ""
        self._is_showing = False
        self._timer, self._soon, self.second_look = QTimer(self), QTimer(self), QTimer(self)
        self.total = ElidedLabel()
        self._title = QLabel(self.tr("Processes"))
        self.banners = BannerArea(theme)
        self.model = ProcessesModel(theme, self)
        self.tree = QTreeView()
        self.empty = EmptyState(theme, "processes", "", "")
        self.ended = ExitedView(theme, ends)
        self.restart = self._action("restart", shortcuts.RESTART_PROCESS, self._restart)
        self.end = self._action("stop", shortcuts.END_PROCESS, lambda: self.ask_to_end())
        self.copy_pid = self._action("copy", shortcuts.COPY_PID, self._copy_pid)
        self.buttons = {action: self._button(action) for action in self.actions()}
        guard_focus(self.buttons[self.end])
        self.to_servers = self.empty.add_button(
            self.tr("Go to Servers"), self.servers_requested.emit, "servers"
        )
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._set_up_tree()
        self._lay_out()
        self._connect(tracker)
        self.restart.setText(self.tr("Restart server"))
        self.end.setText(self.tr("End process…"))
        self.copy_pid.setText(self.tr("Copy PID"))
        self.tree.setAccessibleName(self.tr("Processes of each server"))
        titles = self.tr("Process"), self.tr("PID"), self.tr("Owner"), self.tr("Age")
        hint = self.tr("Resident memory (RSS): shared memory is counted for each process.")
        self.model.set_titles((*titles, self.tr("CPU"), self.tr("Memory")), hint)
        self.empty.set_text(
            self.tr("No server is running"),
            self.tr("Once a server is switched on, its processes appear here."),
        )
        if self._problem:
            text = self.tr("Process records are unavailable: {problem}").format(
                problem=self._problem
            )
            self.banners.show_banner("ledger", "warning", text)

    @property
    def is_looking(self) -> bool:
        """Whether the system is looked at every now and then."""
        return self._timer.isActive()

    @property
    def current(self) -> ProcessRow | None:
        return self.model.row_at(self.tree.currentIndex())

    def look(self) -> None:
        """Take a snapshot and show it."""
        snapshot = self.monitor.take_snapshot()
        self._is_showing = True
        added = self.model.show_snapshot(snapshot)
        for index in added:
            self._open_row(index)
        self._keep_current(added)
        self._is_showing = False
        self.total.show_text(total_label(snapshot))
        self.empty.setHidden(bool(snapshot.servers))
        self.tree.setVisible(bool(snapshot.servers))
        for button in self.buttons.values():
            button.setVisible(bool(snapshot.servers))
        self._enable()
        if snapshot.lacks_cpu and self.is_looking and not self.second_look.isActive():
            self.second_look.start()

    def look_if_seen(self) -> None:
        """Look now, as F5 asks of whatever page is open."""
        if self.isVisible():
            self.look()

    def ask_to_end(self) -> EndDialog | None:
        """Ask, and only then end the process of the current row with all below it."""
        row = self.current
        if row is None or row.root is None or row.group.kind != "server":
            return None
        process = row.root
        question = self.tr("End “{name}” (PID {pid}) and everything below it?")
        dialog = EndDialog(
            self, question.format(name=process.name, pid=process.pid), self._meaning(process)
        )
        dialog.accepted.connect(bridge.if_alive(self, lambda page: page._kill(process)))
        dialog.open()
        return dialog

    def show_error(self, message: str) -> None:
        """Where the bridge shows failures, too."""
        self.banners.show_banner("error", "error", message)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._timer.start()
        self.look()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        for timer in (self._timer, self._soon, self.second_look):
            timer.stop()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.tree.setColumnHidden(OWNER, self.width() < _WIDTH_WITH_OWNER)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        target = self.to_servers if self.tree.isHidden() else self.tree
        target.setFocus(Qt.FocusReason.OtherFocusReason)

    def _open_row(self, index: QModelIndex) -> None:
        """All of a server; of the rest only the first ones: there is a keeper a server."""
        row = self.model.row_at(index)
        is_deep = index.parent().parent().isValid()
        if row is not None and (row.group.kind == "server" or not is_deep):
            self.tree.expand(index)

    def _keep_current(self, added: list[QModelIndex]) -> None:
        """Have a row chosen; that of a server that was away for a restart, once it is back."""
        back = [index for index in added if index.data() == self._following]
        if back and not back[0].parent().isValid():
            self.tree.setCurrentIndex(back[0])
            self._following = ""
        elif not self.tree.currentIndex().isValid():
            self.tree.setCurrentIndex(self.model.index(0, PROCESS))

    def _choose(self) -> None:
        if not self._is_showing:  # a person did it: they want to be there
            self._following = ""
        self._enable()

    def _connect(self, tracker: McpProcessTracker) -> None:
        self._timer.setInterval(LOOK_MS)
        self._timer.timeout.connect(self.look)
        self._soon.setInterval(SOON_MS)
        self._soon.setSingleShot(True)
        self._soon.timeout.connect(self.look)
        self.second_look.setInterval(SECOND_MS)
        self.second_look.setSingleShot(True)
        self.second_look.timeout.connect(self.look)
        bridge.connect(self, tracker.added, self._look_soon)
        bridge.connect(self, tracker.removed, self._look_soon)
        self.tree.selectionModel().currentChanged.connect(lambda: self._choose())
        self.tree.customContextMenuRequested.connect(self._open_menu)
        self._theme.changed.connect(self.tree.viewport().update)

    def _look_soon(self, *_: object) -> None:
        if self.is_looking and not self._soon.isActive():
            self._soon.start()

    def _restart(self) -> None:
        row = self.current
        if row is not None and self._can_restart(row):
            self._following = row.group.owner
            self._service.restart(row.group.owner)

    def _can_restart(self, row: ProcessRow) -> bool:
        connection = self._service.connections.get(row.group.owner)
        return row.group.kind == "server" and connection is not None and connection.is_enabled

    def _kill(self, process: ProcessInfo) -> None:
        row = self.current
        if row is not None and row.root is process and process.parent is None:
            self._following = process.owner
        self._tracker.kill_tree(process.process)
        self._look_soon()
        self.tree.setFocus(Qt.FocusReason.OtherFocusReason)

    def _copy_pid(self) -> None:
        row = self.current
        if row is not None and row.root is not None:
            QGuiApplication.clipboard().setText(str(row.root.pid))

    def _meaning(self, process: ProcessInfo) -> str:
        """What the server does when this process is gone."""
        connection = self._service.connections.get(process.owner)
        if connection is None:
            meaning = self.tr(
                "It belongs to the conversation “{name}”, which continues without it."
            )
        elif connection.pid == process.pid:
            meaning = self.tr(
                "This is the server “{name}”. Its running calls will fail and the app will "
                "reconnect it. To keep it stopped, switch it off on the Servers page."
            )
        else:
            meaning = self.tr(
                "Started by the server “{name}”, which may start it again or fail without "
                "it. Restarting the server fixes that."
            )
        return meaning.format(name=process.owner)

    def _enable(self, *_: object) -> None:
        row = self.current
        is_process = row is not None and row.root is not None
        self.restart.setEnabled(row is not None and self._can_restart(row))
        self.end.setEnabled(is_process and row is not None and row.group.kind == "server")
        self.copy_pid.setEnabled(is_process)

    def _open_menu(self, position: QPoint) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addActions(self.actions())
        menu.popup(self.tree.viewport().mapToGlobal(position))

    def _action(self, icon: str, keys: Shortcut, triggered: Callable[[], object]) -> QAction:
        action = QAction(self)
        give(action, keys)
        action.triggered.connect(lambda: triggered())
        set_icon(self._theme, action, icon)
        self.addAction(action)
        return action

    def _button(self, action: QAction) -> QPushButton:
        button = QPushButton()
        style(button, "flat")

        def follow() -> None:
            button.setText(action.text())
            button.setIcon(action.icon())
            button.setEnabled(action.isEnabled())
            button.setToolTip(f"{action.text()} ({action.shortcut().toString()})")

        action.changed.connect(follow)
        button.clicked.connect(action.trigger)
        return button

    def _set_up_tree(self) -> None:
        tree, header = self.tree, self.tree.header()
        tree.setModel(self.model)
        tree.setUniformRowHeights(True)
        tree.setAllColumnsShowFocus(True)
        tree.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        tree.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        tree.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        tree.setIndentation(space(4))
        header.setStretchLastSection(False)
        header.setSectionResizeMode(PROCESS, QHeaderView.ResizeMode.Stretch)
        for column in range(COLUMNS):
            header.resizeSection(column, _WIDTHS[column])

    def _lay_out(self) -> None:
        style(self, "page")
        style(self._title, "title")
        style(self.total, "muted")
        header = InnerRow((self._title, 1), *self.buttons.values(), spacing=1)
        in_column(
            self,
            header,
            self.total,  # a line of its own: beside the buttons it would be cut
            self.banners,
            (self.tree, 1),
            (self.empty, 1),
            self.ended,
            margins=4,
            spacing=3,
        )


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
        servers=listed(parts), app=app
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


class ProcessRow(Struct, frozen=True):
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
        gone = [self._items.pop(key) for key in [*self._items] if key not in wanted]
        for item in sorted(gone, key=_depth, reverse=True):  # one that goes takes those below along
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
                    cell.setToolTip(plain_tip(whole))


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


def _depth(item: QStandardItem) -> int:
    """How many rows stand above it, one in the other."""
    depth, above = 0, item.parent()
    while above is not None:  # pyright: ignore[reportUnnecessaryComparison] None at the top
        depth, above = depth + 1, above.parent()
    return depth
