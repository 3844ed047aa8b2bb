"""`AppViews`: the apps that a person looks at now; `AppView` is one of them.

A view has a server of its own on loopback, and an executor of its own, whose calls ask by the same
approvals as a model's and are recorded like all others. It ends with its result, its page, or the
window. Must not show anything: the window follows `changed` and answers `questions`.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from msgspec.structs import replace

from desktop.base.signals import Signal
from desktop.base.tasks import spawn
from desktop.base.translatable import translatable
from desktop.config.launch_details import Launch
from desktop.features.mcp_apps.bridge import AppBridge, ShownCall
from desktop.features.mcp_apps.host_context import HostContext
from desktop.features.mcp_apps.limits import MAX_NOTES
from desktop.features.mcp_apps.loopback import GONE_LIMIT, PageLabels, ViewServer
from desktop.features.mcp_apps.resource import AppError, read_app
from desktop.history.store import HistoryRecorder
from desktop.servers.app_messages import read_json
from desktop.servers.requests import Accepted, ElicitationRequest, ask_to_open
from desktop.tools.approval_policy import ApprovalPolicy
from desktop.tools.executor import ToolExecutor
from desktop.values.tool_types import ToolError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from desktop.core import Core
    from desktop.features.mcp_apps.download import Download
    from desktop.features.mcp_apps.host_context import DisplayMode
    from desktop.features.mcp_apps.model_context import ContextSlot
    from desktop.features.mcp_apps.resource import AppResource, Purpose
    from desktop.servers.requests import ServerRequests
    from desktop.servers.service import McpService
    from desktop.tools.approvals import ApprovalQuestion, ApprovalResponse, Approvals
    from desktop.tools.registry import ToolRegistry
    from desktop.tools.result_spill import ResultSpill
    from desktop.tools.validation.rules import Rules
    from desktop.values.tool_types import ToolCall, ToolDefinition

logger = logging.getLogger(__name__)
Phase: TypeAlias = Literal["waiting", "open", "closed"]
"""For a browser that has not come yet; its app has said hello; over."""
WAIT_LIMIT: Final = 300.0
"""Seconds that a view waits for a browser."""
MAX_READ: Final = 4
"""Pages of apps that are kept, for the next result of the same tool."""
MAX_VIEWS: Final = 10
"""Views that are open at a time; the oldest is closed for a further one."""


class AppView:
    """One app on one page. `changed` follows everything that a person is shown of it."""

    def __init__(
        self,
        shown: ShownCall,
        resource: AppResource,
        server: ViewServer,
        make_executor: Callable[[AppView], ToolExecutor],
    ) -> None:
        self.shown, self.resource = shown, resource
        self.executor = make_executor(self)
        """Runs its calls."""
        self.phase: Phase = "waiting"
        self.notes: dict[str, int] = {}
        """Sentences on what the app wanted, and how often, in the order they came first."""
        self.calls = 0
        """Calls that it made."""
        self.questions: dict[str, ApprovalQuestion] = {}
        """Its calls that wait for the person, by their ids."""
        self.download: Download | None = None
        """A file that waits for the person to save it, or not."""
        self.changed: Signal[[]] = Signal()
        self.why = ""
        """Why it is closed, as a sentence; empty where the person closed it."""
        self._server = server
        self._answers: dict[str, asyncio.Future[ApprovalResponse]] = {}
        self._saved: asyncio.Future[bool] | None = None
        self._bridge: AppBridge | None = None
        self._close_recorder: Callable[[], None] = lambda: None
        self._closing: asyncio.Task[None] | None = None
        loop = asyncio.get_running_loop()
        self._waiting = loop.call_later(WAIT_LIMIT, self._expire)

    @property
    def url(self) -> str:
        """What a browser is to open."""
        return self._server.url

    @property
    def mode(self) -> DisplayMode:
        """How it is shown now."""
        return self._bridge.place.mode if self._bridge is not None else "inline"

    def join(self, bridge: AppBridge, close_recorder: Callable[[], None]) -> None:
        """Connect page and bridge; called once."""
        self._bridge, self._close_recorder = bridge, close_recorder
        server = self._server
        server.opened.connect(self._note_page)
        server.received.connect(bridge.receive)
        server.dropped.connect(bridge.say_dropped)
        server.placed.connect(bridge.move)
        bridge.placed.connect(self.changed.send)
        server.left.connect(lambda: self.close(translatable("The page was closed.")))
        server.overflowed.connect(lambda: self.close(translatable("The page stopped reading.")))
        bridge.sent.connect(server.send)
        bridge.noted.connect(self.note)
        bridge.called.connect(self._note_call)
        bridge.initialized.connect(self._note_open)
        bridge.finished.connect(lambda: self.close(translatable("Closed by the MCP App.")))

    async def ask(self, question: ApprovalQuestion) -> ApprovalResponse:
        """Have the person decide on one call of the app."""
        answer: asyncio.Future[ApprovalResponse] = asyncio.get_running_loop().create_future()
        self.questions[question.call_id] = question
        self._answers[question.call_id] = answer
        self.changed.send()
        try:
            return await answer
        finally:
            del self.questions[question.call_id], self._answers[question.call_id]
            self.changed.send()

    def answer(self, call_id: str, response: ApprovalResponse) -> None:
        """Answer what it asks; nothing where nobody waits for it any more."""
        waiting = self._answers.get(call_id)
        if waiting is not None and not waiting.done():
            waiting.set_result(response)

    async def save(self, download: Download) -> bool:
        """Have the person save a file. Returns: whether it is written."""
        self.download = download
        self._saved = saved = asyncio.get_running_loop().create_future()
        self.changed.send()
        try:
            return await saved
        finally:
            self.download = self._saved = None
            self.changed.send()

    def answer_download(self, download: Download, is_saved: bool) -> None:
        """Say what became of a file; nothing where nobody waits for it any more."""
        if self.download is download and self._saved is not None and not self._saved.done():
            self._saved.set_result(is_saved)

    def note(self, sentence: str) -> None:
        """Keep a sentence; one that was there before is counted."""
        if sentence in self.notes or len(self.notes) < MAX_NOTES:
            is_news = sentence not in self.notes
            self.notes[sentence] = self.notes.get(sentence, 0) + 1
            if is_news:  # a flood of the same changes nothing that has to be painted
                logger.info("app %.200r: %s", self.shown.definition.key, sentence)
                self.changed.send()

    def change_context(self, context: HostContext) -> None:
        if self._bridge is not None:
            self._bridge.change_context(context)

    def close(self, why: str = "") -> None:
        """End the view, without waiting: its port closes, its address is dead. Idempotent."""
        if self.phase == "closed":
            return
        self.phase, self.why = "closed", why
        self._waiting.cancel()
        self._closing = spawn(self._close(), "close an app")
        self.changed.send()

    async def closed(self) -> None:
        """Wait until it has ended, after `close`."""
        if self._closing is not None:
            await asyncio.wait({self._closing})

    async def _close(self) -> None:
        try:
            if self._bridge is not None:
                await self._bridge.close()
        finally:
            for answer in self._answers.values():
                answer.cancel()
            if self._saved is not None:
                self._saved.cancel()
            await self._server.close()
            self._close_recorder()

    def _note_page(self) -> None:
        self._waiting.cancel()
        if self._bridge is not None:
            self._bridge.begin_anew()

    def _note_open(self) -> None:
        if self.phase == "waiting":
            self.phase = "open"
        self.changed.send()

    def _note_call(self, _: ToolCall) -> None:
        self.calls += 1
        self.changed.send()

    def _expire(self) -> None:
        self.close(translatable("No browser opened the address in time."))


class AppViews:
    """Opens apps of the shared servers. `opened` has each new view."""

    def __init__(
        self,
        service: McpService,
        registry: ToolRegistry,
        rules: Rules,
        approvals: Callable[[], Approvals],
        requests: ServerRequests,
        record: Callable[[ToolExecutor, ToolRegistry], Callable[[], None]],
        *,
        spill: ResultSpill | None = None,
        gone_limit: float = GONE_LIMIT,
    ) -> None:
        """Open nothing yet.

        Args:
            service: the servers.
            registry: their tools.
            rules: those of the person.
            approvals: the stored decisions on tools.
            requests: asks for links and messages, as servers do.
            record: has the calls of an executor recorded; returns what ends it.
            spill: where large results go.
            gone_limit: seconds without its page after which a view is closed.
        """
        self.opened: Signal[[AppView]] = Signal()
        self.say_in_chat: Callable[[str], object] | None = None
        """Puts a text into the message that is being written; None where there is no chat."""
        self._service, self._registry, self._rules = service, registry, rules
        self._approvals, self._requests, self._record = approvals, requests, record
        self._spill, self._gone_limit = spill, gone_limit
        self._views: list[AppView] = []
        self._read: dict[tuple[str, str], AppResource] = {}
        self._ends = [
            service.state_changed.connect(self._forget),
            service.tools_changed.connect(self._forget),
        ]
        self._context = HostContext()

    @property
    def views(self) -> tuple[AppView, ...]:
        """Those that are open, the oldest first."""
        return tuple(view for view in self._views if view.phase != "closed")

    async def load(self, definition: ToolDefinition) -> AppResource:
        """The app of a tool, as its server has it since it connected.

        Raises:
            AppError: there is none that can be shown.
            ServerError: there is no server of this name.
        """
        place = definition.server, definition.app_uri
        if (known := self._read.get(place)) is not None:
            return known
        connection = self._service.connection(definition.server)
        answer = await read_json(connection, definition.app_uri, is_asked_for=False)
        if isinstance(answer, ToolError):
            raise AppError(answer.message)
        read = self._read[place] = read_app(definition.app_uri, answer)
        if len(self._read) > MAX_READ:
            del self._read[next(iter(self._read))]
        return read

    def _forget(self, server: str) -> None:
        """The server is another one by now, and so may be its apps."""
        self._read = {place: read for place, read in self._read.items() if place[0] != server}

    def open(
        self,
        shown: ShownCall,
        resource: AppResource,
        labels: PageLabels,
        *,
        with_domains: bool = False,
        for_model: ContextSlot | None = None,
    ) -> AppView:
        """Open a view, for a browser to come to its `url`.

        Args:
            shown: the call.
            resource: its app.
            labels: the words of our page around it.
            with_domains: whether the person allows what the app wants to reach.
            for_model: takes what the app tells the model; None where it is in no conversation.

        Raises:
            UsageError: this machine has no port free.
        """
        for old in self.views[: -MAX_VIEWS + 1]:
            old.close(translatable("Too many MCP Apps were open."))
        allowed: Mapping[Purpose, tuple[str, ...]] = resource.domains if with_domains else {}
        server = ViewServer(resource, allowed, labels, gone_limit=self._gone_limit)
        view = AppView(shown, resource, server, self._make_executor)
        bridge = AppBridge(
            shown,
            replace(resource, domains=allowed),
            view.executor,
            self._registry,
            lambda: self._service.connection(shown.definition.server),
            _Person(self, view, for_model),
            self._context,
        )
        view.join(bridge, self._record(view.executor, self._registry))
        self._views = [*self.views, view]
        self.opened.send(view)
        return view

    def _make_executor(self, view: AppView) -> ToolExecutor:
        policy = ApprovalPolicy(self._approvals(), view, view.note, self._launch_of)
        return ToolExecutor(self._registry, approver=policy, rules=self._rules, spill=self._spill)

    def change_context(self, context: HostContext) -> None:
        """The look or the language of the window is another one."""
        self._context = context
        for view in self.views:
            view.change_context(context)

    async def close(self) -> None:
        """End every view."""
        for end in self._ends:
            end()
        views, self._views = self._views, []
        for view in views:
            view.close()
        await asyncio.gather(*(view.closed() for view in views))

    @property
    def requests(self) -> ServerRequests:
        return self._requests

    def _launch_of(self, server: str) -> Launch | None:
        connection = self._service.connections.get(server)
        return Launch(connection.config) if connection is not None else None


def views_of(core: Core) -> AppViews:
    """Those of a run, which end before its servers do."""
    redaction = core.traffic.redaction
    views = AppViews(
        core.service,
        core.registry,
        core.rules,
        lambda: core.approvals,
        core.requests,
        lambda runs, tools: HistoryRecorder(runs, tools, core.history, redaction).close,
        spill=core.spill,
    )
    core.closing.append(views.close)
    return views


class _Person:
    """Asks for what an app wants beyond its server, in the queue that servers ask in."""

    def __init__(self, views: AppViews, view: AppView, for_model: ContextSlot | None) -> None:
        self._views, self._definition, self._for_model = views, view.shown.definition, for_model
        self.save = view.save

    @property
    def has_chat(self) -> bool:
        return self._views.say_in_chat is not None

    @property
    def has_conversation(self) -> bool:
        return self._for_model is not None

    def tell_model(self, text: str) -> bool:
        return self._for_model is not None and self._for_model.put(text)

    async def open_link(self, url: str) -> bool:
        words = translatable(
            "The MCP App of {tool} requests to open a link.", tool=self._definition.label
        )
        request = ask_to_open(words, url)
        answer = await self._views.requests.ask(self._definition.server, request)
        return isinstance(answer, Accepted)

    async def send_message(self, text: str) -> bool:
        """The person may change it; it is then in the chat as if they had typed it, not sent."""
        words = translatable(
            "The MCP App of {tool} requests to add a text to your next message in Chat.",
            tool=self._definition.label,
        )
        field = {"type": "string", "title": "Message", "default": text}
        schema = {"type": "object", "properties": {"message": field}, "required": ["message"]}
        answer = await self._views.requests.ask(
            self._definition.server, ElicitationRequest(words, schema)
        )
        if not isinstance(answer, Accepted) or self._views.say_in_chat is None:
            return False
        self._views.say_in_chat(str(answer.content.get("message", "")))
        return True
