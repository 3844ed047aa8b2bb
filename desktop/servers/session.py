"""One session with one server: enter the SDK's client, list the tools, serve, leave.

Used once, in the connection's owner task and only there; calls go through `desktop.servers.calls`.
Must not retry: the connection decides. Source: MCP specification, basic/lifecycle.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
import time
from typing import TYPE_CHECKING, Any, Final

import anyio
import mcp_types as types
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS, LATEST_MODERN_VERSION
from pydantic import ValidationError

from desktop import __version__
from desktop.base.errors import ConfigError, ServerError
from desktop.base.free_memory import return_free_memory
from desktop.base.signals import Signal
from desktop.base.tasks import TaskGroup
from desktop.base.translatable import translatable
from desktop.patches.sdk import MAX_DISCOVER_WAIT, add_request_options, keep_invalid_results
from desktop.processes.tracker import KILL_AFTER
from desktop.servers import error_messages
from desktop.servers.callers import Callers
from desktop.servers.changes import ChangeWatcher
from desktop.servers.client_features import SAMPLING, ClientFeatures, read_roots
from desktop.servers.limits_reached import limit_words, reached_limit
from desktop.servers.lists import dump_icons
from desktop.servers.repair.oddities import Oddities
from desktop.servers.sdk import Client, MCPError, advertise, import_http
from desktop.servers.server_log import ServerLog, set_log_level
from desktop.servers.state import Capabilities, Problem, ServerInfo
from desktop.servers.timeouts import SessionTimeouts
from desktop.servers.tool_list import list_tools, without_double_tools
from desktop.servers.transport.client_tasks import ClientTasks
from desktop.servers.transport.stdio_transport import StdioTransport
from desktop.values.packed_json import JsonPacker

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine, Generator

    import psutil
    from mcp.client._transport import TransportStreams
    from mcp.client.session import IncomingMessage

    from desktop.config.models import LogLevel, ServerConfig
    from desktop.servers.changes import ListKind
    from desktop.servers.context import ConnectionContext, StartSlot
    from desktop.servers.state import Challenge
    from desktop.servers.transport.http_refusal import HttpRefusal
    from desktop.servers.transport.stderr_log import StderrLog
    from desktop.servers.transport.stdio_transport import ServerTransport
    from desktop.values.tool_types import JsonObject, ToolDefinition

logger = logging.getLogger(__name__)


STALLED = MAX_DISCOVER_WAIT
"""Seconds of connecting from which a server that speaks the old way is greeted so from now on."""
UNASKED_LIMIT = 2.0
"""Seconds in which a server that declares nothing at all may list tools all the same."""
PAGE_GRACE = 0.5
"""Seconds past the limit of the request for a later page of tools, which is told and forgiven."""
MANY_TOOLS = 1_000
"""From as many on, to put a list together and to tell of it are turns of the loop of their own."""
LAST_ANSWERS = 1.0
"""Seconds in which open calls may still be answered in a session that is lost."""
LEAVE_LIMIT = KILL_AFTER + 1.0
"""Seconds until leaving the client is cut short (a remote server that ignores the farewell)."""

DISCOVER_TRIES: Final = 5
"""How often a server is asked what it has, `MAX_DISCOVER_WAIT` each: it may be starting still."""
MAX_INFO_LENGTH: Final = 10_000
"""Characters kept of each text in which a server describes itself."""
MAX_ICONS: Final = 8
MAX_ICON_LENGTH: Final = 200_000
"""Characters of an icon's address, which holds the picture itself; a longer one is left out."""


