"""A core for one attached command: the servers it asks for, of a core that goes on.

The command sees its own servers and their tools alone, as if it had started them, and what it does
is in the history and the activity of the core that lends them. What a server asks back goes to the
terminal of the command that calls it. Must not connect or print: the command does.
"""

from __future__ import annotations

from collections import Counter
from contextlib import contextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING

from msgspec.structs import replace

from desktop.base.errors import UsageError
from desktop.history.store import HistoryRecorder
from desktop.servers.requests import Declined, Dismissed, ServerRequests
from desktop.servers.service import McpService, why_away
from desktop.tools.adapters import wrap_unlisted_tool
from desktop.tools.executor import ToolExecutor
from desktop.tools.loader import ToolsLoader
from desktop.tools.registry import ToolRegistry

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Sequence

    from desktop.config.models import ServerConfig
    from desktop.core import Core
    from desktop.features.gateway.server.questions import Questions
    from desktop.servers.connection import ServerConnection
    from desktop.servers.requests import Answer, End, PendingRequest, Request
    from desktop.values.tool_types import ToolCall, ValidationIssue


class LentService(McpService):
    """Some of the connections of another service, which keeps them."""

    def __init__(self, core: Core) -> None:
        """Lends nothing yet: `add_server` does."""
        super().__init__(core.surroundings)
        self._lender = core.service
        self._ends: list[Callable[[], None]] = []

    def add_server(self, config: ServerConfig) -> ServerConnection:
        """Borrow a connection, whatever its state."""
        name = config.name
        if (connection := self._lender.connections.get(name)) is None:
            connection = self._lender.add_server(config)
        self._connections[name] = connection
        self._ends.append(connection.tools_changed.connect(lambda: self.tools_changed.send(name)))
        self.servers_changed.send()
        self.tools_changed.send(name)
        return connection

    def give_back(self) -> None:
        """Follow the connections no more; they go on."""
        for end in self._ends:
            end()


class LentRequests(ServerRequests):
    """What the lent servers ask, of all that waits in another queue."""

    def __init__(self, shared: ServerRequests, service: LentService) -> None:
        super().__init__()
        self._shared, self._service = shared, service
        self._asked: set[str] = set()
        self._ends = [
            shared.removed.connect(self._pass_removed),
            shared.notice_posted.connect(self._pass_notice),
        ]

    def wants(self, pending: PendingRequest) -> bool:
        """Whether the command's terminal is the one to ask."""
        return self.answerer is not None and pending.server in self._service.connections

    def ask_terminal(self, pending: PendingRequest) -> Answer | None:
        """The terminal's answer, or None: a person is being asked."""
        self._asked.add(pending.id)
        return self.answerer(pending) if self.answerer is not None else Declined()

    def answer(self, request_id: str, answer: Answer) -> None:
        self._shared.answer(request_id, answer)

    def misfits(self, request: Request, answer: Answer) -> list[ValidationIssue]:
        return self._shared.misfits(request, answer)

    def give_back(self) -> None:
        """Dismiss what was asked here and has no answer: nobody is there to give it any more."""
        for end in self._ends:
            end()
        for request_id in list(self._asked):
            with suppress(UsageError):  # somebody else answered
                self._shared.answer(request_id, Dismissed())

    def _pass_removed(self, pending: PendingRequest, end: End) -> None:
        if pending.id in self._asked:
            self._asked.discard(pending.id)
            self.removed.send(pending, end)

    def _pass_notice(self, server: str, sentence: str) -> None:
        if server in self._service.connections:
            self.notice_posted.send(server, sentence)


class CoreLender:
    """Lends the servers of one core to any number of commands at a time."""

    def __init__(self, core: Core, *, keeps_started: bool) -> None:
        """Args: keeps_started: a server that is off and was started for a command goes on."""
        self._core = core
        self._keeps_started = keeps_started
        self._lent: list[LentRequests] = []
        self._own_answerer: Callable[[PendingRequest], Answer | None] | None = None
        self._clients: Questions | None = None
        self._own_calls: Counter[str] = Counter()
        self._users: Counter[str] = Counter()
        self._ends = [
            core.executor.started.connect(partial(self._count_own, 1)),
            core.executor.finished.connect(lambda call, _: self._count_own(-1, call)),
        ]

    def close(self) -> None:
        """Follow the core no more."""
        for end in self._ends:
            end()
        self._clients = None
        self._leave_answers()

    def ask_clients(self, questions: Questions) -> None:
        """From now on, ask the clients of gateways what servers ask while they are called."""
        self._take_answers()
        self._clients = questions

    def ask_core(self, pending: PendingRequest) -> Answer | None:
        """Ask where the core itself asks: at the window."""
        return self._own_answerer(pending) if self._own_answerer is not None else Declined()

    @contextmanager
    def lend(self, servers: Sequence[ServerConfig]) -> Generator[Core]:
        """A core that has these servers, once the command adds them."""
        core = self._core
        service = LentService(core)
        registry = ToolRegistry()
        requests = LentRequests(core.requests, service)
        executor = ToolExecutor(
            registry,
            rules=core.rules,
            unlisted=partial(wrap_unlisted_tool, service),
            away=partial(why_away, service),
            spill=core.spill,
        )
        loader = ToolsLoader(service, registry)
        recorder = HistoryRecorder(executor, registry, core.history, core.traffic.redaction)
        unfollow = executor.stepped.connect(core.executor.stepped.send)
        names = [config.name for config in servers]
        self._users.update(names)
        self._take_requests(requests)
        try:
            yield replace(
                core,
                service=service,
                registry=registry,
                loader=loader,
                executor=executor,
                recorder=recorder,
                surroundings=replace(core.surroundings, requests=requests),
            )
        finally:
            self._leave_requests(requests)
            unfollow()
            recorder.close()
            loader.close()
            service.give_back()
            self._users.subtract(names)
            self._stop_unused(names)

    def _stop_unused(self, names: Sequence[str]) -> None:
        """End what is off and was started for the command, if it was the last one to use it."""
        for name in names if not self._keeps_started else ():
            connection = self._core.service.connections.get(name)
            if connection is not None and not connection.is_enabled and not self._users[name]:
                connection.stop()

    def _count_own(self, by: int, call: ToolCall) -> None:
        self._own_calls[call.key.partition(":")[0]] += by

    def _take_requests(self, requests: LentRequests) -> None:
        self._take_answers()
        self._lent.append(requests)

    def _leave_requests(self, requests: LentRequests) -> None:
        self._lent.remove(requests)
        self._leave_answers()
        requests.give_back()

    def _take_answers(self) -> None:
        if not self._lent and self._clients is None:
            self._own_answerer = self._core.requests.answerer
            self._core.requests.answerer = self._route

    def _leave_answers(self) -> None:
        is_free = not self._lent and self._clients is None
        if is_free and self._core.requests.answerer == self._route:
            self._core.requests.answerer = self._own_answerer

    def _route(self, pending: PendingRequest) -> Answer | None:
        """Ask where the server was called from.

        A server does not say for which call it asks: while the core itself calls it, too, or both
        a command and a client, the core is asked, so that no `--elicit` of a script answers for
        the person at the window.
        """
        if self._own_calls[pending.server]:
            return self.ask_core(pending)
        lent = next((each for each in reversed(self._lent) if each.wants(pending)), None)
        clients = self._clients
        if clients is None or not clients.is_calling(pending.server):
            return lent.ask_terminal(pending) if lent is not None else self.ask_core(pending)
        return clients.answer(pending) if lent is None else self.ask_core(pending)
