"""The settings panel for MCP servers: shows the store and the service, and writes changes.

Switching, adding and removing only write to the store, which the core follows. Must not start or
stop a server itself, except for a restart.
"""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QObject, Qt, QTimer, QUrl, Signal
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QSplitter

from desktop.base.errors import ConfigError
from desktop.base.visible_text import mark_hidden
from desktop.gui import bridge, shortcuts
from desktop.gui.import_export.import_flow import ImportFlow
from desktop.gui.layouts import BOTTOM, InnerRow, in_column
from desktop.gui.servers.details_view import ServerDetailsView
from desktop.gui.servers.error_view import NextSteps
from desktop.gui.servers.problems_view import ConfigErrorsView
from desktop.gui.servers.process_usage import UsagePoller
from desktop.gui.servers.server_list import ServerList
from desktop.gui.servers.sign_in_view import SignInView
from desktop.gui.servers.welcome_view import SERVER as CALCULATOR
from desktop.gui.servers.welcome_view import FirstCall, NoServersView
from desktop.gui.shortcuts import bind, named_keys
from desktop.gui.theme import space, style
from desktop.gui.translations import counted, in_a_row
from desktop.gui.widgets.banner import BannerArea
from desktop.gui.widgets.icons import set_icon
from desktop.gui.widgets.labels import FactsLabel
from desktop.gui.widgets.token_words import ToolCosts, percent_label, tokens_label

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from PySide6.QtCore import QSettings
    from PySide6.QtGui import QFocusEvent, QHideEvent, QShowEvent

    from desktop.config.imports.clients import ClientLocations
    from desktop.config.models import ServerConfig
    from desktop.config.secret_store import SecretStore
    from desktop.config.store import ConfigStore, RemovedServer
    from desktop.gui.import_export.export_dialog import ConfigExportDialog
    from desktop.gui.import_export.import_dialog import ImportDialog
    from desktop.gui.servers.finder import Finder
    from desktop.gui.servers.interfaces import RemovedServers
    from desktop.gui.servers.process_usage import ProcessUsage
    from desktop.gui.servers.server_dialog import RemoveDialog, ServerDialog
    from desktop.gui.servers.trust_view import TrustDialog
    from desktop.gui.theme import Theme
    from desktop.gui.widgets.banner import Banner
    from desktop.processes.package_runners import PackageFetch
    from desktop.servers.service import McpService

_SPLITTER = "servers/splitter"
_LIST_WIDTH = space(100)
_DETAILS_WIDTH = space(130)
INTERVAL_MS = 1000
MAX_LOOKED_AT = 8
"""Servers whose processes are looked at in one turn; at most four start at a time anyway."""
OFFER_MS = 60_000
_KEY = "removed"


