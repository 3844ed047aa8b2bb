"""A page of what connected servers offer besides tools: a list, and one of them beside it.

Reads the lists when it is first shown, and of each server that connects from then on. Must not know
what is offered: the pages Resources and Prompts say how it is listed and shown.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QSettings, Qt, QTimer, Signal
from PySide6.QtWidgets import QSplitter, QStackedWidget, QWidget

from desktop.base.errors import ServerError
from desktop.gui import bridge, shortcuts
from desktop.gui.layouts import in_column, in_row
from desktop.gui.shortcuts import bind
from desktop.gui.theme import Theme, space, style
from desktop.gui.translations import spoken
from desktop.gui.widgets.empty_state import EmptyState
from desktop.gui.widgets.labels import plain_label
from desktop.gui.widgets.offer_list import Entry, OfferList

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QFocusEvent, QShowEvent

    from desktop.base.signals import Signal as CoreSignal
    from desktop.servers.connection import ServerConnection
    from desktop.servers.service import McpService

_REFRESH_MS = 40
_LIST_WIDTH = 80  # grid steps


class OffersPage(QWidget):
    """Search, choose, look. Subclasses say what is offered."""

    servers_requested = Signal()
    """The person has no server that offers anything here."""
    refreshed = Signal()
    """The list is shown as it is now."""

    NAME = ""
    """Under which the page remembers things, and its icon."""

    def __init__(
        self,
        theme: Theme,
        service: McpService,
        settings: QSettings,
        changed: CoreSignal[[str]],
    ) -> None:
        """Args: changed: has the name of a server whose list is another one."""
        super().__init__()
        self._theme, self._service, self._settings = theme, service, settings
        self._asked: dict[str, int] = {}
        self._failed: dict[str, str] = {}
        self._is_seen = False
        self._reading = 0
        self.list = OfferList(theme, self)
        self.failures = plain_label("", "small", "danger")
        self.stack = QStackedWidget(self)
        self.nothing_chosen = EmptyState(theme, self.NAME, "", "")
        self.nothing_there = EmptyState(theme, self.NAME, "", "")
        self.step = self.nothing_there.add_button("", self.servers_requested.emit)
        self._refresh = QTimer(self, singleShot=True, interval=_REFRESH_MS)
        self._lay_out()
        self._refresh.timeout.connect(self.show_offers)
        self.list.selected.connect(self._show)
        self.list.activated.connect(self._go_into)
        self._splitter.splitterMoved.connect(self._remember)
        bridge.connect(self, changed, self._note)
        bridge.connect(self, service.state_changed, self._follow)
        bridge.connect(self, service.servers_changed, self._note)
        bind(self, shortcuts.SEARCH_OFFERS, self._focus_home)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    # --- what a subclass says

    def entries(self) -> Sequence[Entry]:
        """What all connected servers offer now."""
        raise NotImplementedError

    async def read_list(self, server: ServerConnection) -> None:
        """Ask a server for its list. Raises `ServerError`."""
        raise NotImplementedError

    def make_view(self, key: str) -> QWidget | None:
        """The view of an entry; None for one that is gone."""
        raise NotImplementedError

    def set_texts(self) -> None:
        """Name the list and what stands in the place of a view."""
        raise NotImplementedError

    def focus_view(self, view: QWidget) -> None:
        """Put the keyboard into a view."""
        view.setFocus(Qt.FocusReason.OtherFocusReason)

    # --- the page

    @property
    def view(self) -> QWidget | None:
        """That of the chosen entry."""
        shown = self.stack.currentWidget()
        return None if shown in (self.nothing_chosen, self.nothing_there) else shown

    @property
    def is_reading(self) -> bool:
        """Whether a list is being read."""
        return self._reading > 0

    @property
    def connected(self) -> list[ServerConnection]:
        return [self._service.connection(name) for name in self._service.get_connected_servers()]

    def show_offers(self) -> None:
        """Show the list as it is now."""
        self._refresh.stop()
        waits = self.hasFocus() or self.step.hasFocus()  # until there is something to search
        entries = self.entries()
        self.list.replace(entries)
        self.failures.setText("\n".join(self._failed.values())[:2_000])
        self.failures.setVisible(bool(self._failed))
        if self.view is None:
            empty = not entries
            self.stack.setCurrentWidget(self.nothing_there if empty else self.nothing_chosen)
        self._left.setVisible(bool(entries) or bool(self._failed))
        self.set_texts()
        if waits:
            self._focus_home()
        self.refreshed.emit()

    def read_again(self) -> None:
        """Ask all connected servers for their lists anew."""
        self._asked.clear()
        for server in self.connected:
            self._ask(server)

    def place(self, view: QWidget) -> None:
        """Show a view in place of the one before, which goes."""
        before = self.view
        self.stack.addWidget(view)
        self.stack.setCurrentWidget(view)
        if before is not None:
            self.stack.removeWidget(before)
            before.deleteLater()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not self._is_seen:
            self._is_seen = True
            for server in self.connected:
                self._ask(server)
        self.show_offers()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._focus_home()

    def _focus_home(self) -> None:
        """Go to the search, or to the step that is offered while there is nothing to search."""
        if self.list.isVisible():
            self.list.focus_search()
        elif self.step.isVisible():
            self.step.setFocus(Qt.FocusReason.OtherFocusReason)

    def _follow(self, name: str) -> None:
        server = self._service.connections.get(name)
        if self._is_seen and server is not None and server.is_connected:
            self._ask(server)
        self._note(name)

    def _ask(self, server: ServerConnection) -> None:
        """Ask for the list, once for a connection; later ones are read by the core."""
        if self._asked.get(server.name) == id(server):
            return
        self._asked[server.name] = id(server)
        self._reading += 1
        bridge.run(self, self._read(server), self.tr("Read a list"))

    async def _read(self, server: ServerConnection) -> None:
        try:
            await self.read_list(server)
        except ServerError as error:
            self._failed[server.name] = spoken(str(error))
            self._asked.pop(server.name, None)
        else:
            self._failed.pop(server.name, None)
        self._reading -= 1  # where it was cancelled, the page has gone
        self._note()

    def _note(self, _: str = "") -> None:
        if self.isVisible() and not self._refresh.isActive():
            self._refresh.start()

    def _show(self, key: str) -> None:
        if (view := self.make_view(key)) is not None:
            self.place(view)

    def _go_into(self, key: str) -> None:
        if self.view is None or self.list.current_key != key:
            self._show(key)
        if (view := self.view) is not None:
            self.focus_view(view)

    def _remember(self) -> None:
        self._settings.setValue(f"{self.NAME}/columns", self._splitter.saveState())

    def _lay_out(self) -> None:
        style(self, "page")
        self._left = QWidget(self)
        in_column(self._left, (self.list, 1), self.failures, spacing=1.5)
        self.failures.setContentsMargins(space(3), 0, space(2), space(2))
        self.failures.hide()
        self._splitter = QSplitter(Qt.Orientation.Horizontal, self)
        self._splitter.addWidget(self._left)
        self._splitter.addWidget(self.stack)
        self._splitter.setStretchFactor(1, 1)
        self._splitter.setChildrenCollapsible(False)
        self._left.setMinimumWidth(space(60))
        self._splitter.setSizes([space(_LIST_WIDTH), space(3 * _LIST_WIDTH)])
        saved = self._settings.value(f"{self.NAME}/columns")
        if isinstance(saved, QByteArray):
            self._splitter.restoreState(saved)
        self.stack.addWidget(self.nothing_chosen)
        self.stack.addWidget(self.nothing_there)
        in_row(self, self._splitter)

    def say_nothing_there(self, title: str, none_connected: str, none_offered: str) -> None:
        """Word the empty page: with no server connected, and with none that offers any."""
        is_connected = bool(self.connected)
        sentence = none_offered if is_connected else none_connected
        if self.is_reading:
            title, sentence = self.tr("Reading the lists…"), ""
        self.nothing_there.set_text(title, sentence)
        self.step.setText(
            self.tr("Add a server") if is_connected else self.tr("Add or switch on a server")
        )


_WITH_CHILDREN = Qt.ShortcutContext.WidgetWithChildrenShortcut
