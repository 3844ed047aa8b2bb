"""The left side of the Tools page: a search field over the tools of all servers.

Must not know how tools run. Tools are named by their key, `server:tool`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QModelIndex, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLabel, QListView, QStackedLayout, QVBoxLayout, QWidget

from desktop.gui.theme import Theme, space, style
from desktop.gui.tools.tool_list_model import ToolListDelegate, ToolListModel
from desktop.gui.tools.tool_search import ToolSearch
from desktop.gui.translations import counted
from desktop.gui.widgets.change_note import ChangeNote
from desktop.gui.widgets.empty_state import ListHint
from desktop.gui.widgets.retranslation import Retranslated
from desktop.gui.widgets.search_fields import SearchField
from desktop.gui.widgets.two_line_rows import show_two_line_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.tool_types import ToolDefinition


_ENTER = {Qt.Key.Key_Return, Qt.Key.Key_Enter}
_LIST_KEYS = (Qt.Key.Key_Down, Qt.Key.Key_Up, Qt.Key.Key_PageDown, Qt.Key.Key_PageUp)


class ToolList(Retranslated, QWidget):
    """The search field, the matching tools, and what to do if there are none."""

    tool_selected = Signal(str)
    """A tool was selected: show it."""
    activated = Signal(str)
    """Enter or double click: go on to its form."""
    servers_requested = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._key = ""
        self._restoring = False
        self._search = ToolSearch(self)
        self._model = ToolListModel(self)
        self.search_box = SearchField(self, exit_keys=_LIST_KEYS)
        self.view = QListView(self)
        self._count = QLabel(self)
        self.changes = ChangeNote(self)
        self._stack = QStackedLayout()
        self._no_tools, self._no_matches = ListHint(self), ListHint(self)
        self._delegate = ToolListDelegate(theme, self.view)
        self._set_up_view(theme)
        self._lay_out()
        self._connect()
        self.retranslate()

    @property
    def current_key(self) -> str:
        return self._key

    def replace_tools(self, tools: Sequence[ToolDefinition]) -> None:
        """Show other tools; keeps selection and scroll position where possible."""
        self._search.replace_tools(tools)

    def select(self, key: str) -> None:
        """Select `key` without a signal."""
        self._key = key
        self._restore_selection(scroll=True)

    def focus_search(self) -> None:
        self.search_box.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.search_box.selectAll()

    def mark_running(self, keys: frozenset[str]) -> None:
        """Mark the tools that have a running call."""
        self._delegate.running = keys
        self.view.viewport().update()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        is_enter = (
            isinstance(event, QKeyEvent)
            and event.type() == QEvent.Type.KeyPress
            and event.key() in _ENTER
            and not event.modifiers()
        )
        if is_enter:
            self._activate()
        return is_enter or super().eventFilter(watched, event)

    def _set_up_view(self, theme: Theme) -> None:
        self.view.setModel(self._model)
        show_two_line_rows(self.view, self._delegate, theme)
        style(self._count, "muted", "small")
        self._count.setTextFormat(Qt.TextFormat.PlainText)

    def _lay_out(self) -> None:
        layout = QVBoxLayout(self)
        layout.setContentsMargins(space(3), space(3), space(2), space(2))
        layout.setSpacing(space(2))
        layout.addWidget(self.search_box)
        layout.addLayout(self._stack, 1)
        layout.addWidget(self._count)
        layout.addWidget(self.changes)
        for widget in (self.view, self._no_tools, self._no_matches):
            self._stack.addWidget(widget)

    def _connect(self) -> None:
        self.search_box.textChanged.connect(self._search.look_for)
        self.search_box.exited.connect(self._move)
        self.search_box.returnPressed.connect(self._activate_best)
        self.view.installEventFilter(self)
        self.view.selectionModel().currentChanged.connect(self._choose)
        self.view.doubleClicked.connect(self._activate)
        self._search.started.connect(self._show_matches)
        self._search.continued.connect(self._show_more)
        self._search.finished.connect(self._show_state)
        self._no_tools.step_requested.connect(self.servers_requested)
        self._no_matches.step_requested.connect(self.search_box.clear)

    def _show_matches(self, tools: list[ToolDefinition]) -> None:
        top = self._model.tool(self.view.indexAt(self.view.viewport().rect().topLeft()).row())
        self._restoring = True
        self._model.replace(tools)
        self._restoring = False
        row = self._model.row_of(top.key) if top and not self.search_box.text() else -1
        if row >= 0:
            self.view.scrollTo(self._model.index(row), QListView.ScrollHint.PositionAtTop)
        self._restore_selection(scroll=False)
        self._show_state()

    def _show_more(self, tools: list[ToolDefinition]) -> None:
        self._model.append(tools)
        if not self.view.currentIndex().isValid():
            self._restore_selection(scroll=False)
        self._show_state()

    def _restore_selection(self, *, scroll: bool) -> None:
        row = self._model.row_of(self._key) if self._key else -1
        index = self._model.index(row) if row >= 0 else QModelIndex()
        self._restoring = True
        self.view.setAutoScroll(scroll)  # else the view scrolls to the row by itself
        self.view.setCurrentIndex(index)
        self.view.setAutoScroll(True)
        self._restoring = False

    def _show_state(self) -> None:
        shown, known = self._model.rowCount(), self._search.tool_count
        if not known:
            self._stack.setCurrentWidget(self._no_tools)
        elif not shown and self._search.is_finished:
            self._stack.setCurrentWidget(self._no_matches)
        else:
            self._stack.setCurrentWidget(self.view)
        self._count.setVisible(bool(known))
        one, many = self.tr("1 tool"), self.tr("{count} tools")
        if self.search_box.text().strip():
            one, many = self.tr("{shown} of 1 tool"), self.tr("{shown} of {count} tools")
        words = counted(known, one, many, shown=f"{shown:,}")
        self._count.setText(words)

    def retranslate(self) -> None:
        self.search_box.set_purpose(self.tr("Search tools"))
        self.search_box.setToolTip(self.tr("Ctrl+F or /"))
        self.view.setAccessibleName(self.tr("Tools"))
        self._no_tools.set_text(
            self.tr("No tools yet"),
            self.tr("Tools appear here once a connected server offers some."),
            self.tr("Add or switch on a server"),
        )
        self._no_matches.set_text(
            self.tr("Nothing matches"),
            self.tr("Every word must match the name, title, description or server."),
            self.tr("Show all tools"),
        )
        self._show_state()

    def _choose(self, current: QModelIndex) -> None:
        tool = self._model.tool(current.row())
        if not self._restoring and tool is not None and tool.key != self._key:
            self._key = tool.key
            self.tool_selected.emit(tool.key)

    def _activate(self) -> None:
        tool = self._model.tool(self.view.currentIndex().row())
        if tool is not None:
            self.activated.emit(tool.key)

    def _activate_best(self) -> None:
        if not self.view.currentIndex().isValid():
            self.view.setCurrentIndex(self._model.index(0))
        self._activate()

    def _move(self, key: Qt.Key) -> None:
        row = self.view.currentIndex().row()
        page = max(1, self.view.viewport().height() // max(1, self.view.sizeHintForRow(0)))
        steps = {Qt.Key.Key_Up: -1, Qt.Key.Key_PageUp: -page, Qt.Key.Key_PageDown: page}
        target = 0 if row < 0 else row + steps.get(key, 1)
        last = self._model.rowCount() - 1
        if last >= 0:
            self.view.setCurrentIndex(self._model.index(min(max(target, 0), last)))
