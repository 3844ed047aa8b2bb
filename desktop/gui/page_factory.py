"""Builds the pages of the window, in their order, each when it is first shown.

The only module that knows all pages. Runs before the first paint: the pages and the parts of the
core are imported when they are built, and nothing is built before `Pages.open` has the core.
"""

from __future__ import annotations

from collections import defaultdict
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol, TypeVar, cast

from desktop.gui import rail
from desktop.gui.navigation import Navigation

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from PySide6.QtWidgets import QWidget

    from desktop.base.damaged_files import Damages
    from desktop.base.paths import Paths
    from desktop.core import Core
    from desktop.diagnostics.logs import LogBuffer
    from desktop.gui.activity.page import ActivityPage
    from desktop.gui.activity.protocol_feature import ProtocolFeature
    from desktop.gui.last_known.awaited import AwaitedTools
    from desktop.gui.last_known.keeper import ContentKeeper
    from desktop.gui.last_known.snapshot import KnownContent
    from desktop.gui.main_window import MainWindow
    from desktop.gui.requests.feature import RequestsFeature
    from desktop.gui.results.companion import Companion, MakeCompanion, ShownConversation
    from desktop.gui.servers.finder import Finder
    from desktop.gui.servers.page import ServersPage
    from desktop.gui.settings.approvals_section import ApprovalsSection
    from desktop.gui.settings.rows import SectionCard
    from desktop.gui.tools.page import ToolsPage
    from desktop.history.records import Summary
    from desktop.processes.tracker import CloseOutcome, RecentExits, TrackedProcess
    from desktop.tools.call_log import CallLog
    from desktop.tools.executor import ToolExecutor
    from desktop.values.resource_types import ReadResult
    from desktop.values.tool_types import JsonObject, ToolResult


T = TypeVar("T")


class RailPage(NamedTuple):
    """A page of a feature, which gives it to `Pages.set_page` once there is a core."""

    id: str
    title: str
    icon: str
    before: str
    """The page that it stands before in the rail."""


class Question(Protocol):
    """The question that a person is writing to a model."""

    def add_text(self, text: str) -> None: ...
    def attach_pictures(self, pictures: Sequence[bytes]) -> None: ...
    def attach_resource(self, server: str, uri: str, read: ReadResult) -> bool: ...


class _Followed(NamedTuple):
    """The core, and what listens to it from its first moment on."""

    core: Core
    awaited: AwaitedTools
    calls: CallLog
    logs: LogBuffer
    ends: RecentExits
    requests: RequestsFeature


