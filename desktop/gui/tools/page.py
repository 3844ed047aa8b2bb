"""The Tools page: every tool of every server on the left, the selected one on the right.

Knows the core only through `interfaces`. Keeps the views of the tools used last, and of those that
run; of the others what was typed, of the last ones the result, so that a long session stays as
light as a short one. Keeps the definitions of tools that are gone for a while, so that a past call
can still be shown.
"""

from __future__ import annotations

import gc
from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QByteArray, QCoreApplication, QEvent, QSettings, Qt, QTimer, Signal
from PySide6.QtWidgets import QSplitter, QStackedWidget, QWidget

from desktop.base.visible_text import mark_hidden
from desktop.gui import bridge, shortcuts
from desktop.gui.layouts import in_row
from desktop.gui.shortcuts import bind, press_in
from desktop.gui.theme import Theme, space, style
from desktop.gui.tools.call_menu import is_wanted
from desktop.gui.tools.interfaces import no_server
from desktop.gui.tools.remembered_tools import RememberedTools
from desktop.gui.tools.tool_list import ToolList
from desktop.gui.tools.tool_view import Answer, ToolView
from desktop.gui.widgets.empty_state import EmptyState
from desktop.gui.widgets.tab_zones import move_focus
from desktop.values.tool_types import ToolDefinition

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QHideEvent, QKeyEvent, QResizeEvent, QShowEvent

    from desktop.gui.form.model.form_model import FormState
    from desktop.gui.results.companion import CompanionOf
    from desktop.gui.results.feed_column import ResourceReader
    from desktop.gui.tools.interfaces import (
        AwaitedCatalog,
        ResourceSource,
        ServerSource,
        ToolCatalog,
        ToolRunner,
    )
    from desktop.values.resource_types import ReadResult
    from desktop.values.tool_types import JsonObject

_MAX_GONE: Final = 1000
_MAX_VIEWS: Final = 1
_MAX_FIELDS: Final = 50
"""Views that are kept beside the one that is shown, and the fields of their forms: a field is a
dozen widgets, 200 kB, and each of them is polished again when the theme changes."""
_MAX_LEFT: Final = 500
"""Forms whose view was dropped, and what was typed in them."""
_MAX_ANSWERS: Final = 10
"""Of these, the last ones have their result, too."""


class KnownTools:
    """Definitions by key; of the tools that are gone, the latest `_MAX_GONE`."""

    def __init__(self) -> None:
        self._now: dict[str, ToolDefinition] = {}
        self._gone: dict[str, ToolDefinition] = {}

    @property
    def tools(self) -> Sequence[ToolDefinition]:
        return list(self._now.values())

    def replace(self, tools: Sequence[ToolDefinition]) -> None:
        """Take these as all tools there are now."""
        before, self._now = self._now, {tool.key: tool for tool in tools}
        self._gone |= {key: tool for key, tool in before.items() if key not in self._now}
        for key in list(self._gone)[: max(0, len(self._gone) - _MAX_GONE)]:
            del self._gone[key]

    def now(self, key: str) -> ToolDefinition | None:
        return self._now.get(key)

    def last(self, key: str) -> ToolDefinition | None:
        """The definition as it is now, or as it was last."""
        return self._now.get(key) or self._gone.get(key)


_REFRESH_MS = 40
"""Milliseconds in which lists that arrive page by page are collected and shown together."""

_GARBAGE_MS = 500
"""Milliseconds after which what is left of dropped views is freed. Their rows hold each other, and
the window's own collector would set them aside with what lives, for minutes."""

_INPUT_MS = 800
"""Milliseconds without a change after which what is typed is kept for the next run."""

_LIST_WIDTH = 70  # grid steps: the longest usual names fit, and form and result beside it
_LEAST_LIST_WIDTH = 60
_SMALL = space(180)
"""Pixels of a page below which a form needs some of the list's room."""
_COLUMNS = "tools/columns"