class Session:
    """A client from the moment it is entered to the moment it is left."""

    def __init__(
        self,
        config: ServerConfig,
        context: ConnectionContext,
        output: StderrLog,
        *,
        speaks_sse: bool = False,
    ) -> None:
        """Args: speaks_sse: the server is known to speak SSE, whatever its config says."""
        self.config = config
        self.speaks_sse = speaks_sse
        self.client: Client | None = None
        self.connect_seconds: float | None = None
        self.may_come_back = False
        """Whether the same attempt may succeed later, with nothing changed here."""
        self.ready: Signal[[]] = Signal()
        self.lost: Signal[[str]] = Signal()
        """It is over, or failed to begin, and is being left, which may take seconds: why."""
        self.problem: Problem | None = None
        """Why it failed or was lost, in its parts."""
        self.challenge: Challenge | None = None
        """What a person has to sign in for, as the server said last."""
        self.challenged: Signal[[Challenge]] = Signal()
        self.closed_on_purpose: Signal[[]] = Signal()
        self.tools_listed: Signal[[tuple[ToolDefinition, ...]]] = Signal()
        self.resource_updated: Signal[[str]] = Signal()
        self.timeouts = SessionTimeouts(context.timeouts)
        self._callers = Callers()
        self.features = ClientFeatures(config.name, context.requests, self.timeouts, self._callers)
        self.oddities = Oddities(config.name, self.note)
        self.log = ServerLog(output)
        self.readers: dict[ListKind, Callable[[], Awaitable[None]]] = {"tools": self._list_again}
        """Who reads a list again when it has changed; whoever keeps one puts itself here."""
        self._context = context
        self._output = output
        self._link: ServerTransport | None = None
        self._scope = anyio.CancelScope()
        self._wake = asyncio.Event()
        self._open_calls = 0
        self._has_declared, self._stopping = True, False
        self._lost = ""
        self._refusal: HttpRefusal | None = None
        self._was_dropped = False
        self._failure: BaseException | None = None
        self._is_remembered = False  # greeted in the old way because it knew no other before
        self._place: StartSlot | None = None
        self._tasks = TaskGroup(f"server {config.name}")
        self.changes = ChangeWatcher(self._tasks)

    @property
    def pid(self) -> int | None:
        return self._link.pid if self._link is not None else None

    @property
    def about(self) -> ServerInfo:
        """What the server said of itself, as long as its client is open."""
        return _info_of(self.client)

    @property
    def capabilities(self) -> Capabilities:
        """What the server declares, as long as its client is open."""
        return _capabilities_of(self.client)

    @property
    def _is_remote(self) -> bool:
        return self.config.transport != "stdio"

    @property
    def is_lost(self) -> bool:
        return bool(self._lost)

    @property
    def lost_keeper(self) -> bool:
        """Whether it ended because the keeper of all processes did."""
        return self._link is not None and self._link.lost_keeper

    @property
    def lost_because(self) -> str:
        """Why the connection ended, as a sentence that the server's name begins; else empty."""
        return (self._link.lost if self._link is not None else "") or self._lost

    @property
    def last_words(self) -> str:
        """`lost_because`, with what a process wrote as its reason."""
        why = self.lost_because
        if not why or self._is_remote:
            return why
        if reached := reached_limit(self.config.limits, self._link, self._output):
            return limit_words(self.config.limits, reached)
        if not (headline := self._output.headline()):
            return why
        return translatable("{why}: {headline}", why=why, headline=headline)

    async def hear_last_words(self) -> None:
        """Wait, for less than a second, until it is known why a process closed its output."""
        if self._link is not None:
            await self._link.settle()

    def stop(self) -> None:
        """Ask the session to end. Returns at once; `run` returns when it has ended."""
        self._stopping = True
        self._wake.set()
        if self.connect_seconds is None:
            self._scope.cancel()
        else:
            # Not `anyio.current_time`, which needs a task: the transport calls from a callback.
            self._scope.deadline = asyncio.get_running_loop().time() + LEAVE_LIMIT

    def report_lost(self, why: str) -> None:
        """A request found the connection gone before the transport said so."""
        if self._link is not None and self._link.is_closed_on_purpose:
            self.closed_on_purpose.send()  # a wish is no loss: nothing is started again
            return
        is_news = not self._lost and self.connect_seconds is not None and not self._stopping
        self._lost = self._lost or why
        self._wake.set()
        if is_news:  # leaving takes a while: whoever waits for it hears of it now
            self._tell(self._loss(why))

    def _tell(self, loss: ServerError) -> None:
        self.problem = Problem.of(loss)
        self.lost.send(str(loss))

    async def run(self) -> str:
        """Connect, serve until stopped or lost, and leave; returns why it ended, for the person.

        Once more in the old way when the server died of the newer greeting, or refused it as one
        that speaks SSE would. Never raises but for the cancellation of the owner itself.
        """
        mode = self._mode()
        self._is_remembered = mode == "legacy" and self.config.era == "auto"
        error = await self._attempt(mode)
        if self._may_speak_sse():
            error = await self._attempt_sse(mode) or error
        if mode == "auto" and (self._died_of_greeting() or self._was_cut_off()):
            error = await self._attempt("legacy")
            if self.connect_seconds is not None:
                self._context.eras.remember_legacy(self.config)
        elif self.connect_seconds is None and not self._stopping:
            self._context.eras.forget(self.config)
            if self._refused_old_greeting():
                self._is_remembered = False
                error = await self._attempt("auto")
        self.problem = Problem.of(error) if error is not None else None
        return str(error) if error is not None else ""

    def _mode(self) -> str:
        client = self._context.client
        is_old = client is not None and not client.speaks_modern
        return "legacy" if is_old else self._context.eras.mode(self.config)

    def _may_speak_sse(self) -> bool:
        refused = self._refusal is not None and self._refusal.may_speak_sse
        may_be_old = self.config.transport == "http" and self.config.era != LATEST_MODERN_VERSION
        has_ended = self._stopping or self.connect_seconds is not None
        may_try = self.challenge is None and not self.speaks_sse and not has_ended
        return refused and may_be_old and may_try

    async def _attempt_sse(self, mode: str) -> ServerError | None:
        """Try SSE at the same address; None when that failed, too, or the session was stopped.

        Source: MCP specification, basic/transports, backwards compatibility.
        """
        may_come_back = self.may_come_back
        self.speaks_sse = True
        error = await self._attempt(mode)
        if self.connect_seconds is not None:
            return error
        self.speaks_sse, self.may_come_back = False, may_come_back
        return None

    def _died_of_greeting(self) -> bool:
        """Whether an older greeting may do better: not where it read none, or answered this one."""
        link = self._link
        if link is None or self.connect_seconds is not None or self._stopping:
            return False
        is_lost = link.pid is not None and bool(link.lost) and not link.lost_keeper
        return is_lost and link.died_of_input

    def _refused_old_greeting(self) -> bool:
        """Whether a server that was known to speak the old way answered that it does not now."""
        if not self._is_remembered or self._failure is None or self.challenge is not None:
            return False
        return error_messages.is_answer(self._failure)

    def _was_cut_off(self) -> bool:
        """Whether an address broke the connection in place of an answer to the newer greeting."""
        return self._was_dropped and self.connect_seconds is None and not self._stopping

    async def _attempt(self, mode: str) -> ServerError | None:
        """One client from enter to leave; why it failed or was lost, None when it was stopped."""
        self._link, self._lost, self._refusal, self._was_dropped = None, "", None, False
        self._failure = None
        self._output.begin()
        self._scope = anyio.CancelScope()
        try:
            with self.oddities.collecting(), self._scope:
                await self._connect_and_serve(mode)
        except Exception as error:  # noqa: BLE001 - the boundary to the SDK and the system
            logger.debug("server %s: %r", self.config.name, error)
            self._refusal = error_messages.refusal_in(error)
            self._was_dropped = error_messages.was_dropped(error)
            self.may_come_back = self._is_remote and error_messages.may_pass(error)
            return self._failed(error)
        finally:
            self.client = None
            self._leave_place()
            await self._tasks.close()
        self.may_come_back = self._is_remote
        if self._stopping:
            return None
        if self._scope.cancelled_caught:
            return self._late()
        return self._loss(self.lost_because)

    def _failed(self, error: Exception) -> ServerError:
        if self.challenge is not None:  # the SDK may have gone on to something else
            return error_messages.sign_in_wanted(self.config.name, self.challenge)
        return error_messages.connect_failure(
            self.config.name, error, self._link, self._output, self.config
        )

    def _late(self) -> ServerError:
        limit = self.config.connect_timeout
        return error_messages.connect_timeout(self.config.name, limit, self._output, self.config)

    def _loss(self, why: str) -> ServerError:
        return error_messages.lost(
            self.config.name,
            why,
            self._output,
            remote=self._is_remote,
            config=self.config,
            link=self._link,
        )

    async def _connect_and_serve(self, mode: str) -> None:
        await self._context.launcher.load_secrets(self.config)
        config = self._context.launcher.expanded(self.config)
        self._place = await self._context.limiter.enter()
        began = time.monotonic()
        self._scope.deadline = anyio.current_time() + config.connect_timeout
        async with self._client(config, mode) as client:
            self._leave_place()
            keep_invalid_results(client)
            add_request_options(client)
            self._has_declared = mode != LATEST_MODERN_VERSION or await _discover(client)
            if not self._has_declared:
                self.note("the server did not say what it has: nothing but its tools is asked for")
            await self.changes.hear(client)
            await self._list_tools(client)
            self.client = client
            self._scope.deadline = math.inf
            self.connect_seconds = time.monotonic() - began
            self._note_era(client, mode)
            self.spawn(self._follow_changes(), "follow changes")
            if config.log_level and client.protocol_version in HANDSHAKE_PROTOCOL_VERSIONS:
                self.spawn(self.use_log_level(config.log_level), "log level")
            self.ready.send()
            await self._serve()
            self.log.say_left_out()
            await self._tasks.close()

    @contextlib.asynccontextmanager
    async def _client(self, config: ServerConfig, mode: str) -> AsyncGenerator[Client]:
        self.features.roots = tuple(read_roots(config))
        self._link = link = await self._open(config)
        client = Client(
            ClientTasks(self._context.client).over(self._watched(link)),
            mode=mode,
            read_timeout_seconds=config.connect_timeout,
            client_info=types.Implementation(name="mcp-desktop", version=__version__),
            message_handler=self._on_message,
            logging_callback=self.log.take,
            log_level=config.log_level,
            # Always, whoever is there to answer: servers offer more to a client that has all.
            list_roots_callback=self.features.list_roots if self._offers("roots") else None,
            elicitation_callback=self.features.elicit if self._offers("elicitation") else None,
            sampling_callback=self.features.sample if self._offers("sampling") else None,
            sampling_capabilities=SAMPLING,
            extensions=[advertise(*each) for each in self._context.extensions.items()] or None,
            cache=None,
        )
        async with client:
            yield client

    def _offers(self, capability: str) -> bool:
        """Whether this is done for the server: the client that the run acts as may not."""
        client = self._context.client
        return client is None or capability in client.capabilities

    @contextlib.asynccontextmanager
    async def _watched(self, link: ServerTransport) -> AsyncGenerator[TransportStreams]:
        """The link, which a failed connect leaves: to end a process that hangs takes seconds."""
        async with link.transport as streams:
            try:
                yield streams
            except BaseException as error:
                self._failure = error
                if link.is_closed:
                    self._tell_failure()
                raise

    def _tell_failure(self) -> None:
        """Tell that the connect failed before its process has been ended, which takes seconds."""
        error, link = self._failure, self._link
        if error is None or link is None or self.connect_seconds is not None or self._stopping:
            return
        if link.pid is None or link.exit_code is not None:
            return  # there is nothing to end
        if self._died_of_greeting() or self._refused_old_greeting():
            return  # it is tried in the other way
        if isinstance(error, Exception):
            self._tell(self._failed(error))
        elif self._scope.cancel_called:
            self._tell(self._late())

    async def _on_message(self, message: IncomingMessage) -> None:
        self.features.on_message(message)
        await self.changes.on_message(message)

    async def _open(self, config: ServerConfig) -> ServerTransport:
        tap = self._context.traffic.tap(config.name, self._context.launcher.secrets(self.config))
        if config.transport != "stdio":
            await asyncio.to_thread(import_http)  # once
            from desktop.servers.transport.http_transport import HttpTransport

            self._started(None)
            traffic = self._context.traffic
            auth = self._context.sign_ins().auth_for(
                config, lambda tokens: traffic.know_tokens(config.name, tokens)
            )
            return HttpTransport(
                config,
                self._closed,
                tap,
                is_sse=self.speaks_sse,
                auth=auth,
                challenged=self._note_challenge,
            )
        launch = await self._context.launcher.prepare(config)
        return StdioTransport(
            config.name,
            launch,
            self._context.tracker,
            self._output,
            tap,
            closed=self._closed,
            started=self._started,
            leaves_out_log=self.log.leaves_out,
        )

    def _note_challenge(self, challenge: Challenge) -> None:
        self.challenge = challenge
        self.challenged.send(challenge)

    @contextlib.contextmanager
    def open_call(self) -> Generator[None]:
        """A block in which the answer of a call is waited for."""
        self._open_calls += 1
        try:
            with self._callers.entered():
                yield
        finally:
            self._open_calls -= 1
            if self._lost:
                self._wake.set()

    async def _serve(self) -> None:
        while not self._stopping and not self._lost:
            self._wake.clear()
            await self._wake.wait()
        # One call met that the session is forgotten; the others should hear it from the server,
        # which says that it did nothing, and not from us, who would not know.
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(LAST_ANSWERS):
                while self._is_remote and self._open_calls and not self._stopping:
                    self._wake.clear()
                    await self._wake.wait()

    async def list_tools(self) -> None:
        """Ask for the tools once more; what comes is told by `tools_listed`.

        Raises:
            ServerError: the list could not be read.
        """
        name = self.config.name
        try:
            await self._list_again()
        except Exception as error:
            reason = error_messages.call_failure(error)[1]
            words = translatable(
                "{name}: the tools could not be listed: {words}", name=name, words=reason
            )
            raise ServerError(name, words) from error

    async def _list_again(self) -> None:
        if self.client is not None:
            await self._list_tools(self.client)

    async def _list_tools(self, client: Client) -> None:
        declared = client.server_capabilities
        if declared.tools is not None:
            await self._read_tools(client)
        elif not declared.model_fields_set or not self._has_declared:
            limit = UNASKED_LIMIT if self._has_declared else math.inf  # it may be starting still
            with anyio.move_on_after(limit), contextlib.suppress(MCPError):
                await self._read_tools(client)

    async def _read_tools(self, client: Client) -> None:
        tools: list[ToolDefinition] = []
        packer = JsonPacker()
        self.oddities.forget("tools/list")
        with self.oddities.collecting():
            async with contextlib.aclosing(list_tools(self.config.name, client, packer)) as pages:
                async for page in pages:
                    first = not tools
                    tools += page
                    if self.client is None:
                        self._renew_limit()
                        if first:  # something to look at meanwhile
                            self.tools_listed.send(tuple(tools))
            if len(tools) > MANY_TOOLS:
                await asyncio.sleep(0)  # the last page has taken its turn
            tools = without_double_tools(tools)
            if len(tools) > MANY_TOOLS:
                await asyncio.sleep(0)  # so will everybody who is told
        if not self._stopping:
            self.tools_listed.send(tuple(tools))
        if packer.is_large:
            self.spawn(_make_small(packer), "pack schemas")

    def _renew_limit(self) -> None:
        """A page has come: one that does not come then meets the limit of its own request first."""
        limit = anyio.current_time() + self.config.connect_timeout + PAGE_GRACE
        self._scope.deadline = max(self._scope.deadline, limit)

    def note(self, text: str) -> None:
        """Put a word of ours into the server's log."""
        self._output.add(f"[mcp-desktop] {text}")

    def spawn(self, work: Coroutine[Any, Any, None], name: str) -> None:
        """Run something that ends with this session at the latest."""
        self._tasks.spawn(work, name)

    async def _follow_changes(self) -> None:
        while True:
            changes = await self.changes.next()
            for uri in changes.resources:
                self.resource_updated.send(uri)
            for kind in sorted(changes.lists & self.readers.keys()):
                await self._read_again(kind)

    async def _read_again(self, kind: ListKind) -> None:
        try:
            await self.readers[kind]()
        except Exception as error:  # noqa: BLE001 - the boundary to the SDK: the old list stays
            _, message = error_messages.call_failure(error)
            noun = "tool" if kind == "tools" else kind.removesuffix("s")
            self.note(f"the changed {noun} list could not be read: {message}")

    def use_config(
        self, before: ServerConfig, after: ServerConfig, refused: Callable[[], None]
    ) -> None:
        """Tell the server of what another config asks of it. See `use_roots` for `refused`."""
        if after.log_level != before.log_level:
            self.spawn(self.use_log_level(after.log_level), "log level")
        if after.roots != before.roots:
            self.spawn(self.use_roots(after, refused), "roots")

    async def use_log_level(self, level: LogLevel | None) -> None:
        """Ask for the log messages from a level on; what fails is told in the server's log."""
        try:
            if self.client is not None:
                await set_log_level(self.client, level)
        except Exception as error:  # noqa: BLE001 - the boundary to the SDK: it logs as it likes
            self.note(f"the log level could not be set: {error_messages.call_failure(error)[1]}")

    async def use_roots(self, config: ServerConfig, refused: Callable[[], None]) -> None:
        """Give the server the folders of another config when it asks, and tell it of the change.

        Since 2026-07-28 nobody is told: a server asks while it needs them.

        Args:
            config: as the person wrote it.
            refused: called where one of them is not a folder; the old ones stay.
        """
        try:
            self.features.roots = tuple(read_roots(self._context.launcher.expanded(config)))
        except ConfigError:
            refused()
            return
        client = self.client
        if client is None or client.protocol_version not in HANDSHAKE_PROTOCOL_VERSIONS:
            return
        try:
            await client.session.send_notification(types.RootsListChangedNotification())
        except Exception as error:  # noqa: BLE001 - the boundary to the SDK: it asks when it likes
            self.note(f"changed roots could not be told: {error_messages.call_failure(error)[1]}")

    def _note_era(self, client: Client, mode: str) -> None:
        slow = self.connect_seconds is not None and self.connect_seconds > STALLED
        if mode == "auto" and client.protocol_version in HANDSHAKE_PROTOCOL_VERSIONS:
            self._context.eras.remember_legacy(self.config, for_good=slow)

    def _started(self, process: psutil.Process | None) -> None:
        if self._place is not None:
            self._place.watch(process)

    def _leave_place(self) -> None:
        if self._place is not None:
            self._place.leave()

    def _closed(self) -> None:
        if self._link is not None:
            self.report_lost(self._link.lost)
            self._tell_failure()


