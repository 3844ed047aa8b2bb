"""`ServerConnection`: one server, and the one task that owns its SDK client from enter to leave.

Nobody else enters, leaves or cancels the client: others send requests, and stopping is an event.
Must not know of other servers or of any window. Source: MCP specification, basic/lifecycle.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
import time
from typing import TYPE_CHECKING, TypeVar

from msgspec.structs import replace

from desktop.base.signals import Signal
from desktop.base.tasks import spawn
from desktop.base.translatable import translatable
from desktop.config.secrets import secrets_of
from desktop.processes.tracker import KILL_AFTER
from desktop.redaction.redactor import Redaction
from desktop.servers.calls import SessionForgottenError, call_tool, send_request, unreachable
from desktop.servers.retry_pause import RetryPause
from desktop.servers.server_log import set_log_level
from desktop.servers.session import Session
from desktop.servers.state import Capabilities, Challenge, ServerInfo, ServerState
from desktop.servers.transport.stderr_log import StderrLog
from desktop.values.tool_types import ToolError, ToolResult

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from mcp import Client
    from mcp.shared.dispatcher import ProgressFnT

    from desktop.config.models import LogLevel, ServerConfig
    from desktop.servers.calls import Requester, Send
    from desktop.servers.context import ConnectionContext, Spill
    from desktop.servers.prompts import ServerPrompts
    from desktop.servers.resources import ServerResources
    from desktop.servers.server_log import LogMessage
    from desktop.servers.state import Phase, Problem
    from desktop.values.prompt_types import PromptResult
    from desktop.values.resource_types import ReadResult
    from desktop.values.tool_types import JsonObject, Progress, ToolDefinition

# `ServerOffers`: what a server has beside tools, made when somebody asks for it.
#
# A launch pays nothing for it, not even an import: most runs only call tools. Must not decide what
# is read: `ServerResources` and `ServerPrompts` do.


class ServerOffers:
    """The resources and the prompts of one server."""

    def __init__(self, server: Requester, spill: Spill) -> None:
        """Args: server: the connection, by which everything is sent. spill: of the context."""
        self._server, self._spill = server, spill
        self.resource_read: Signal[[str, ReadResult]] = Signal()
        """A read that somebody asked for ended: the URI, and what came of it."""
        self.prompt_filled: Signal[[str, Mapping[str, str], PromptResult]] = Signal()
        """A prompt was asked for: its name, the arguments, and what came of it."""
        self._resources: ServerResources | None = None
        self._prompts: ServerPrompts | None = None

    @property
    def resources(self) -> ServerResources:
        if self._resources is None:
            from desktop.servers.resources import ServerResources

            self._resources = ServerResources(self._server, self.resource_read, self._spill)
        return self._resources

    @property
    def prompts(self) -> ServerPrompts:
        if self._prompts is None:
            from desktop.servers.prompts import ServerPrompts

            self._prompts = ServerPrompts(self._server, self.prompt_filled, self._spill)
        return self._prompts

    def join(self, session: Session) -> None:
        """Take up in a session that is open now what was asked for in an earlier one."""
        session.readers |= {"resources": self._list_resources, "prompts": self._list_prompts}
        if self._resources is not None:
            session.spawn(self._resources.follow(session), "follow resources")
        if self._prompts is not None:
            session.spawn(self._prompts.follow(session), "follow prompts")

    async def _list_resources(self) -> None:
        if self._resources is not None:
            await self._resources.read_again()

    async def _list_prompts(self) -> None:
        if self._prompts is not None:
            await self._prompts.read_again()

    def forget(self) -> None:
        """Offer nothing: the server is gone. Whoever asked before is served by its next session."""
        if self._resources is not None:
            self._resources.forget()
        if self._prompts is not None:
            self._prompts.forget()


T = TypeVar("T")

RETRIES = 5
"""Reconnections in a row after a crash, before a person has to look; then a URL is tried slowly."""
MAX_UNWATCHED = 20
"""Ends of the keeper of all processes after which they count against a server, too."""
CLOSE_LIMIT = KILL_AFTER + 2.0
"""Seconds until a stop that does not end is given up and reported."""

logger = logging.getLogger(__name__)


class ServerConnection:
    """A configured server: connects, stays connected, lists its tools, calls them, ends it."""

    def __init__(self, config: ServerConfig, context: ConnectionContext) -> None:
        """Args: config: as the person wrote it. context: what all connections share."""
        self.config = config
        self.state = ServerState()
        self.listed: tuple[ToolDefinition, ...] = ()
        self.tools: tuple[ToolDefinition, ...] = ()
        self.state_changed: Signal[[]] = Signal()
        self.tools_changed: Signal[[]] = Signal()
        self.log_received: Signal[[LogMessage]] = Signal()
        self.resources_changed: Signal[[]] = Signal()
        self.resource_updated: Signal[[str]] = Signal()
        self.prompts_changed: Signal[[]] = Signal()
        self.offers = ServerOffers(self, context.spill)
        self._context = context
        self.output = StderrLog(context.log_file(config.name), self._redact)
        self.starting_since = 0.0  # by the monotonic clock: when it was told to start last
        self._session: Session | None = None
        self._problem: Problem | None = None
        self._owner: asyncio.Task[None] | None = None
        self._stopping = asyncio.Event()
        self._start_again = False
        self._attempt = 0
        self._pause = RetryPause()
        self._tried = asyncio.Event()
        self._speaks_sse = False
        self._steady_at = math.inf
        self._settled = asyncio.Event()
        self._settled.set()

    @property
    def name(self) -> str:
        return self.config.name

    @property
    def is_connected(self) -> bool:
        return self.state.phase == "connected" and not self._stopping.is_set()

    @property
    def is_enabled(self) -> bool:
        return self.config.enabled

    @property
    def is_running(self) -> bool:
        """Whether it was started and has not ended: connected, or on the way there or away."""
        return self._owner is not None and not self._owner.done()

    @property
    def is_remote(self) -> bool:
        """Whether the server is at a URL: nothing of it runs here, and it may be back any time."""
        return self.config.transport != "stdio"

    @property
    def is_on_its_way_back(self) -> bool:
        """Whether it can be called though it is not connected: a call tries it at once."""
        return self.is_remote and self.state.phase == "reconnecting" and bool(self.tools)

    @property
    def pid(self) -> int | None:
        """The server's process, while there is one; None for servers at a URL."""
        return self._session.pid if self._session is not None else None

    @property
    def session(self) -> Session | None:
        """The open session; None when not connected."""
        return self._session if self.is_connected else None

    @property
    def about(self) -> ServerInfo:
        """What the connected server says of itself; empty values when it is not connected."""
        if self._session is None or not self.is_connected:
            return ServerInfo()
        return self._session.about

    @property
    def capabilities(self) -> Capabilities:
        """What the connected server declares; nothing when it is not connected."""
        return self._session.capabilities if self._session is not None else Capabilities()

    @property
    def resources(self) -> ServerResources:
        """What it has to be read; it is asked when somebody asks."""
        return self.offers.resources

    @property
    def prompts(self) -> ServerPrompts:
        """What it has to be said to a model; it is asked when somebody asks."""
        return self.offers.prompts

    @property
    def oddities(self) -> tuple[str, ...]:
        """What the open session found wrong with the server that did not stop it, in words."""
        return self._session.oddities.texts if self._session is not None else ()

    async def connect(self) -> None:
        """Start it and wait until it is connected or failed; the state says which. Never raises."""
        self.start()
        await self.settle()

    def start(self) -> None:
        """Begin to connect, without waiting. Does nothing if it is running already.

        While the server is stopping, it is started again once it has stopped: the last request
        wins. One that is away is tried at once.
        """
        if self.is_running:
            if self._is_leaving_failed:
                self._start_again = True
                self._set_state(ServerState("starting"))
            self._start_again |= self._stopping.is_set()
            if self._start_again or self.state.phase in {"failed", "reconnecting"}:
                self._settled.clear()
            self._try_now()
            return
        if (refusal := self._context.refuse(self.config)) is not None:
            if self.state.phase != "untrusted":
                self._log("not started", "nobody agreed to its command or address")
            self._finish(ServerState("untrusted", error=str(refusal), is_new=refusal.is_new))
            return
        self._stopping = asyncio.Event()
        self._pause = RetryPause()
        self._tried.clear()
        self._settled.clear()
        self.starting_since = time.monotonic()
        self._set_state(ServerState("starting"))
        self._owner = spawn(self._own(), f"server {self.name}")
        self._owner.add_done_callback(self._ended)

    async def settle(self) -> None:
        """Wait until the first connect ended one way or the other; its own limits bound it."""
        await self._settled.wait()

    def stop(self) -> None:
        """Begin to stop the server, without waiting; its tools are gone at once."""
        self._start_again = False
        self._stopping.set()
        self._pause.cut_short()
        if self._session is not None:
            self._session.stop()
        self._offer_nothing()
        if not self.is_running:
            self._finish(ServerState())

    async def disconnect(self) -> None:
        """Stop the server and every process below it; its tools are gone at once. Never raises."""
        owner = self._owner
        self.stop()
        if owner is None or owner.done():
            return
        _, late = await asyncio.wait({owner}, timeout=CLOSE_LIMIT)
        if late:
            logger.error("server %s did not end within %g s", self.name, CLOSE_LIMIT)

    async def restart(self) -> None:
        """Stop the server, start it again and wait until it is connected or failed."""
        self.start_anew()
        await self.settle()

    def start_anew(self) -> None:
        """Begin to stop the server and to connect again, without waiting."""
        self.stop()
        self.start()

    def reconfigure(self, config: ServerConfig) -> None:
        """Use another configuration; what needs a new session takes effect with the next one."""
        before, self.config = self.config, config
        self._speaks_sse = False
        self._set_tools(self.listed)
        if self.session is not None:
            # A root that is no folder: the start says what is wrong with it.
            self.session.use_config(before, config, self.start_anew)

    async def set_log_level(self, level: LogLevel | None) -> ToolError | None:
        """Ask for log messages from a level on, until the session ends; an error says why not."""

        async def send(client: Client, _: ProgressFnT) -> None:
            await set_log_level(client, level)

        return await self.request(translatable("{server}, log level", server=self.name), send)

    async def list_tools(self) -> tuple[ToolDefinition, ...]:
        """Ask the server for its tools anew and return those offered; none when not connected.

        Raises:
            ServerError: the list could not be read; the old one stays.
        """
        session = self._session
        if session is not None and self.is_connected:
            await session.list_tools()
        return self.tools

    async def call_tool(
        self,
        name: str,
        arguments: JsonObject,
        *,
        call_id: str = "",
        timeout: float | None = None,
        on_progress: Callable[[Progress], None] | None = None,
    ) -> ToolResult:
        """Run a tool; every failure is a result. Cancelling the caller cancels it at the server.

        Args:
            name: the tool's own name.
            arguments: sent as they are.
            call_id: the caller's name for this call, repeated in its progress.
            timeout: seconds without an answer or a sign of progress; None for the server's own.
            on_progress: called at each progress notification, which also renews the limit.
        """

        async def send(client: Client, told: ProgressFnT) -> ToolResult:
            return await call_tool(client, told, name, arguments)

        result = await self.request(
            f"{self.name}:{name}", send, timeout=timeout, on_progress=on_progress, call_id=call_id
        )
        if isinstance(result, ToolError):
            return ToolResult(success=False, error=result)
        return result

    async def request(
        self,
        subject: str,
        send: Send[T],
        *,
        timeout: float | None = None,
        on_progress: Callable[[Progress], None] | None = None,
        call_id: str = "",
    ) -> T | ToolError:
        """Send one request; every failure is an error. A server at a URL that is away is tried.

        Args:
            subject: what a message names, with the server.
            send: sends it and reads the answer; twice where the server forgot the session.
            timeout: seconds without an answer or a sign of progress; None for the server's own.
            on_progress: called at each progress notification, which also renews the limit.
            call_id: repeated in the progress.
        """
        limit = timeout if timeout is not None else self.config.timeout
        if not self.is_connected:
            await self._try_again(limit)
        try:
            return await self._request(subject, send, limit, on_progress, call_id)
        except SessionForgottenError:
            await self._try_again(limit)
        try:
            return await self._request(subject, send, limit, on_progress, call_id)
        except SessionForgottenError as error:  # it forgets each session at once
            return error.error

    async def _request(
        self,
        subject: str,
        send: Send[T],
        limit: float,
        on_progress: Callable[[Progress], None] | None,
        call_id: str,
    ) -> T | ToolError:
        session = self._session
        if session is None or session.client is None or not self.is_connected:
            is_explained = self.is_remote or self.state.phase in {"failed", "untrusted"}
            reason = self.state.error if is_explained else ""
            return unreachable(self.name, self.state.words, reason)
        return await send_request(session, subject, send, limit, on_progress, call_id=call_id)

    async def _try_again(self, limit: float) -> None:
        """Try a server at a URL that is away, for a call that waits for it `limit` seconds."""
        if not self.is_remote or not self.is_enabled or self._stopping.is_set():
            return
        if self.state.phase == "failed":
            self.start()
        elif self.state.phase == "reconnecting":
            self._try_now()
        else:
            return
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(limit):
                await self._tried.wait()

    def _try_now(self) -> None:
        """Do not wait for the next attempt, unless one is under way."""
        if self._session is None or self._session.is_lost:
            self._tried.clear()
            self._pause.cut_short()

    async def _own(self) -> None:
        """The owner task: session after session, until stopped, failed or out of tries."""
        self._attempt = 0
        was_connected = False
        unwatched = 0
        while not self._stopping.is_set():
            self._steady_at = math.inf
            error, session = await self._run_session()
            if self._stopping.is_set():
                break
            if session.lost_keeper and (unwatched := unwatched + 1) <= MAX_UNWATCHED:
                was_connected = was_connected or session.connect_seconds is not None
                self._log("ended with its keeper", error)
                await self._pause.wait(self._context.pauses.soon(1))
                continue
            self._attempt = self._next_attempt()
            if session.connect_seconds is None:
                self._log("failed", error)
            else:
                was_connected = True
            if session.challenge is not None and session.connect_seconds is None:
                self._finish(ServerState("failed", error=error, challenge=session.challenge))
                return
            if was_connected and self._attempt <= RETRIES:
                await self._retry_soon(error, session)
            elif session.may_come_back:
                await self._retry_slowly(error, was_connected=was_connected)
            else:
                if not self._start_again:  # a person may have asked for that meanwhile
                    self._finish(ServerState("failed", error=error))
                return
        self._finish(ServerState())

    async def _run_session(self) -> tuple[str, Session]:
        """One session from enter to leave, and why it ended."""
        self._log("connecting")
        self._tried.clear()
        self._set_state(replace(self.state, next_attempt_at=None))
        session = Session(self.config, self._context, self.output, speaks_sse=self._speaks_sse)
        session.tools_listed.connect(self._set_tools)
        session.ready.connect(lambda: self._connected(session))
        session.lost.connect(self._lost)
        session.challenged.connect(self._challenged)
        session.closed_on_purpose.connect(self.stop)
        session.log.received.connect(self.log_received.send)
        session.resource_updated.connect(self.resource_updated.send)
        self._session = session
        try:
            error = await session.run()
        finally:
            self._session, self._problem = None, session.problem
            self._take_tools_away()
            self.output.close()
        return error, session

    async def _retry_soon(self, error: str, session: Session) -> None:
        self._set_state(ServerState("reconnecting", error, self._attempt, RETRIES))
        if session.connect_seconds is None:
            self._tried.set()
            self._settled.set()
        await self._pause.wait(self._context.pauses.soon(self._attempt))

    async def _retry_slowly(self, error: str, *, was_connected: bool) -> None:
        """Wait for a server at a URL that is away; one that never was there counts as failed."""
        slow_attempt = self._attempt - (RETRIES if was_connected else 0)
        pause = self._context.pauses.slow(slow_attempt)
        phase: Phase = "reconnecting" if was_connected else "failed"
        if not was_connected:
            self._set_tools(())
        at = time.time() + pause
        self._set_state(ServerState(phase, error, self._attempt, RETRIES, next_attempt_at=at))
        self._tried.set()
        self._settled.set()
        await self._pause.wait(pause)

    def _next_attempt(self) -> int:
        is_steady = asyncio.get_running_loop().time() > self._steady_at
        return 1 if is_steady else self._attempt + 1

    def _connected(self, session: Session) -> None:
        self._steady_at = asyncio.get_running_loop().time() + self._context.pauses.steady
        self._speaks_sse = session.speaks_sse
        tools, seconds = len(self.tools), session.connect_seconds or 0.0
        self._log(f"connected, {tools} tools, {seconds:.2f} s")
        self._set_state(ServerState("connected", connect_seconds=session.connect_seconds))
        self._settled.set()
        self._tried.set()
        self.offers.join(session)

    def _challenged(self, challenge: Challenge) -> None:
        """The server wants a sign-in for what was asked of it now."""
        if self.is_connected:
            self._set_state(replace(self.state, challenge=challenge))

    @property
    def _is_leaving_failed(self) -> bool:
        """Whether it has failed to start, and its process is being ended still."""
        return self.state.phase == "failed" and not self.is_remote

    def _lost(self, error: str) -> None:
        """The session is leaving, which may take seconds: nothing can be called any more."""
        self._problem = self._session.problem if self._session is not None else None
        if self._session is not None and self._session.connect_seconds is None:
            if self.state.phase == "starting":
                self._finish(ServerState("failed", error=error))
            return
        self._log("lost", error)
        attempt = min(self._next_attempt(), RETRIES)
        self._set_state(ServerState("reconnecting", error, attempt, RETRIES))
        self._take_tools_away()

    def _take_tools_away(self) -> None:
        """Offer nothing of a process that ended; a call to a URL tries the server once more."""
        if not self.is_remote:
            self._offer_nothing()

    def _offer_nothing(self) -> None:
        self._set_tools(())
        self.offers.forget()

    def _finish(self, state: ServerState) -> None:
        self._offer_nothing()
        if state.phase == "stopped" != self.state.phase:
            self._log("stopped")
        self._set_state(state)
        self._tried.set()
        if not self._start_again:
            self._settled.set()

    def _ended(self, owner: asyncio.Task[None]) -> None:
        if self._start_again:
            self._start_again = False
            self.start()
        elif owner.cancelled() or owner.exception() is not None:
            self._problem = None
            error = translatable("{name} ended unexpectedly.", name=self.name)
            self._finish(ServerState("failed", error=error))

    def _log(self, event: str, reason: str = "") -> None:
        """Log what happened to this server, and why, in one line and without its secrets."""
        reason = " ".join(self._redact(str(reason)).split()) if reason else ""
        logger.info("server %s: %s%s", self.name, event, reason and f": {reason}")

    def _redact(self, text: str) -> str:
        # Known from the moment a session is opened; before that the server has said nothing, but
        # a reason may quote the config.
        known = self._context.traffic.redaction(self.name)
        return (known if known.secrets else Redaction(secrets_of(self.config))).text(text)

    def _set_state(self, state: ServerState) -> None:
        if state.phase in {"failed", "reconnecting"} and state.error:
            state = replace(state, problem=self._problem)
        if state != self.state:
            self.state = state
            self.state_changed.send()

    def _set_tools(self, listed: tuple[ToolDefinition, ...]) -> None:
        """Keep what the server lists, and offer of it what is not switched off."""
        config, tools = self.config, listed
        if config.disabled_tools or config.enabled_tools:
            tools = tuple(tool for tool in listed if config.offers(tool.name))
        if listed != self.listed or tools != self.tools:
            self.listed, self.tools = listed, tools
            if self.is_connected:
                self._log(f"tools changed, {len(tools)} now")
            self.tools_changed.send()