class ToolsPage(QWidget):
    """Search, choose, fill in, run, look."""

    save_requested = Signal(str, object)
    """A person wants to keep a call: the key `server:tool`, and the arguments, a dict.

    Offered in the menu of views made after somebody connected to it; so is the next.
    """
    history_requested = Signal(str)
    """A person wants to see the earlier calls of the tool with this key."""
    resource_requested = Signal(str, str)
    """A person wants to see what a link in a result leads to: the server and the URI."""
    servers_requested = Signal()
    """The person has no tools and wants to add or switch on a server."""
    view_made = Signal(object)
    """The `ToolView` of a tool is there; features add what they have."""
    refreshed = Signal()
    """The tools of the registry are shown as they are now."""

    def __init__(
        self,
        registry: ToolCatalog,
        runner: ToolRunner,
        theme: Theme,
        settings: QSettings,
        parent: QWidget | None = None,
        *,
        server_of: ServerSource = no_server,
        read_resource: ResourceSource | None = None,
        awaited: AwaitedCatalog | None = None,
        companion_of: CompanionOf | None = None,
    ) -> None:
        """Args: read_resource: opens the links of results in place.

        awaited: tools that are listed until their server has started.
        companion_of: makes what stands beside results.
        """
        super().__init__(parent)
        self._awaited, self._companion_of = awaited, companion_of
        self._read_resource = read_resource
        self._server_of = server_of
        self._registry = registry
        self._runner = runner
        self._theme = theme
        self._settings = settings
        self._known = KnownTools()
        self._views: dict[str, ToolView] = {}  # the one shown last is the last
        self._left: dict[str, tuple[FormState, Answer | None]] = {}
        self._is_stale = True
        self.remembered = RememberedTools(settings, self)
        self.tool_list = ToolList(theme, self.remembered, self)
        self.splitter = QSplitter(Qt.Orientation.Horizontal, self)
        self.stack = QStackedWidget(self)
        self._nothing_chosen = EmptyState(theme, "tools", "", "")
        self._waiting: EmptyState | None = None
        self._wanted = ""
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self._show_wanted)
        self._garbage = QTimer(self, singleShot=True, interval=_GARBAGE_MS)
        self._garbage.timeout.connect(gc.collect)
        self._refresh = QTimer(self)
        self._refresh.setSingleShot(True)
        self._refresh.setInterval(_REFRESH_MS)
        self._refresh.timeout.connect(self._take_tools)
        self._input = QTimer(self, singleShot=True, interval=_INPUT_MS)
        self._input.timeout.connect(self._keep_input)
        self._lay_out()
        self._connect()
        self._cancel_key = bind(self, shortcuts.CANCEL_CALL, self._cancel)[0]
        self._cancel_key.setEnabled(False)
        self._nothing_chosen.set_text(
            self.tr("Choose a tool"), self.tr("Its form and results appear here.")
        )

    @property
    def view(self) -> ToolView | None:
        """The view of the selected tool."""
        current = self.stack.currentWidget()
        return current if isinstance(current, ToolView) else None

    def show_tool(self, key: str) -> None:
        """Select the tool `server:tool`; does nothing if it is not there."""
        if self._is_stale:
            self._take_tools()
        if self._show(key):
            self.tool_list.select(key)

    def open_call(self, key: str, arguments: JsonObject) -> None:
        """Select a tool and fill in its form, as history and the agent's cards request.

        What was typed there before can be restored. A tool that is gone is shown as it was last, or
        with its arguments alone.
        """
        if self._is_stale:
            self._take_tools()
        if key not in self._views and self._known.now(key) is None:
            self._add_gone_view(key)
        self._show(key)
        self.tool_list.select(key)
        view = self._views[key]
        view.fill(arguments)
        view.focus_form()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._is_stale:
            self._take_tools()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if not self._saved(_COLUMNS):
            self._divide()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._keep_input()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Ctrl+Enter runs the tool; not a shortcut, as the form has its own for its fields."""
        if shortcuts.RUN.matches(event):
            self._run()
        elif self.view is None or not any(  # from the list, or from Run
            press_in(part, event) for part in (self.view, self.view.form)
        ):
            super().keyPressEvent(event)

    def focusNextPrevChild(self, next_: bool, /) -> bool:
        """Tab goes from the list to the fields, to Run, to the result, and then to the rest."""
        listed = self.tool_list.search_box, self.tool_list.view
        zones = (*listed, *(self.view.focus_zones if self.view is not None else ()))
        return move_focus(self, zones, is_next=next_) or super().focusNextPrevChild(next_)

    def _connect(self) -> None:
        bridge.connect(self, self._registry.changed, self._note_change)
        if self._awaited is not None:
            bridge.connect(self, self._awaited.changed, self._note_change)
        self.tool_list.tool_selected.connect(self._show_soon)
        self.tool_list.activated.connect(self._go_to_form)
        self.tool_list.servers_requested.connect(self.servers_requested)
        self.remembered.changed.connect(self._show_favourites)
        self.splitter.splitterMoved.connect(self._remember_columns)
        bind(self, shortcuts.FAVOURITE, self.tool_list.toggle_favourite)
        bind(self, shortcuts.SEARCH_TOOLS, self.tool_list.focus_search)

    def _lay_out(self) -> None:
        style(self, "page")
        self.stack.addWidget(self._nothing_chosen)
        self.splitter.addWidget(self.tool_list)
        self.splitter.addWidget(self.stack)
        self.splitter.setStretchFactor(1, 1)
        self.splitter.setChildrenCollapsible(False)
        self.tool_list.setMinimumWidth(space(_LEAST_LIST_WIDTH))
        self.setFocusProxy(self.tool_list.search_box)
        self._divide()
        self.splitter.restoreState(self._saved(_COLUMNS))
        in_row(self, self.splitter)

    def _divide(self) -> None:
        """As long as nobody has done it: in a small window the list has no more than it needs."""
        first = space(_LIST_WIDTH if self.width() >= _SMALL else _LEAST_LIST_WIDTH)
        self.splitter.setSizes([first, max(first, self.width() - first)])

    def _note_change(self) -> None:
        self._is_stale = True
        if self.isVisible() and not self._refresh.isActive():
            self._refresh.start()

    def _take_tools(self) -> None:
        self._is_stale = False
        self._refresh.stop()
        self._known.replace([tool.definition for tool in self._registry.all()])
        for key, view in self._views.items():
            view.set_tool(self._known.now(key))
        self._list_tools()
        listed = ((tool.server, tool.name) for tool in self._known.tools)
        self.tool_list.changes.note(listed, self._chosen_tools)
        chosen = self.remembered.chosen
        if self.view is None and (self._known.now(chosen) is not None or self._waits_for(chosen)):
            if self.tool_list.current_key != chosen:
                self.tool_list.select(chosen)
            self._show(chosen)
        elif self._waiting is not None and self.stack.currentWidget() is self._waiting:
            self.stack.setCurrentWidget(self._nothing_chosen)
        self.refreshed.emit()

    def _list_tools(self) -> None:
        tools, note = self._known.tools, ""
        if self._awaited is not None:
            tools, note = self._awaited.among(tools), self._awaited.words
        self.tool_list.replace_tools(tools)
        self.tool_list.set_note(note)

    def _waits_for(self, key: str) -> bool:
        return self._awaited is not None and self._awaited.has(key)

    def _show_waiting(self, key: str) -> None:
        """Say that a tool's server is starting, in the place where its form will be."""
        if self._waiting is None:
            self._waiting = EmptyState(self._theme, "tools", "", "")
            self.stack.addWidget(self._waiting)
        server, _, name = key.partition(":")
        words = self.tr("{server} is starting. The form appears when it is ready.")
        self._waiting.set_text(mark_hidden(name), words.format(server=mark_hidden(server)))
        self.stack.setCurrentWidget(self._waiting)
        self.remembered.chosen = key

    def _keep_input(self) -> None:
        """Keep what is typed in the form that is shown, for the next run."""
        self._input.stop()
        if (view := self.view) is not None:
            arguments = view.form.state().value
            self.remembered.keep_input(view.tool.key, arguments, view.tool.input_schema)

    def _chosen_tools(self, server: str) -> object:
        """Which tools of a server the person has switched off."""
        config = self._server_of(server)
        return config and (config.enabled_tools, config.disabled_tools)

    def _show_soon(self, key: str) -> None:
        """Show the tool once pending keys are handled: building is slower than key repeat."""
        self._wanted = key
        self._soon.start()

    def _show_wanted(self) -> None:
        if self._wanted:
            self._show(self._wanted)

    def _show(self, key: str) -> bool:
        """Show the tool. Returns whether it is there, or was when something was typed for it."""
        self._wanted = ""
        left = self.view
        view = self._views.get(key) or self._make_view(key)
        if view is None and self._waits_for(key):
            self._keep_input()
            self._show_waiting(key)
            return True
        if view is None or view is left:
            return view is not None
        self._keep_input()
        had_focus = left is not None and left.isAncestorOf(self.focusWidget() or self)
        view.splitter.refresh()
        self.stack.setCurrentWidget(view)
        self.remembered.chosen = key
        if had_focus:
            view.focus_form()
        if left is not None and not left.is_worth_keeping:
            self._drop(left)
        self._views[key] = self._views.pop(key)
        self._drop_oldest()
        self._follow_running()
        return True

    def _drop_oldest(self, most: int = _MAX_VIEWS, *, at_once: bool = False) -> None:
        """Keep the latest view, `most` beside it, and those that run."""
        fields = 0
        for age, view in enumerate(reversed(list(self._views.values()))):
            fields += view.form.fields.field_count if age else 0
            if view.is_running or (age <= most and fields <= _MAX_FIELDS):
                continue
            self._drop(view)
            if at_once:
                QCoreApplication.sendPostedEvents(view, QEvent.Type.DeferredDelete)

    def _make_view(self, key: str) -> ToolView | None:
        if (tool := self._known.now(key)) is None:
            return None
        # Before: the new one takes the memory of the old one.
        self._drop_oldest(_MAX_VIEWS - 1, at_once=True)
        view = self._add_view(tool)
        if (left := self._left.pop(key, None)) is not None:
            view.put_back(*left)
        elif typed := self.remembered.input_of(key):
            view.form.set_value(typed)
        return view

    def _add_view(self, tool: ToolDefinition) -> ToolView:
        view = ToolView(
            tool,
            self._runner,
            self._theme,
            self.stack,
            server_of=self._server_of,
            settings=self._settings,
            reader=self._reader_of(tool.server),
            companion_of=self._companion_of,
        )
        view.running_changed.connect(self._follow_running)
        view.edited.connect(self._input.start)
        view.resource_requested.connect(partial(self.resource_requested.emit, tool.server))
        if is_wanted(self, "save_requested"):
            view.save_requested.connect(self.save_requested)
        if is_wanted(self, "history_requested"):
            view.history_requested.connect(self.history_requested)
        view.offer()
        view.header.star.clicked.connect(lambda: self.remembered.toggle_favourite(view.tool.key))
        view.header.show_favourite(tool.key in self.remembered.favourites)
        self._views[tool.key] = view
        self.stack.addWidget(view)
        self.view_made.emit(view)
        return view

    def _reader_of(self, server: str) -> ResourceReader | None:
        read = self._read_resource
        if read is None:
            return None

        async def read_there(uri: str, /) -> ReadResult:
            return await read(server, uri)

        return read_there

    def _show_favourites(self) -> None:
        for key, view in self._views.items():
            view.header.show_favourite(key in self.remembered.favourites)

    def _add_gone_view(self, key: str) -> None:
        last = self._known.last(key)
        server, _, name = key.partition(":")
        view = self._add_view(last or ToolDefinition(server, name))
        self._views[key] = view
        view.set_tool(None)

    def _drop(self, view: ToolView) -> None:
        """Remove a view; what was typed and answered comes back with the next one of its tool."""
        key = next(key for key, other in self._views.items() if other is view)
        del self._views[key]
        self._left[key] = view.form.state(), view.answer
        for oldest in list(self._left)[:-_MAX_ANSWERS]:
            self._left[oldest] = self._left[oldest][0], None
        for oldest in list(self._left)[:-_MAX_LEFT]:
            del self._left[oldest]
        self.stack.removeWidget(view)
        view.deleteLater()
        if not self._garbage.isActive():
            self._garbage.start()

    def _go_to_form(self, key: str) -> None:
        self._show(key)
        if self.view is not None:
            self.view.focus_form()

    def _run(self) -> None:
        self._show_wanted()
        if self.view is not None:
            self.view.run()

    def _cancel(self) -> None:
        if self.view is not None:
            self.view.cancel()

    def _follow_running(self) -> None:
        self._cancel_key.setEnabled(self.view is not None and self.view.is_running)
        views = self._views.items()
        running = [key for key, view in views if view.is_running]
        self.tool_list.mark_running(frozenset(running))
        for key in running:
            self.remembered.note_use(key)

    def _remember_columns(self) -> None:
        self._settings.setValue(_COLUMNS, self.splitter.saveState())

    def _saved(self, name: str) -> QByteArray:
        value = self._settings.value(name)
        return value if isinstance(value, QByteArray) else QByteArray()