class ServersPage(QFrame):
    """List, details and dialogs, kept in step with the core."""

    first_call_requested = Signal(str, object)
    """A newcomer wants to run this tool: its key, and arguments for its form."""

    def __init__(
        self,
        theme: Theme,
        store: ConfigStore,
        service: McpService,
        settings: QSettings,
        places: ClientLocations | None = None,
        bundles: Path | None = None,
        secrets: SecretStore | None = None,
        finders: Sequence[Finder] = (),
    ) -> None:
        """Args: settings: where the window keeps sizes.

        places: where other clients' files are looked for; None: where they are.
        bundles: where MCP bundles are unpacked then; None: they are not.
        secrets: keeps what is secret; None: that stays in the config file.
        finders: where servers can be found.
        """
        super().__init__()
        self._secrets = secrets
        self.theme, self._store, self._service = theme, store, service
        self._is_writing = self._is_stale = False
        self._settings = settings
        self.usage = UsagePoller(self._pids, self)
        self.starts = StartWatch(service, self)
        self.steps = NextSteps(self, self, theme, store, service, secrets)
        self.summary = ServersSummary(service)
        self._title = QLabel(self.tr("Servers"))
        self.exports = QPushButton(self.tr("Export…"))
        self.imports = QPushButton(self.tr("Import…"))
        self.add = QPushButton(self.tr("Add server…"))
        self.finders = {finder: QPushButton(finder.name) for finder in finders}
        self.flow = ImportFlow(self, theme, store, settings, places, bundles, secrets)
        self._first_call = FirstCall(self, service)
        self.no_servers = NoServersView(theme, self._settings, finders)
        self.banners = BannerArea(theme)
        self._removal = Removal(self, self.banners, self, bundles)
        self.problems = ConfigErrorsView(theme)
        self.list = ServerList(theme)
        self.details = ServerDetailsView(theme, store)
        self.sign_in = SignInView(theme, service)
        self.details.add_below_error(self.sign_in)
        self.details.follow(self.sign_in.show_server)
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._lay_out()
        self._connect()
        self.add.setToolTip(
            named_keys(self.tr("Add an MCP server (Ctrl+N), or one you copied (Ctrl+V)"))
        )
        self.imports.setToolTip(
            named_keys(self.tr("Import servers from another app or a file (Ctrl+I)"))
        )
        self.exports.setToolTip(
            self.tr("Export your servers to another app, without their secrets")
        )
        self.refresh()

    def refresh(self) -> None:
        """Show the servers and problems that there are now."""
        if self._is_writing:
            self._is_stale = True
            return
        connections = self._service.connections
        sources = {connection.config.source for connection in connections.values()}
        self.no_servers.show_state(
            has_servers=bool(sources - {"builtin"} or self._store.problems),
            is_any_on=any(connection.is_enabled for connection in connections.values()),
            has_error=self._store.error is not None,
            has_calculator=CALCULATOR in connections,
        )
        self.problems.show_problems(self._store)
        self.list.show_servers(connections)
        self._show_selected()
        self.summary.refresh()
        self.starts.follow()

    def import_from(self, what: str) -> ImportDialog | ServerDialog | None:
        """Show the servers of a file or an install link, to be imported; else add what it is."""
        from desktop.config.imports.packages import is_link

        is_source = is_link(what) or os.path.lexists(what)
        return self.flow.open(what) if is_source else self.paste_server(what)

    def export_servers(self) -> ConfigExportDialog:
        """Show the servers in another client's format."""
        from desktop.gui.import_export.export_dialog import ConfigExportDialog

        dialog = ConfigExportDialog(self, self.theme, self._store)
        dialog.open()
        return dialog

    def offer_comparison(self, compare: Callable[[str], object]) -> None:
        """Have the details of a server offer to compare it, by its name."""
        self.details.compare_requested.connect(compare)
        self.details.compare.setVisible(True)

    def look_around(self) -> None:
        """Offer a newcomer what other apps have: looked for once, in another thread."""
        if not self.no_servers.welcome.isHidden():
            self.flow.look()

    def _pids(self) -> list[int]:
        return [each.pid for each in self._service.connections.values() if each.pid is not None]

    def _show_usage(self, usage: dict[int, ProcessUsage]) -> None:
        self.list.show_usage(usage)
        shown = self.details.connection
        pid = shown.pid if shown is not None else None
        self.details.show_usage(usage.get(pid) if pid is not None else None)

    def restore_server(self, removed: RemovedServer) -> None:
        """Put a removed server back, and select it."""
        self._change(lambda: self._store.restore_server(removed))
        if removed.entry.name in self._store.servers:
            self._select_new(removed.entry.name)

    def forget_server(self, config: ServerConfig) -> None:
        """Drop the files that a removed server leaves behind."""
        if config.name not in self._store.servers:  # else there is one of that name again
            self.flow.remove_bundle_of(config)

    def show_error(self, message: str) -> None:
        """Where the bridge shows failures, too."""
        self.banners.show_banner("error", "error", message)

    def set_enabled(self, name: str, enabled: bool) -> None:
        self._change(lambda: self._store.set_enabled(name, enabled))

    def add_server(self) -> ServerDialog:
        """Open the dialog for a new server."""
        return self._open_dialog()

    def paste_server(self, text: str = "") -> ServerDialog | None:
        """Open the dialog with a text that describes a server; by default the one copied."""
        from desktop.gui.servers.paste_form import why_no_server

        copied = text or QGuiApplication.clipboard().text()
        if why := why_no_server(copied):
            words = self.tr("What you copied is no server.")
            self.banners.show_banner("pasted", "info", f"{words} {why}")
            return None
        self.banners.remove("pasted")
        dialog = self._open_dialog()
        dialog.show_pasted(copied)
        return dialog

    def edit_server(self, name: str) -> ServerDialog | None:
        """Open the dialog for a server of the file, one with a problem too."""
        config = self._store.servers.get(name)
        if config is not None and config.source != "file":
            return None
        dialog = self._open_dialog(name)
        connection = self._service.connections.get(name)
        if connection is not None and connection.state.error:
            dialog.form.focus_way()  # what failed is mended there, and not at its name
        return dialog

    def note_added(self, name: str, words: str) -> None:
        """Select what was found somewhere, and say what to do next."""
        self._select_new(name)
        self.banners.show_banner("added", "info", words)

    def _find(self, finder: Finder) -> None:
        finder.open()

    def _open_dialog(self, name: str | None = None) -> ServerDialog:
        from desktop.gui.servers.server_dialog import ServerDialog

        dialog = ServerDialog(
            self, self.theme, self._store, name, self._secrets, self.finders, self.flow.here
        )
        dialog.import_requested.connect(self.import_from)
        dialog.finder_requested.connect(self._find)
        dialog.saved.connect(self._select_new)
        dialog.open()
        return dialog

    def remove_server(self, name: str) -> RemoveDialog | None:
        """Ask, and only then take a server out of the file."""
        config = self._store.servers.get(name)
        if config is not None and config.source != "file":
            return None
        from desktop.gui.servers.server_dialog import RemoveDialog

        dialog = RemoveDialog(self, name)
        dialog.accepted.connect(bridge.if_alive(self, lambda page: page._remove(name)))
        dialog.open()
        return dialog

    def review_server(self, name: str) -> TrustDialog | None:
        """Show all that an untrusted server would be started with, and start it after a yes."""
        from desktop.gui.servers.trust_view import open_review

        dialog = open_review(self, self.theme, self._store, [name])
        if dialog is not None:
            dialog.accepted.connect(self.list.focus_selected)
        return dialog

    def restart_server(self, name: str) -> None:
        connection = self._service.connections.get(name)
        if connection is not None and connection.is_enabled:
            self._service.restart(name)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.usage.start()  # psutil is imported after this paint
        self.starts.follow(is_shown=True)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.usage.stop()
        self.starts.follow(is_shown=False)
        self._settings.setValue(_SPLITTER, self.splitter.saveState())

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if self.list.selected or self.no_servers.isHidden():
            self.list.focus_selected()
        else:
            self.no_servers.focus_first_step()

    def _connect(self) -> None:
        bridge.connect(self, self._store.changed, self.refresh)
        bridge.connect(self, self._service.servers_changed, self.refresh)
        bridge.connect(self, self._service.state_changed, self._refresh_server)
        bridge.connect(self, self._service.tools_changed, self._refresh_server)
        self.add.clicked.connect(lambda: self.add_server())
        self.imports.clicked.connect(lambda: self.flow.open())
        self.exports.clicked.connect(lambda: self.export_servers())
        self.flow.imported.connect(self._note_imported)
        self.flow.found.connect(self.no_servers.welcome.show_found)
        self.no_servers.add_requested.connect(lambda: self.add_server())
        self.no_servers.finder_requested.connect(self._find)
        self.no_servers.import_requested.connect(self._import_from_app)
        self.no_servers.calculator_requested.connect(self._try_calculator)
        self.usage.measured.connect(self._show_usage)
        for part in (self.list, self.details):
            self.starts.ticked.connect(part.show_start)
        self.details.arguments_changed.connect(self.set_arguments)
        self.details.step_requested.connect(self.steps.take)
        self._first_call.prepared.connect(self.first_call_requested)
        self.list.selection_changed.connect(self._show_selected)
        self.list.switch_requested.connect(self.set_enabled)
        self.list.details_requested.connect(self._focus_details)
        self.details.tool_switch_requested.connect(self._set_tool_enabled)
        for part in (self.list, self.details):
            part.review_requested.connect(self.review_server)
        for part in (self.list, self.details, self.problems):
            part.edit_requested.connect(self.edit_server)
            part.remove_requested.connect(self.remove_server)
        self.details.restart_requested.connect(self.restart_server)
        self.problems.reload_requested.connect(self._store.reload)
        self.problems.open_file_requested.connect(self._open_file)
        in_window = shortcuts.IN_WINDOW
        bind(self, shortcuts.ADD_SERVER, self.add_server, context=in_window)
        bind(self, shortcuts.PASTE_SERVER, self.paste_server, context=in_window)
        bind(self, shortcuts.IMPORT_SERVERS, self.flow.open, context=in_window)
        for finder, button in self.finders.items():
            button.setToolTip(finder.tip)
            finder.connect_button(button, self._find)
            bind(self, finder.keys, partial(self._find, finder), context=in_window)
        bind(self, shortcuts.RESTART_SERVER, self._restart_selected, context=in_window)

    def _restart_selected(self) -> None:
        self.restart_server(self.list.selected)

    def _refresh_server(self, name: str) -> None:
        if self._is_writing:
            self._is_stale = True
            return
        self.list.refresh(name)
        if name == self.list.selected:
            self.details.refresh()
        self.summary.refresh()
        self.usage.read_soon()
        self.starts.follow()

    def _show_selected(self) -> None:
        connection = self._service.connections.get(self.list.selected)
        self.details.show_server(connection)
        self.details.show_costs(self.summary.costs)
        self.details.setVisible(connection is not None)
        self.list.set_wide(connection is None)
        self.usage.read_soon()

    def show_costs(self, costs: ToolCosts) -> None:
        """Say what the tools cost in every request to a model."""
        self.summary.costs = costs
        self.list.show_tokens(costs.servers)
        self.details.show_costs(costs)
        self.summary.refresh()

    def _change(self, write: Callable[[], None]) -> None:
        """Write to the store; what it refuses is shown, and nothing has changed."""
        # One write sends several signals, of the store and of the service that follows it: the
        # page is refreshed once, after the last of them.
        self._is_writing, self._is_stale = True, False
        try:
            write()
        except ConfigError as error:
            self.show_error(str(error))
        else:
            self.banners.remove("error")
        finally:
            self._is_writing = False
        if self._is_stale:
            self.refresh()

    def change_server(self, config: ServerConfig) -> None:
        """Write a server of the file anew, as a person wants it; it is started with it."""
        self._change(lambda: self._store.replace_server(config.name, config))

    def set_arguments(self, name: str, arguments: tuple[str, ...]) -> None:
        """Start a built-in server with these from now on, wherever it is configured."""
        config = self._store.servers.get(name)
        if config is not None and config.source == "file":
            self.change_server(config.changed(args=arguments))
        elif config is not None:
            self._change(lambda: self._store.set_arguments(name, arguments))

    def _remove(self, name: str) -> None:
        """Take it out, and offer to undo that; its files go when the offer does."""
        self._removal.finish()
        config = self._store.servers.get(name)
        self._change(lambda: self._removal.begin(self._store.remove_server(name), config))
        if config is not None and config.url and name not in self._store.servers:
            bridge.run(self, self._service.sign_out(name), f"forget the sign-in of {name}")
        self.setFocus(Qt.FocusReason.OtherFocusReason)

    def _set_tool_enabled(self, server: str, tool: str, enabled: bool) -> None:
        self._change(lambda: self._store.set_tool_enabled(server, tool, enabled))

    def _try_calculator(self) -> None:
        self.set_enabled(CALCULATOR, True)
        self.list.select(CALCULATOR)
        self.list.focus_selected()
        self._first_call.start()

    def _import_from_app(self, app: str) -> None:
        self.flow.open(app=app)

    def _note_imported(self, names: list[str], backup: str) -> None:
        """Select the first new one, and say how to take it back."""
        self._select_new(names[0])
        text = counted(
            len(names), self.tr("1 server was added."), self.tr("{count} servers were added.")
        )
        if backup:
            text = in_a_row(text, self.tr("Backup of the file: {path}").format(path=backup))
        self.banners.show_banner("imported", "info", text)

    def _select_new(self, name: str) -> None:
        self.list.select(name)
        self.list.focus_selected()

    def _focus_details(self) -> None:
        connection = self.details.connection
        if connection is not None:
            buttons = (self.details.trust.review, self.details.restart, self.details.edit)
            first = next(
                (button for button in buttons if button.isEnabled() and button.isVisible()), None
            )
            (first or self.details.tabs.tabBar()).setFocus(Qt.FocusReason.TabFocusReason)

    def _open_file(self) -> None:
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(self._store.path)))

    def _lay_out(self) -> None:
        style(self, "page")
        style(self._title, "title")
        style(self.add, "primary")
        for quiet in (self.exports, self.imports, *self.finders.values()):
            style(quiet, "flat")
        set_icon(self.theme, self.add, "plus", "accent_text")
        self.summary.setContentsMargins(0, 0, 0, space(1))  # onto the line of the title
        header = InnerRow(
            self._title,
            (self.summary, 1, BOTTOM),
            self.exports,
            self.imports,
            *self.finders.values(),
            self.add,
            margins=(4, 4, 4, 3),
            spacing=3,
        )
        self.banners.setContentsMargins(0, 0, 0, space(3))  # the list begins without any room
        self.list.put_above(self.problems)
        self.list.put_above(self.no_servers)
        self.splitter.addWidget(self.list)
        self.splitter.addWidget(self.details)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.setStretchFactor(0, 2)
        self.splitter.setStretchFactor(1, 3)
        self.list.setMinimumWidth(space(70))
        self.details.setMinimumWidth(space(80))
        saved = self._settings.value(_SPLITTER)
        if not (isinstance(saved, QByteArray) and self.splitter.restoreState(saved)):
            self.splitter.setSizes([_LIST_WIDTH, _DETAILS_WIDTH])
        in_column(self, header, self.banners, (self.splitter, 1), spacing=0)


