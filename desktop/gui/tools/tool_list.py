"""The left side of the Tools page: the tools of all servers, by server, with search and filters.

Must not know how tools run. Tools are named by their key, `server:tool`.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QEvent, QModelIndex, QObject, QSize, Qt, Signal
from PySide6.QtGui import QActionGroup, QIcon, QKeyEvent, QMouseEvent, QShowEvent
from PySide6.QtWidgets import (
    QListView,
    QMenu,
    QPushButton,
    QSizePolicy,
    QStackedLayout,
    QToolButton,
    QWidget,
)

from desktop.base.visible_text import mark_hidden
from desktop.gui import shortcuts
from desktop.gui.layouts import STRETCH, in_column, in_row
from desktop.gui.theme import Theme, space, style
from desktop.gui.tools.tool_list_model import ToolListDelegate, ToolListModel
from desktop.gui.tools.tool_search import ToolSearch
from desktop.gui.tools.tool_sections import rows_of, section_of_server
from desktop.gui.translations import counted
from desktop.gui.widgets.change_note import ChangeNote
from desktop.gui.widgets.empty_state import ListHint
from desktop.gui.widgets.labels import ElidedLabel
from desktop.gui.widgets.row_layout import star_place
from desktop.gui.widgets.search_fields import SearchField
from desktop.gui.widgets.server_faces import ServerFaces, face
from desktop.gui.widgets.two_line_rows import show_two_line_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.gui.tools.remembered_tools import RememberedTools
    from desktop.gui.tools.tool_sections import Row
    from desktop.values.tool_types import ToolDefinition

_ANY_KEYBOARD = Qt.KeyboardModifier.KeypadModifier  # macOS: the arrow keys
_PRESSES = {QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonDblClick}
_LIST_KEYS = (Qt.Key.Key_Down, Qt.Key.Key_Up, Qt.Key.Key_PageDown, Qt.Key.Key_PageUp)
_NAME_LENGTH = 40


class ToolList(QWidget):
    """The search field, the matching tools, and what to do if there are none."""

    tool_selected = Signal(str)
    """A tool was selected: show it."""
    activated = Signal(str)
    """Enter or double click: go on to its form."""
    servers_requested = Signal()

    def __init__(
        self, theme: Theme, remembered: RememberedTools, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._remembered = remembered
        self._tools: list[ToolDefinition] = []
        self._recent: tuple[str, ...] = ()
        self._key = ""
        self._section = ""
        self._is_on_section = False
        self._restoring = self._has_moved = False
        self._note = ""
        self._search = ToolSearch(self)
        self._model = ToolListModel(self)
        self.search_box = SearchField(self, exit_keys=_LIST_KEYS)
        self.filters = ToolFilters(theme, self)
        self.view = QListView(self)
        self._count = ElidedLabel()
        self.changes = ChangeNote(self)
        self._stack = QStackedLayout()
        self._no_tools, self._no_matches = ListHint(self), ListHint(self)
        self._delegate = ToolListDelegate(theme, self.view)
        self._set_up_view(theme)
        self._lay_out()
        self._connect()
        self._show_choices()
        self.search_box.set_purpose(self.tr("Search tools"))
        self.search_box.setToolTip(shortcuts.SEARCH_TOOLS.label)
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

    @property
    def current_key(self) -> str:
        return self._key

    def replace_tools(self, tools: Sequence[ToolDefinition]) -> None:
        """Show other tools; keeps selection and scroll position where possible."""
        self.filters.set_tools(tools)
        self._search.replace_tools(tools)

    def select(self, key: str) -> None:
        """Select `key` without a signal; opens the section that it is in."""
        self._key = key
        self._section, self._is_on_section = section_of_server(key.partition(":")[0]), False
        self._open_section(self._section, is_open=True)
        self._restore_selection(scroll=True)

    def set_note(self, words: str) -> None:
        """Say `words` beside the number of tools."""
        self._note = words
        self._show_state()

    def focus_search(self) -> None:
        self.search_box.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.search_box.selectAll()

    def mark_running(self, keys: frozenset[str]) -> None:
        """Mark the tools that have a running call; paints no other row."""
        changed, self._delegate.running = keys ^ self._delegate.running, keys
        room = self.view.viewport().rect()
        first = self.view.indexAt(room.topLeft()).row()
        last = self.view.indexAt(room.bottomLeft()).row()
        for row in range(max(first, 0), (last if last >= 0 else self._model.rowCount() - 1) + 1):
            tool = self._model.tool(row)
            if tool is not None and tool.key in changed:
                self.view.update(self._model.index(row))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._recent != self._remembered.recent:  # not while it is looked at: rows would move
            self._recent = self._remembered.recent
            self._arrange()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            is_handled = not event.modifiers() & ~_ANY_KEYBOARD and self._press(event)
        elif isinstance(event, QMouseEvent) and event.type() in _PRESSES:
            is_handled = watched is self.view.viewport() and self._press_star(event)
        else:
            is_handled = False
        return is_handled or super().eventFilter(watched, event)

    def _press(self, event: QKeyEvent) -> bool:
        """Keys of a tree: they open and close sections, and Enter goes on to the form."""
        section, key = self._model.section(self.view.currentIndex().row()), event.key()
        is_enter = shortcuts.GO_TO_FORM.matches(event)
        if is_enter and section is None:
            self._activate()
        elif section is not None and (is_enter or key == Qt.Key.Key_Space):
            self._open_section(section.id, is_open=not section.is_open)
        elif key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            self._step(is_left=key == Qt.Key.Key_Left)
        else:
            return False
        return True

    def _step(self, *, is_left: bool) -> None:
        """Left closes a section, or goes up to it; Right opens it, or goes down into it."""
        row = self.view.currentIndex().row()
        section = self._model.section(row)
        if section is not None and section.is_open == is_left:
            self._open_section(section.id, is_open=not is_left)
        elif section is not None and not is_left:
            self.view.setCurrentIndex(self._model.index(row + 1))
        elif is_left and section is None and (around := self._model.section_around(row)):
            self.view.setCurrentIndex(self._model.index(self._model.row_of_section(around.id)))

    def _press_star(self, event: QMouseEvent) -> bool:
        place = event.position().toPoint()
        index = self.view.indexAt(place)
        tool = self._model.tool(index.row())
        if tool is None or not star_place(self.view.visualRect(index)).contains(place):
            return False
        if event.button() == Qt.MouseButton.LeftButton:
            self._remembered.toggle_favourite(tool.key)
        return True

    def toggle_favourite(self) -> None:
        """Make the selected tool a favourite, or no longer."""
        tool = self._model.tool(self.view.currentIndex().row())
        if tool is not None:
            self._remembered.toggle_favourite(tool.key)

    def _set_up_view(self, theme: Theme) -> None:
        self.view.setModel(self._model)
        show_two_line_rows(self.view, self._delegate, theme)
        style(self._count, "muted", "small")

    def _lay_out(self) -> None:
        in_column(
            self,
            self.search_box,
            self.filters,
            (self._stack, 1),
            self._count,
            self.changes,
            margins=(3, 3, 2, 2),
        )
        for widget in (self.view, self._no_tools, self._no_matches):
            self._stack.addWidget(widget)

    def _connect(self) -> None:
        self.search_box.textChanged.connect(self._look_for)
        self.search_box.exited.connect(self._move)
        self.search_box.returnPressed.connect(self._activate_best)
        self.view.installEventFilter(self)
        self.view.viewport().installEventFilter(self)
        self.view.clicked.connect(self._click)
        self.filters.changed.connect(self._apply_filter)
        self._remembered.changed.connect(self._show_choices)
        self.view.selectionModel().currentChanged.connect(self._choose)
        self.view.doubleClicked.connect(self._activate)
        self._search.started.connect(self._show_matches)
        self._search.continued.connect(self._show_more)
        self._search.finished.connect(self._show_state)
        self._no_tools.step_requested.connect(self.servers_requested)
        self._no_matches.step_requested.connect(self._show_all)

    def _apply_filter(self) -> None:
        chosen = self.filters.filter
        self._search.filter(chosen.passes if chosen != ToolFilter() else None)

    def _show_all(self) -> None:
        self.search_box.clear()
        self.filters.clear()

    def _click(self, index: QModelIndex) -> None:
        if (section := self._model.section(index.row())) is not None:
            self._open_section(section.id, is_open=not section.is_open)

    def _open_section(self, section: str, *, is_open: bool) -> None:
        if is_open == (section in self._remembered.closed):
            self._remembered.close_section(section, is_closed=not is_open)
            self._arrange()

    def _show_choices(self) -> None:
        self._delegate.favourites = frozenset(self._remembered.favourites)
        self._arrange()
        self.view.viewport().update()

    def _rows(self) -> Sequence[Row]:
        """What is searched is one list, best first; all else stands below its server."""
        known = self._remembered
        if self.search_box.text().strip():
            self._recent = known.recent  # shown when the search ends
            return self._tools
        return rows_of(self._tools, known.favourites, self._recent, known.closed)

    def _show_matches(self, tools: list[ToolDefinition]) -> None:
        self._tools = tools
        self._arrange()
        self._show_state()

    def _arrange(self) -> None:
        """Show the tools in their order; what stood at the top stays there where it can."""
        at_top = self.view.indexAt(self.view.viewport().rect().topLeft()).row()
        top, around = self._model.tool(at_top), self._model.section_around(at_top)
        value = self.view.verticalScrollBar().value()
        self._restoring = True
        self._model.replace(self._rows())
        self._restoring = False
        row = -1
        if not self.search_box.text() and value > 0:
            section = around.id if around is not None else ""
            row = self._model.row_of(top.key, section) if top is not None else -1
            row = row if row >= 0 else self._model.row_of_section(section)
        if row >= 0:
            self.view.scrollTo(self._model.index(row), QListView.ScrollHint.PositionAtTop)
        self._restore_selection(scroll=False)

    def _show_more(self, tools: list[ToolDefinition]) -> None:
        self._model.append(tools)
        self._tools = [*self._tools, *tools]
        if not self.view.currentIndex().isValid():
            self._restore_selection(scroll=False)
        self._show_state()

    def _restore_selection(self, *, scroll: bool) -> None:
        row = self._model.row_of_section(self._section) if self._is_on_section else -1
        if row < 0 and self._key:
            row = self._model.row_of(self._key, self._section)
        index = self._model.index(row) if row >= 0 else QModelIndex()
        self._restoring = True
        self.view.setAutoScroll(scroll)  # else the view scrolls to the row by itself
        self.view.setCurrentIndex(index)
        self.view.setAutoScroll(True)
        self._restoring = False

    def _show_state(self) -> None:
        shown, known = self._search.found_count, self._search.tool_count
        if not known:
            self._stack.setCurrentWidget(self._no_tools)
        elif not shown and self._search.is_finished:
            self._stack.setCurrentWidget(self._no_matches)
        else:
            self._stack.setCurrentWidget(self.view)
        self._count.setVisible(bool(known))
        one, many = self.tr("1 tool"), self.tr("{count} tools")
        if self.search_box.text().strip() or self.filters.filter != ToolFilter():
            one, many = self.tr("{shown} of 1 tool"), self.tr("{shown} of {count} tools")
        words = counted(known, one, many, shown=f"{shown:,}")
        if meant := self._search.meant:
            words = self.tr("Shown for “{meant}”").format(meant=meant)
        self._count.show_text("  ·  ".join(filter(None, (words, self._note))))

    def _choose(self, current: QModelIndex) -> None:
        if self._restoring or not current.isValid():
            return
        tool, around = self._model.tool(current.row()), self._model.section_around(current.row())
        self._section = around.id if around is not None else ""
        self._is_on_section = tool is None
        if tool is not None and tool.key != self._key:
            self._key = tool.key
            self.tool_selected.emit(tool.key)

    def _activate(self) -> None:
        tool = self._model.tool(self.view.currentIndex().row())
        if tool is not None:
            self.activated.emit(tool.key)

    def _activate_best(self) -> None:
        """Open the first match, unless the arrows chose another one since it was typed."""
        is_first = bool(self.search_box.text().strip()) and not self._has_moved
        if is_first or self._model.tool(self.view.currentIndex().row()) is None:
            self.view.setCurrentIndex(self._model.index(self._model.next_tool(0, 1)))
        self._activate()

    def _look_for(self, query: str) -> None:
        self._has_moved = False
        self._search.look_for(query)

    def _move(self, key: Qt.Key) -> None:
        """Move on from the search field: from tool to tool, over what stands above sections."""
        self._has_moved = True
        row = self.view.currentIndex().row()
        page = max(1, self.view.viewport().height() // max(1, self.view.sizeHintForRow(0)))
        steps = {Qt.Key.Key_Up: -1, Qt.Key.Key_PageUp: -page, Qt.Key.Key_PageDown: page}
        step = steps.get(key, 1)
        target = min(max(0 if row < 0 else row + step, 0), self._model.rowCount() - 1)
        found = self._model.next_tool(target, step)
        if found < 0:
            found = self._model.next_tool(target, -step)
        if found >= 0:
            self.view.setCurrentIndex(self._model.index(found))


class ToolFilter(NamedTuple):
    """Which tools are shown; all, unless something is said."""

    server: str = ""
    is_read_only: bool = False
    is_destructive: bool = False

    def passes(self, tool: ToolDefinition) -> bool:
        if self.server and tool.server != self.server:
            return False
        hints = tool.annotations
        if self.is_read_only:
            return bool(hints.read_only)
        return not self.is_destructive or bool(hints.destructive and not hints.read_only)


class ToolFilters(QWidget):
    """A menu of the servers, and two chips of which one at most is pressed."""

    changed = Signal()
    """`filter` is another one."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._servers: tuple[str, ...] = ()
        self._server = ""
        self.server = QToolButton(self)
        self.menu = QMenu(self.server)
        self.destructive = QPushButton(self.tr("Destructive"), self)
        self.read_only = QPushButton(self.tr("Read-only"), self)
        self.server.setMenu(self.menu)
        self.server.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.server.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.server.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.server.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.server.setMinimumWidth(space(12))
        self.server.setIconSize(QSize(space(3.5), space(3.5)))
        self.menu.aboutToShow.connect(self._fill_menu)
        theme.changed.connect(self._show_server)
        ServerFaces.of(theme).changed.connect(self._show_server)
        style(self.server, "chip")
        for chip, other in (
            (self.read_only, self.destructive),
            (self.destructive, self.read_only),
        ):
            chip.setCheckable(True)
            chip.clicked.connect(partial(self._choose_hint, other))
            style(chip, "chip")
        in_row(self, self.server, self.read_only, self.destructive, STRETCH, spacing=1)
        self._set_texts()

    @property
    def filter(self) -> ToolFilter:
        return ToolFilter(self._server, self.read_only.isChecked(), self.destructive.isChecked())

    def set_tools(self, tools: Sequence[ToolDefinition]) -> None:
        """Offer what tells these apart: a choice among one is none."""
        self._servers = tuple(dict.fromkeys([tool.server for tool in tools]))
        has_read_only = any(tool.annotations.read_only for tool in tools)
        has_destructive = any(tool.annotations.destructive for tool in tools)
        self.read_only.setHidden(not (has_read_only or self.read_only.isChecked()))
        self.destructive.setHidden(not (has_destructive or self.destructive.isChecked()))
        self._show_server()
        chips = self.server, self.read_only, self.destructive
        self.setHidden(all(chip.isHidden() for chip in chips))

    def clear(self) -> None:
        """Show all tools."""
        if self.filter != ToolFilter():
            self.read_only.setChecked(False)
            self.destructive.setChecked(False)
            self._choose_server("")

    def _set_texts(self) -> None:
        for chip in (self.read_only, self.destructive):
            chip.setToolTip(self.tr("Claimed by the server, not verified"))
        self._show_server()

    def _choose_hint(self, other: QPushButton, _: bool = True) -> None:
        other.setChecked(False)
        self.changed.emit()

    def _choose_server(self, server: str, _: bool = True) -> None:
        self._server = server
        self._show_server()
        self.changed.emit()

    def _show_server(self) -> None:
        self.server.setVisible(len(self._servers) > 1 or bool(self._server))
        name = _short(self._server) if self._server else self.tr("All servers")
        self.server.setText(f"{name} ▾")
        drawn = face(self._theme, self._server, size=space(3.5)) if self._server else None
        self.server.setIcon(QIcon() if drawn is None else QIcon(drawn))
        self.server.setAccessibleName(self.tr("Server: {server}").format(server=name))
        style(self.server, "chip", *(("accent",) if self._server else ()))

    def _fill_menu(self) -> None:
        self.menu.clear()
        group = QActionGroup(self.menu)
        for server in ("", *self._servers):
            action = self.menu.addAction(_short(server) if server else self.tr("All servers"))
            if server:
                action.setIcon(QIcon(face(self._theme, server)))
            action.setCheckable(True)
            action.setChecked(server == self._server)
            action.triggered.connect(partial(self._choose_server, server))
            group.addAction(action)


def _short(name: str) -> str:
    """A name as a menu shows it: hidden characters marked, no mnemonic, not too long."""
    shown = mark_hidden(name[:_NAME_LENGTH]).replace("&", "&&")
    return shown if len(name) <= _NAME_LENGTH else f"{shown}…"