class Pages:
    """Adds the pages to a window at once, and gives them the core once it is there."""

    def __init__(self, window: MainWindow, more: Sequence[RailPage] = ()) -> None:
        """`more` are the pages of features."""
        self._window = window
        self.navigation = Navigation(window)
        self._followed: _Followed | None = None
        self._snapshot: KnownContent | None = None
        self._keeper: ContentKeeper | None = None
        self._is_painted = False
        self._protocol: ProtocolFeature | None = None
        self._companions: list[MakeCompanion] = []
        self.servers_made: list[Callable[[ServersPage], object]] = []
        self.tools_made: list[Callable[[ToolsPage], object]] = []
        self.activity_made: list[Callable[[ActivityPage], object]] = []
        """What features do with a page that has just been built, before it is seen."""
        self._finders: list[Finder] = []
        self._sections_of_features: defaultdict[str, list[Callable[[], SectionCard]]] = defaultdict(
            list
        )
        self._endings: list[Callable[[], Awaitable[object]]] = []
        self._last_endings: list[Callable[[], Awaitable[object]]] = []
        self._feature_pages: dict[str, Callable[[], QWidget]] = {}
        self._feature_parts: dict[Any, Any] = {}
        self.open_question: Callable[[], Question | None] | None = None
        """Shows the question that a person writes to a model; None where no feature has one."""
        for page, title, make in (
            ("servers", rail.SERVERS, self._servers),
            ("tools", rail.TOOLS, self._tools),
            ("resources", rail.RESOURCES, self._resources),
            ("prompts", rail.PROMPTS, self._prompts),
            ("activity", rail.ACTIVITY, self._activity),
            ("processes", rail.PROCESSES, self._processes),
            ("settings", rail.SETTINGS, self._settings),
        ):
            for each in more:
                if each.before == page:
                    make_one = partial(self._feature_page, each.id)
                    window.add_page(each.id, each.title, each.icon, make_one)
            window.add_page(page, title, page, make)

    def set_page(self, page: str, make: Callable[[], QWidget]) -> None:
        """Have the page of a feature built by `make` when it is first shown."""
        self._feature_pages[page] = make

    def _feature_page(self, page: str) -> QWidget:
        return self._feature_pages[page]()

    def part(self, make: Callable[[Pages], T]) -> T:
        """What a feature has for this window, made by `make` when first asked for.

        So features that stand on another share what it has.
        """
        if make not in self._feature_parts:
            self._feature_parts[make] = make(self)
        return cast("T", self._feature_parts[make])

    @property
    def window(self) -> MainWindow:
        """The window that has the pages."""
        return self._window

    def preview(self, paths: Paths, damages: Damages | None = None) -> None:
        """Show what is known from the last run, until `open`."""
        from desktop.gui.last_known.preview import make_preview
        from desktop.gui.last_known.snapshot import read_snapshot

        window = self._window
        self._snapshot = snapshot = read_snapshot(paths.window_content, paths.config, damages)
        window.preview_pages(
            lambda page: make_preview(page, window.theme, window.state.settings, snapshot)
        )

    @property
    def is_content_shown(self) -> bool:
        """Whether servers or tools are shown, from the last run or this one."""
        return getattr(self._window.preview, "rows", None) is not None

    def follow(self, core: Core) -> None:
        """Listen to the core from now on: what it tells is there when a page is built."""
        from desktop.diagnostics.logs import LogBuffer
        from desktop.gui import bridge
        from desktop.gui.activity.server_messages import keep_server_message
        from desktop.gui.last_known.awaited import AwaitedTools
        from desktop.processes.tracker import RecentExits
        from desktop.tools.call_log import CallLog

        calls = CallLog(core.executor)
        logs = LogBuffer()
        logs.start()
        bridge.connect(self._window, core.service.log_received, partial(keep_server_message, logs))
        self._window.destroyed.connect(lambda: logs.stop())
        bridge.connect(self._window, core.service.state_changed, self._learn_face)
        bridge.connect(self._window, core.tracker.removed, self._note_keeper)
        self._followed = _Followed(
            core,
            AwaitedTools(self._snapshot, core.service),
            calls,
            logs,
            RecentExits(core.tracker),  # from the first end on, not from the first look
            self._show_requests(core),
        )

    def open(self, core: Core) -> None:
        """Build the page that is shown, and the others when they are."""
        from desktop.gui.last_known.keeper import ContentKeeper
        from desktop.gui.server_counts import ServerCounts
        from desktop.gui.servers.trust_view import ConfigWatch

        if self._followed is None:
            self.follow(core)
        followed = self._parts()
        self._protocol = self._show_protocol(core, followed.calls)
        self._window.refresh_requested.connect(self._refresh)
        self._window.paste_requested.connect(self._paste_copied)
        self._window.open_pages()
        ServerCounts(self._window, core.service)
        self._keeper = ContentKeeper(self._window, core, followed.awaited)
        window = self._window
        ConfigWatch(window, window.theme, core.store, core.paths.trust, lambda: window.banners)

    def finish(self) -> None:
        """Keep what is shown for the next run; call it before the servers end."""
        if self._keeper is not None:
            self._keeper.finish()

    def add_ending(self, end: Callable[[], Awaitable[object]]) -> None:
        """Have a feature end what it does before the core is closed."""
        self._endings.append(end)

    async def end_features(self) -> None:
        """End what features do; call it before the core is closed."""
        for end in self._endings:
            await end()

    def _note_keeper(self, ended: TrackedProcess, _: CloseOutcome) -> None:
        """Say once that the process which watches all servers ended, and all of them with it."""
        if not ended.process.lost_keeper:
            return
        from PySide6.QtCore import QCoreApplication

        words = QCoreApplication.translate(
            "Pages", "The process that watches the servers ended; all were started again."
        )
        if words not in self._window.banners.messages:
            self._window.show_banner("keeper", "warning", words)

    def _learn_face(self, server: str) -> None:
        """Show a server that has connected with the icon that it declares."""
        from desktop.gui.widgets.server_faces import ServerFaces

        connection = self.core.service.connections.get(server)
        if connection is not None and connection.is_connected:
            ServerFaces.of(self._window.theme).learn(server, connection.about.icons)

    def add_last_ending(self, end: Callable[[], Awaitable[object]]) -> None:
        """Have a feature end what its work needed after the core is closed."""
        self._last_endings.append(end)

    async def close(self) -> None:
        """Close what features need to the end; call it after the core."""
        for end in self._last_endings:
            await end()

    def _refresh(self, page: str) -> None:
        from desktop.gui.widgets.offers_page import OffersPage

        if page == "servers":
            self.core.store.reload()
        elif page == "tools":
            self._list_tools_again()
        elif isinstance(offers := self._window.page(page), OffersPage):
            offers.read_again()

    def _list_tools_again(self) -> None:
        from PySide6.QtCore import QCoreApplication

        from desktop.gui import bridge

        service = self.core.service
        for name in service.get_connected_servers():
            doing = QCoreApplication.translate("Pages", "Reading the tools again")
            bridge.run(self._window, service.connection(name).list_tools(), doing)

    def _servers(self) -> QWidget:
        from desktop.gui.servers.page import ServersPage

        core = self.core
        theme, settings = self._window.theme, self._window.state.settings
        bundles = core.paths.bundles
        page = ServersPage(
            theme,
            core.store,
            core.service,
            settings,
            bundles=bundles,
            secrets=core.launcher.kept,
            finders=self._finders,
        )
        page.first_call_requested.connect(self.navigation.open_first_call)
        for use in self.servers_made:
            use(page)
        if self._is_painted:
            page.look_around()
        return page

    def look_around(self) -> None:
        """Look for other apps' servers, from now on: there is a loop, and the window is painted."""
        from desktop.gui.servers.page import ServersPage

        self._is_painted = True
        if isinstance(page := self._window.page("servers"), ServersPage):
            page.look_around()

    def import_from(self, what: str) -> None:
        """Show the servers of a file, an install link or a text, to be added."""
        from desktop.gui.servers.page import ServersPage

        if (page := self._window.open_page("servers", ServersPage)) is not None:
            page.import_from(what)

    def _paste_copied(self) -> None:
        """Add a server that was copied; what was copied for something else changes nothing."""
        from PySide6.QtGui import QGuiApplication

        from desktop.gui.servers.paste_form import why_no_server

        copied = QGuiApplication.clipboard().text()
        if not why_no_server(copied):
            self.import_from(copied)

    def _tools(self) -> QWidget:
        from desktop.gui.resources.reading import ResourceReading
        from desktop.gui.tools.page import ToolsPage

        core, window = self.core, self._window
        page = ToolsPage(
            core.registry,
            core.executor,
            window.theme,
            self._window.state.settings,
            server_of=lambda name: core.store.servers.get(name),
            read_resource=ResourceReading(core.service),
            awaited=self._parts().awaited,
            companion_of=partial(self.make_companion, None),
        )
        page.servers_requested.connect(lambda: window.show_page("servers"))
        page.history_requested.connect(self.show_history)
        page.resource_requested.connect(self._open_resource)
        for use in self.tools_made:
            use(page)
        self.import_validation()
        return page

    def import_validation(self, *more: str) -> None:
        """Before the first form and the first call need it; 3 MB, so not before there is a page.

        Args: more: modules that the page needs soon, too.
        """
        from asyncio import to_thread
        from importlib import import_module

        from desktop.gui import bridge

        work = to_thread(list, map(import_module, (*more, "desktop.tools.validation.validator")))
        bridge.run(self._window, work, "import the validation")

    def add_companion(self, make: MakeCompanion) -> None:
        """Have `make` called for each result, to show something beside it or nothing."""
        self._companions.append(make)

    def make_companion(
        self,
        conversation: ShownConversation | None,
        key: str,
        arguments: JsonObject,
        result: ToolResult,
        parent: QWidget,
    ) -> Companion | None:
        """What features show beside a result, which may be part of a conversation."""
        made = (make(conversation, key, arguments, result, parent) for make in self._companions)
        return next(filter(None, made), None)

    def follow_calls(self, executor: ToolExecutor) -> None:
        """Have the calls of a feature's own executor on the page of the activity."""
        self._parts().calls.follow(executor)

    def _resources(self) -> QWidget:
        from desktop.gui.resources.page import ResourcesPage

        window = self._window
        has_chat = self.open_question is not None
        page = ResourcesPage(
            window.theme, self.core.service, window.state.settings, has_chat=has_chat
        )
        page.servers_requested.connect(lambda: window.show_page("servers"))
        page.chat_requested.connect(self._attach_in_chat)
        return page

    def _prompts(self) -> QWidget:
        from desktop.gui.prompts.page import PromptsPage

        window = self._window
        has_chat = self.open_question is not None
        page = PromptsPage(
            window.theme, self.core.service, window.state.settings, has_chat=has_chat
        )
        page.servers_requested.connect(lambda: window.show_page("servers"))
        page.chat_requested.connect(self.quote_in_chat)
        return page

    def _open_resource(self, server: str, uri: str) -> None:
        """Read what a result leads to, at the server that gave the result."""
        from desktop.gui.resources.page import ResourcesPage

        if (page := self._window.open_page("resources", ResourcesPage)) is not None:
            page.open_uri(server, uri)

    def _open_offer(self, call: Summary, arguments: JsonObject) -> None:
        """Show what was read, or the prompt that was filled in, at its server."""
        from desktop.gui.prompts.page import PromptsPage

        server, _, name = call.key.partition(":")
        if call.kind == "resource":
            self._open_resource(server, name)
            return
        if (page := self._window.open_page("prompts", PromptsPage)) is not None:
            page.open_prompt(call.key, {key: str(arguments[key]) for key in arguments})

    def quote_in_chat(self, text: str, pictures: tuple[bytes, ...] = ()) -> None:
        """Put what a server has into the question that is being written."""
        if (question := self._open_question()) is not None:
            question.add_text(text)
            question.attach_pictures(pictures)

    def _attach_in_chat(self, server: str, uri: str, read: ReadResult) -> None:
        if (question := self._open_question()) is not None:
            question.attach_resource(server, uri, read)

    def _open_question(self) -> Question | None:
        return self.open_question() if self.open_question is not None else None

    def _show_requests(self, core: Core) -> RequestsFeature:
        from desktop.gui.requests.feature import RequestsFeature

        return RequestsFeature(self._window, core.requests)

    @property
    def requests(self) -> RequestsFeature:
        """Where the person answers what servers ask."""
        return self._parts().requests

    def _show_protocol(self, core: Core, calls: CallLog) -> ProtocolFeature:
        from desktop.gui import shortcuts
        from desktop.gui.activity.protocol_feature import ProtocolFeature

        protocol = ProtocolFeature(self._window, core, calls)
        self._window.add_panel("protocol", shortcuts.PROTOCOL, protocol.toggle)
        return protocol

    @property
    def protocol(self) -> ProtocolFeature | None:
        """The protocol under the pages; None before there is a core."""
        return self._protocol

    def _activity(self) -> QWidget:
        from desktop.gui.activity.page import ActivityPage
        from desktop.gui.activity.run_again import RunAgain

        followed, window = self._parts(), self._window
        core, settings = followed.core, window.state.settings
        calls, logs = followed.calls, followed.logs
        page = ActivityPage(window.theme, core.traffic, core.history, calls, logs, settings)
        page.tools_requested.connect(lambda: window.show_page("tools"))
        page.servers_requested.connect(lambda: window.show_page("servers"))
        page.open_call_requested.connect(self.navigation.open_call)
        page.open_offer_requested.connect(self._open_offer)
        if self._protocol is not None:
            page.calls.call_chosen.connect(self._protocol.choose_call)
            page.messages_made.connect(self._protocol.serve)
        RunAgain(page.calls, core)
        for use in self.activity_made:
            use(page)
        return page

    def show_history(self, key: str) -> None:
        """Show the earlier calls of one tool."""
        from desktop.gui.activity.page import ActivityPage

        if (page := self._window.open_page("activity", ActivityPage)) is not None:
            page.show_tool(key)

    def _processes(self) -> QWidget:
        from desktop.gui.processes.page import ProcessesPage

        core, window = self.core, self._window
        ends = self._parts().ends
        page = ProcessesPage(window.theme, core.service, core.tracker, ends, core.ledger.problem)
        page.servers_requested.connect(lambda: window.show_page("servers"))
        window.refresh_requested.connect(page.look_if_seen)
        return page

    def _settings(self) -> QWidget:
        from desktop.gui.settings.page import SettingsPage

        core = self.core
        of_features = self._sections_of_features
        sections = (
            *of_features["first"],
            *of_features["before approvals"],
            self._approvals_section,
            *of_features["last"],
        )
        return SettingsPage(core.store, self._window.theme, core.paths, sections)

    def add_settings_section(
        self,
        make: Callable[[], SectionCard],
        *,
        place: Literal["first", "before approvals", "last"] = "last",
    ) -> None:
        """Have the settings show a section of a feature; `make` runs when they are built."""
        self._sections_of_features[place].append(make)

    def add_finder(self, finder: Finder) -> None:
        """Have the page of the servers offer a place where servers can be found."""
        self._finders.append(finder)

    def _approvals_section(self) -> ApprovalsSection:
        from desktop.gui.settings.approvals_section import ApprovalsSection

        return ApprovalsSection(self.core.approvals)

    @property
    def core(self) -> Core:
        """What the pages show; there once `follow` was called."""
        return self._parts().core

    def _parts(self) -> _Followed:
        if self._followed is None:
            raise RuntimeError("a page was built before the core was there")
        return self._followed