class ServersSummary(FactsLabel):
    """Shows what service and counts have when it is refreshed."""

    def __init__(self, service: McpService) -> None:
        super().__init__()
        self._service = service
        self.costs = ToolCosts()
        style(self, "muted")

    def refresh(self) -> None:
        """Show what there is now."""
        stats = self._service.get_stats()
        if not stats.enabled:
            self.show_facts([self.tr("None switched on")])
            return
        connected = self.tr("{connected} of {enabled} connected")
        words = connected.format(connected=stats.connected, enabled=stats.enabled)
        tools = counted(stats.tools, self.tr("1 tool"), self.tr("{count} tools"))
        # The number of tools stands at the bottom of the window, too: here it gives way first.
        self.show_facts([words, *self._costs(), tools])

    def _costs(self) -> Iterator[str]:
        """What all tools cost in a request to which model; the format of another costs another."""
        costs = self.costs
        if not costs.total:
            return
        if costs.percent is not None:
            words = self.tr("{percent} of {model}")
            yield tokens_label(costs.total)
            yield words.format(percent=percent_label(costs.percent), model=costs.model)
        elif costs.model:
            words = self.tr("{tokens} for {model}")
            yield words.format(tokens=tokens_label(costs.total), model=costs.model)
        else:
            yield tokens_label(costs.total)


