"""The tasks that one server keeps: how each is doing, its result, and its end.

Asks the server only while a person looks at it, and again while a task works. Tools are called as
tasks elsewhere. Source: MCP specification 2025-11-25, basic/utilities/tasks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QCoreApplication, QDateTime, QLocale, Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QFrame,
    QHeaderView,
    QPushButton,
    QSplitter,
    QTreeWidget,
    QTreeWidgetItem,
)

from desktop.base.visible_text import mark_hidden
from desktop.gui import bridge
from desktop.gui.layouts import STRETCH, InnerRow, in_column
from desktop.gui.servers.labels import one_line
from desktop.gui.theme import style
from desktop.gui.translations import spoken
from desktop.gui.widgets.icons import set_icon
from desktop.gui.widgets.labels import plain_label
from desktop.gui.widgets.styled_text import StyledText
from desktop.servers.task_calls import ServerTasks, TaskState
from desktop.values.tool_types import ToolError

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Coroutine

    from PySide6.QtGui import QHideEvent, QShowEvent

    from desktop.gui.results.result_view import ResultView
    from desktop.gui.theme import Theme
    from desktop.servers.connection import ServerConnection

translate = QCoreApplication.translate
LOOK_MS: Final = 2_000
"""Between two looks while a task works."""


def status_label(task: TaskState) -> StyledText:
    """How a task is doing, in words and colour."""
    match task.status:
        case "working":
            return StyledText(translate("TaskWords", "Working"), "accent")
        case "input_required":
            return StyledText(translate("TaskWords", "Input required"), "warning")
        case "completed":
            return StyledText(translate("TaskWords", "Done"), "success")
        case "failed":
            return StyledText(translate("TaskWords", "Failed"), "danger")
        case "cancelled":
            return StyledText(translate("TaskWords", "Cancelled"), "muted")


class TasksView(QFrame):
    """A line for each task; below them the result that was asked for."""

    shown = Signal()
    """What a server said last stands there."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._connection: ServerConnection | None = None
        self._asking: asyncio.Task[None] | None = None
        self._tasks: dict[str, TaskState] = {}
        self.list, self.note = QTreeWidget(), plain_label("", "muted")
        self.refresh_button = QPushButton(self.tr("Refresh"))
        self.cancel_button = QPushButton(self.tr("Cancel task"))
        self.result_button = QPushButton(self.tr("Show result"))
        self.result: ResultView | None = None
        self._splitter = QSplitter(Qt.Orientation.Vertical)
        self._again = QTimer(self, singleShot=True, interval=LOOK_MS)
        self._again.timeout.connect(self.refresh)
        self._lay_out()
        self.list.currentItemChanged.connect(self._show_buttons)
        self.list.itemActivated.connect(self.fetch)
        self.refresh_button.clicked.connect(self.refresh)
        self.result_button.clicked.connect(self.fetch)
        self.cancel_button.clicked.connect(self.cancel)
        self.list.setHeaderLabels(
            [self.tr("Task"), self.tr("Status"), self.tr("Changed"), self.tr("Message")]
        )
        self.list.setAccessibleName(self.tr("Tasks of the server"))
        self._show_tasks()

    @property
    def lines(self) -> list[list[str]]:
        """What stands in the list."""
        items = map(self.list.topLevelItem, range(self.list.topLevelItemCount()))
        return [[item.text(n) for n in range(item.columnCount())] for item in items if item]

    def show_server(self, connection: ServerConnection | None) -> None:
        """Show another server from now on."""
        if connection is self._connection:
            return
        self._connection = connection
        self._tasks = {}
        self._show_tasks()
        if self.result is not None:
            self.result.hide()
        if self.isVisible():
            self.refresh()

    def refresh(self) -> None:
        """Ask the server for its tasks."""
        connection = self._connection
        if connection is not None and connection.is_connected and self.isVisible():
            self._ask(self._read(connection))

    def fetch(self) -> None:
        """Show the result of the chosen task, where it has one."""
        connection, task = self._connection, self._chosen
        if connection is not None and task is not None and _is_over(task):
            self._ask(self._fetch(connection, task))

    def cancel(self) -> None:
        """End the chosen task at its server."""
        connection, task = self._connection, self._chosen
        if connection is not None and task is not None and not _is_over(task):
            self._ask(self._cancel(connection, task))

    def _ask(self, asking: Coroutine[Any, Any, None]) -> None:
        self._again.stop()
        if self._asking is not None:
            self._asking.cancel()
        self._asking = bridge.run(self, asking, self.tr("Tasks"))

    async def _read(self, connection: ServerConnection) -> None:
        found = await ServerTasks(connection).list()
        if connection is self._connection:
            self._show_answer(found)

    async def _fetch(self, connection: ServerConnection, task: TaskState) -> None:
        result = await ServerTasks(connection).result(task.id)
        if connection is not self._connection:
            return
        if self.result is None:
            from desktop.gui.results.result_view import ResultView  # few have tasks

            self.result = ResultView(self._theme)
            self._splitter.addWidget(self.result)
        self.result.show_result(result, "task")
        self.result.show()
        self.shown.emit()

    async def _cancel(self, connection: ServerConnection, task: TaskState) -> None:
        ended = await ServerTasks(connection).cancel(task.id)
        if isinstance(ended, ToolError):
            self._show_answer(ended)
        else:
            await self._read(connection)

    def _show_answer(self, found: tuple[TaskState, ...] | ToolError) -> None:
        if isinstance(found, ToolError):
            self._say(spoken(found.message), is_problem=True)
        else:
            self._tasks = {task.id: task for task in found}
            self._show_tasks()
            if any(not _is_over(task) for task in found):
                self._again.start()
        self.shown.emit()

    def _show_tasks(self) -> None:
        chosen = self._chosen
        self.list.clear()
        for task in self._tasks.values():
            item = self._line(task)
            self.list.addTopLevelItem(item)
            if chosen is not None and task.id == chosen.id:
                self.list.setCurrentItem(item)
        self._say("" if self._tasks else self._nothing_there, is_problem=False)
        self._show_buttons()

    @property
    def _nothing_there(self) -> str:
        return self.tr("No tasks. Calls that run as tasks appear here while the server keeps them.")

    def _line(self, task: TaskState) -> QTreeWidgetItem:
        status = status_label(task)
        texts = [one_line(mark_hidden(task.id)), status.text, _time(task), one_line(task.message)]
        item = QTreeWidgetItem(texts)
        item.setData(0, Qt.ItemDataRole.UserRole, task.id)
        item.setForeground(1, self._theme.color(status.tone))
        return item

    @property
    def _chosen(self) -> TaskState | None:
        item = self.list.currentItem()
        return self._tasks.get(item.data(0, Qt.ItemDataRole.UserRole)) if item is not None else None

    def _show_buttons(self) -> None:
        task = self._chosen
        self.result_button.setEnabled(task is not None and _is_over(task))
        self.cancel_button.setEnabled(task is not None and not _is_over(task))

    def _say(self, words: str, *, is_problem: bool) -> None:
        self.note.setText(words)
        self.note.setVisible(bool(words))
        style(self.note, "danger" if is_problem else "muted")

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._again.stop()

    def _lay_out(self) -> None:
        set_icon(self._theme, self.refresh_button, "restart")
        self.list.setRootIsDecorated(False)
        self.list.setAllColumnsShowFocus(True)
        self.list.setUniformRowHeights(True)
        header = self.list.header()
        self.list.setColumnCount(4)
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self._splitter.addWidget(self.list)
        self._splitter.setChildrenCollapsible(False)
        buttons = InnerRow(self.refresh_button, self.result_button, self.cancel_button, STRETCH)
        in_column(self, buttons, self.note, (self._splitter, 1), margins=(0, 3, 0, 0))


def _is_over(task: TaskState) -> bool:
    return task.status in {"completed", "failed", "cancelled"}


def _time(task: TaskState) -> str:
    """When it last changed, in the time of this computer; what is no time stays as it is."""
    stamp = task.updated or task.created
    at = QDateTime.fromString(stamp, Qt.DateFormat.ISODateWithMs)
    if not at.isValid():
        return one_line(stamp)
    return QLocale().toString(at.toLocalTime(), "yyyy-MM-dd HH:mm:ss")
