"""The Processes page: the process tree of each server and of the app, and recently exited servers.

Takes snapshots only while it is visible. Ends or restarts nothing itself: the service restarts a
server, the tracker kills a process by its identity.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QModelIndex, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QGuiApplication
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
from desktop.gui.processes import model
from desktop.gui.processes.model import COLUMNS, OWNER, PROCESS, ProcessesModel, ProcessRow
from desktop.gui.shortcuts import Shortcut, give
from desktop.gui.theme import space, style
from desktop.gui.widgets.banner import BannerArea
from desktop.gui.widgets.empty_state import EmptyState
from desktop.gui.widgets.focus_guard import guard_focus
from desktop.gui.widgets.icons import set_icon
from desktop.gui.widgets.labels import ElidedLabel
from desktop.gui.widgets.question_dialog import QuestionDialog
from desktop.processes.snapshot import ProcessMonitor

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QFocusEvent, QHideEvent, QResizeEvent, QShowEvent
    from PySide6.QtWidgets import QWidget

    from desktop.gui.theme import Theme
    from desktop.processes.snapshot import ProcessInfo
    from desktop.processes.tracker import McpProcessTracker, RecentExits
    from desktop.servers.service import McpService

_HEIGHT = space(30)  # about five lines; more are there to be scrolled to


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
            how = model.exit_label(end)
            line = f"{model.time_label(end.at)}   {end.owner}  ·  {how.text}  ·  PID {end.pid}"
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
        self.total.show_text(model.total_label(snapshot))
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
        header = InnerRow((self._title, 1), *self.buttons.values(), spacing=3)
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