class StartWatch(QObject):
    """Sends the name of each starting server once a second."""

    ticked = Signal(str, object)
    """A server that is starting, and its `PackageFetch` or None."""

    def __init__(self, service: McpService, parent: QObject) -> None:
        super().__init__(parent)
        self._service = service
        self._is_shown = False
        self._timer = QTimer(self, interval=INTERVAL_MS)
        self._timer.timeout.connect(self.look)

    @property
    def is_running(self) -> bool:
        return self._timer.isActive()

    def follow(self, *, is_shown: bool | None = None) -> None:
        """Run or rest, as there is something to see; called with each news of a server."""
        self._is_shown = self._is_shown if is_shown is None else is_shown
        wanted = self._is_shown and bool(self._starting())
        if wanted and not self.is_running:
            self._timer.start()
        elif not wanted:
            self._timer.stop()

    def look(self) -> None:
        """Tell of each starting server now."""
        for place, name in enumerate(self._starting()):
            fetch = self._fetch(name) if place < MAX_LOOKED_AT else None
            self.ticked.emit(name, fetch)
        self.follow()

    def _starting(self) -> list[str]:
        connections = self._service.connections.values()
        return [each.name for each in connections if each.state.phase == "starting"]

    def _fetch(self, name: str) -> PackageFetch | None:
        from desktop.processes.package_runners import find_fetch  # psutil: not at the first paint

        pid = self._service.connections[name].pid
        return find_fetch(pid) if pid is not None else None