async def _make_small(packer: JsonPacker) -> None:
    """Compress what was listed, beside the loop, and let the system have what that leaves."""
    await asyncio.to_thread(packer.compress)
    await asyncio.to_thread(return_free_memory)


# --- what the server says of itself: bounded, in our own words ------------------------------------


async def _discover(client: Client) -> bool:
    """Ask what the server has: where no era is probed, the SDK takes it to declare nothing.

    Returns:
        Whether it said so.
    """
    for _ in range(DISCOVER_TRIES):
        with contextlib.suppress(ValidationError):
            try:
                found = await client.session.send_discover(LATEST_MODERN_VERSION)
            except MCPError as error:
                if error.code == types.REQUEST_TIMEOUT:
                    continue
            else:
                client.session.adopt(types.DiscoverResult.model_validate(found))
                return True
        return False
    return False


def _info_of(client: Client | None) -> ServerInfo:
    """What the server said of itself; empty without a client."""
    if client is None:
        return ServerInfo()
    info = client.server_info
    texts = (
        info.name if info else "",
        (info.title if info else None) or "",
        info.version if info else "",
        client.instructions or "",
        client.protocol_version,
    )
    return ServerInfo(*(text[:MAX_INFO_LENGTH] for text in texts), icons=_icons(info))


def _icons(info: types.Implementation | None) -> tuple[JsonObject, ...]:
    icons = (info.icons if info else None) or ()
    return dump_icons([icon for icon in icons[:MAX_ICONS] if len(icon.src) <= MAX_ICON_LENGTH])


def _capabilities_of(client: Client | None) -> Capabilities:
    """What the server declares; nothing without a client."""
    if client is None:
        return Capabilities()
    declared = client.server_capabilities
    resources = declared.resources
    return Capabilities(
        tools=declared.tools is not None,
        resources=resources is not None,
        subscriptions=resources is not None and bool(resources.subscribe),
        prompts=declared.prompts is not None,
        completions=declared.completions is not None,
        logging=declared.logging is not None,
        tasks=_runs_tasks(declared),
        tool_changes=declared.tools is not None and bool(declared.tools.list_changed),
    )


def _runs_tasks(declared: types.ServerCapabilities) -> bool:
    """Whether tools can be called as tasks; up to 2025-11-25 alone."""
    requests = declared.tasks.requests if declared.tasks is not None else None
    tools = requests.tools if requests is not None else None
    return tools is not None and tools.call is not None