class Removal(QObject):
    """Holds what was removed last, until it is put back or the offer ends."""

    def __init__(
        self,
        parent: QObject,
        banners: BannerArea,
        servers: RemovedServers,
        bundles: Path | None = None,
    ) -> None:
        """Args: banners: where it is offered. servers: puts one back, or forgets it.

        bundles: where bundles are unpacked.
        """
        super().__init__(parent)
        self._bundles = bundles
        self._banners, self._servers = banners, servers
        self._removed: RemovedServer | None = None
        self._config: ServerConfig | None = None
        self._timer = QTimer(self, singleShot=True, interval=OFFER_MS)
        self._timer.timeout.connect(self.finish)

    def begin(self, removed: RemovedServer, config: ServerConfig | None) -> None:
        """Offer to undo it. Args: config: what it was; None where it had a problem."""
        self._removed, self._config = removed, config
        words = self.tr("Removed “{name}”.").format(name=removed.entry.name)
        has_files = config is not None and self._unpacked(config) is not None
        if has_files:
            words = in_a_row(words, self.tr("Its unpacked files are deleted when this closes."))
        banner = self._show(words)
        if has_files:
            banner.add_action(self.tr("Keep its files"), self._keep_files)

    def _show(self, words: str) -> Banner:
        banner = self._banners.show_banner(_KEY, "info", words)
        banner.add_action(self.tr("Undo"), self._undo)
        banner.dismissed.connect(self.finish)
        self._timer.start()
        return banner

    def _keep_files(self) -> None:
        """What was removed can still be put back; its files stay either way."""
        config, self._config = self._config, None
        folder = self._unpacked(config) if config is not None else None
        if config is not None and folder is not None:
            words = self.tr("Removed “{name}”. Its files stay in {folder}.")
            self._show(words.format(name=config.name, folder=mark_hidden(str(folder))))

    def _unpacked(self, config: ServerConfig) -> Path | None:
        from desktop.config.imports.bundles import folder_of  # zip, for a removal alone

        return folder_of(config, self._bundles) if self._bundles is not None else None

    def finish(self) -> None:
        """End the offer: nothing can be put back any more."""
        self._end()
        config, self._config = self._config, None
        if config is not None:
            self._servers.forget_server(config)

    def _undo(self) -> None:
        removed, self._config = self._removed, None
        self._end()
        if removed is not None:
            self._servers.restore_server(removed)

    def _end(self) -> None:
        self._timer.stop()
        self._removed = None
        self._banners.remove(_KEY)
