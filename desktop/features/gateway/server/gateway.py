"""`Gateway`: what a client of the app may list, call and read, as handlers of the SDK's server.

Answers from the connections that the service has, so whatever is switched off, not trusted or gone
is not offered. Tools are called through `GatewayTools`, resources and prompts over the service, and
both are recorded there. Logs and progress of servers are passed on to clients that asked for them;
a client that reads slowly loses some, and holds up nobody. Bounded for each client. Must not know
how a client is reached.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from contextlib import asynccontextmanager, contextmanager
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeVar, get_args

import mcp_types as types
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from desktop import __version__
from desktop.base.errors import ServerError, ToolNotFoundError
from desktop.base.tasks import spawn
from desktop.features.gateway.server.clients import Clients, name_of
from desktop.features.gateway.server.questions import RootsOfClient
from desktop.features.gateway.server.resource_offer import ResourceOffer, list_resources
from desktop.features.gateway.server.rounds import HeldRequests, OpenRequest
from desktop.features.gateway.server.sdk import MCPError, NotificationOptions, Server
from desktop.servers import wire
from desktop.servers.callers import calling_for
from desktop.servers.calls import keeping_answers

if TYPE_CHECKING:
    from collections.abc import (
        AsyncGenerator,
        Awaitable,
        Callable,
        Collection,
        Generator,
        Hashable,
        Iterable,
        Mapping,
    )

    from mcp.server.models import InitializationOptions

    from desktop.base.signals import Signal
    from desktop.config.gateway import GatewaySettings
    from desktop.features.gateway.server.clients import ConnectedClient
    from desktop.features.gateway.server.questions import Asker, Questions
    from desktop.features.gateway.server.sdk import ServerRequestContext
    from desktop.servers.connection import ServerConnection
    from desktop.servers.server_log import LogMessage
    from desktop.servers.service import McpService
    from desktop.values.prompt_types import Prompt
    from desktop.values.tool_types import (
        JsonObject,
        Progress,
        ToolDefinition,
        ToolError,
        ToolResult,
    )

"""Signs of progress that wait to be sent."""
LAST_LIMIT: Final = 1.0
"""Seconds in which those that wait at the end of a request are still sent."""


class ProgressRelay:
    """A block in which `take` is called at each sign of progress; None where nobody wants them."""

    __slots__ = ("_context", "_queue", "_sending", "take")

    def __init__(self, context: ServerRequestContext[Any, Any]) -> None:
        self._context = context
        self._queue: asyncio.Queue[Progress | None] | None = None
        self._sending: asyncio.Task[None] | None = None
        is_wanted = context.meta is not None and "progress_token" in context.meta
        self.take: Callable[[Progress], None] | None = self._take if is_wanted else None

    async def __aenter__(self) -> ProgressRelay:
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._queue is None or self._sending is None:
            return
        try:
            async with asyncio.timeout(LAST_LIMIT):
                await self._queue.put(None)
                await asyncio.shield(self._sending)
        except TimeoutError:
            logger.info("a client does not read the progress of its request")
        finally:
            self._sending.cancel()

    def _take(self, progress: Progress) -> None:
        if self._queue is None:
            self._queue = asyncio.Queue(MAX_WAITING)
            self._sending = spawn(self._send(self._queue), "progress for a client")
        if not self._queue.full():
            self._queue.put_nowait(progress)

    async def _send(self, queue: asyncio.Queue[Progress | None]) -> None:
        while (progress := await queue.get()) is not None:
            try:
                await self._context.session.report_progress(
                    progress.progress, progress.total, progress.message or None
                )
            except Exception as error:  # noqa: BLE001 - the boundary to the SDK: it has gone
                logger.info("a client could not be told of progress: %r", error)
                return


_LEVELS: Final = get_args(types.LoggingLevel)
"""The least important first."""
MAX_WAITING: Final = 100
"""Messages that wait to be sent to one client; further ones are left out."""


class LogRelay:
    """The log messages of one gateway; `end` stops them."""

    def __init__(self, service: McpService, clients: Clients) -> None:
        self._clients = clients
        self.end: Callable[[], None] = service.log_received.connect(self._pass)

    def register(self, server: Server[Any]) -> None:
        """Let clients say which messages they want."""
        server.add_request_handler("logging/setLevel", types.SetLevelRequestParams, self._set_level)

    async def _set_level(
        self, context: ServerRequestContext[Any, Any], params: types.SetLevelRequestParams
    ) -> types.EmptyResult:
        if (client := self._clients.find(context)) is None:
            words = "Say notifications/initialized first."
            raise MCPError(types.INVALID_REQUEST, words)
        client.log_level = params.level
        return types.EmptyResult()

    def _pass(self, server: str, message: LogMessage) -> None:
        for client in self._clients.offered(server):
            wanted = _LEVELS.index(client.log_level)
            if _LEVELS.index(message.level) >= wanted and client.logs_waiting < MAX_WAITING:
                client.logs_waiting += 1
                self._clients.run(_send(client, server, message))


async def _send(client: ConnectedClient, server: str, message: LogMessage) -> None:
    origin = f"{server}/{message.logger}" if message.logger else server
    try:
        # Not `send_log_message`, which warns that later eras do it otherwise.
        await client.session.send_notification(
            types.LoggingMessageNotification(
                params=types.LoggingMessageNotificationParams(
                    level=message.level, logger=origin, data=message.text
                )
            )
        )
    finally:
        client.logs_waiting -= 1


T = TypeVar("T")
logger = logging.getLogger(__name__)

START_WAIT: Final = 10.0
"""Seconds that the first list waits for servers that are starting; later ones are told of."""
PAGE: Final = 500
"""Tools in one page."""
MAX_OPEN: Final = 250
"""Requests of one client that are worked on at a time; further ones are refused."""
INTRODUCTION_WAIT: Final = 1.0
"""Seconds that the introduction waits for servers that are starting: it has their instructions."""
MAX_INSTRUCTIONS: Final = 2_000
"""Characters of one server's instructions, which must not crowd out the others'."""
MAX_TOTAL: Final = 12_000
"""Characters of all; further servers are left out."""
_OWN: Final = (
    "Tools of several MCP servers. A tool is named mcp__SERVER__TOOL; the list changes when servers"
    " are switched on or off."
)


class GatewayTools(Protocol):
    """The tools, as the layer above knows them."""

    @property
    def changed(self) -> Signal[[]]: ...
    def offered(self, servers: Collection[str] | None) -> Mapping[str, ToolDefinition]: ...
    def find(self, name: str, servers: Collection[str] | None) -> ToolDefinition: ...
    async def call(
        self,
        tool: ToolDefinition,
        arguments: JsonObject,
        on_progress: Callable[[Progress], None] | None = None,
        *,
        client: str = "",
    ) -> ToolResult: ...
    def name_all(self, pairs: list[tuple[str, str]]) -> Mapping[str, tuple[str, str]]: ...


class _Server(Server[Any]):
    """Says over HTTP, too, that lists change: there the SDK asks nobody what it should say."""

    def create_initialization_options(
        self,
        notification_options: NotificationOptions | None = None,
        experimental_capabilities: dict[str, dict[str, Any]] | None = None,
        extensions: dict[str, dict[str, Any]] | None = None,
    ) -> InitializationOptions:
        return super().create_initialization_options(
            notification_options or _ALL_CHANGE, experimental_capabilities, extensions
        )


_ALL_CHANGE: Final = NotificationOptions(
    prompts_changed=True, resources_changed=True, tools_changed=True
)


class Gateway:
    """The one server of one client, or of all that a run has; `server` is what is served."""

    def __init__(
        self,
        service: McpService,
        questions: Questions,
        tools: GatewayTools,
        settings: Callable[[], GatewaySettings],
        client: str = "",
    ) -> None:
        """Args: client: what the entry in the file of the one client calls it."""
        self.clients = Clients(settings, client)
        self._service = service
        self._tools = tools
        self._resources = ResourceOffer(service, self.clients, self._settled)
        self._questions = questions
        self._held = HeldRequests()
        self._open: Counter[Hashable] = Counter()
        self._logs = LogRelay(service, self.clients)
        self._ends = self._follow()
        self.server = self._make_server()
        self.options = self.server.create_initialization_options()
        self._introduce()

    async def close(self) -> None:
        """Ask and tell clients nothing any more."""
        for end in self._ends:
            end()
        self._held.close()
        await self.clients.close()

    def offer_again(self) -> None:
        """Which client is offered what may be another thing by now."""
        for kind in ("tools", "resources", "prompts"):
            self.clients.tell(kind)

    async def ready(self) -> None:
        """Wait a moment for servers that are starting, before a client is greeted."""
        await self._until_settled(self.clients.servers_of_named(), INTRODUCTION_WAIT)

    def _introduce(self) -> None:
        """Keep the instructions those of the servers that are connected now."""
        connections = self.connections(self.clients.servers_of_named())
        # A client is told what stands here when it is greeted, over stdio and HTTP.
        self.server.instructions = self.options.instructions = _join_instructions(connections)

    def _make_server(self) -> Server[Any]:
        server = _Server(
            "mcp-desktop",
            version=__version__,
            on_list_tools=self._list_tools,
            on_call_tool=self._call_tool,
            on_list_resources=self._resources.list,
            on_list_resource_templates=self._resources.list_templates,
            on_read_resource=self._read_resource,
            on_subscribe_resource=self._resources.subscribe,
            on_unsubscribe_resource=self._resources.unsubscribe,
            on_subscriptions_listen=self._resources.listen,
            on_list_prompts=self._list_prompts,
            on_get_prompt=self._get_prompt,
            on_completion=self._complete,
        )
        server.middleware.clear()  # tracing that nobody listens to
        self._logs.register(server)
        initialized = types.NotificationParams
        server.add_notification_handler("notifications/initialized", initialized, self.clients.join)
        return server

    def _follow(self) -> list[Callable[[], None]]:
        clients, service = self.clients, self._service
        clients.follow("tools", lambda servers: dict(self._tools.offered(servers)))
        clients.follow("resources", self._resources.offered)
        clients.follow("prompts", lambda servers: self._prompts_of(servers))
        return [
            self._tools.changed.connect(lambda: clients.tell("tools")),
            service.resources_changed.connect(lambda _: clients.tell("resources")),
            service.prompts_changed.connect(lambda _: clients.tell("prompts")),
            service.servers_changed.connect(self.offer_again),
            service.state_changed.connect(self._read_offers),
            service.state_changed.connect(lambda _: self._introduce()),
            self._logs.end,
            service.resource_updated.connect(lambda _, uri: clients.tell_update(uri)),
        ]

    def _read_offers(self, name: str) -> None:
        """Ask a server that came later for what clients have asked the others for."""
        connection = self._service.connections.get(name)
        if connection is None or not connection.is_connected:
            return
        if "resources" in self.clients.wanted:
            self.clients.run(list_resources(connection))
        if "prompts" in self.clients.wanted:
            self.clients.run(_list_prompts(connection))

    # --- tools ------------------------------------------------------------------------------------

    async def _list_tools(
        self, context: ServerRequestContext[Any, Any], params: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        await self._settled(context)
        offered = self._tools.offered(self.clients.servers_of(context))
        self.clients.note_offer(context, "tools")
        start = _offset(params)
        page = list(offered.items())[start : start + PAGE]
        following = start + PAGE
        return types.ListToolsResult(
            tools=[wire.tool_out(name, tool) for name, tool in page],
            next_cursor=str(following) if following < len(offered) else None,
        )

    async def _call_tool(
        self, context: ServerRequestContext[Any, Any], params: types.CallToolRequestParams
    ) -> types.CallToolResult | types.InputRequiredResult:
        tool = await self._find_tool(context, params.name)
        client = self.clients.title_of(context)

        async def run(asker: Asker) -> types.CallToolResult:
            async with self._passing(context, tool.server, asker) as (take_progress, kept):
                result = await self._tools.call(
                    tool, params.arguments or {}, take_progress, client=client
                )
            answer = kept[-1] if kept else None
            return answer if isinstance(answer, _RESULT) else wire.result_out(result)

        return await self._run(context, params, run)

    async def _find_tool(
        self, context: ServerRequestContext[Any, Any], name: str
    ) -> ToolDefinition:
        servers = self.clients.servers_of(context)
        try:
            return self._tools.find(name, servers)
        except ToolNotFoundError:
            await self._settled(context)  # it may belong to a server that is starting
        try:
            return self._tools.find(name, servers)
        except ToolNotFoundError as error:
            raise MCPError(types.INVALID_PARAMS, str(error)) from None

    # --- resources and prompts --------------------------------------------------------------------

    async def _read_resource(
        self, context: ServerRequestContext[Any, Any], params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult | types.InputRequiredResult:
        connection = await self._resources.find(context, params.uri)

        async def run(asker: Asker) -> types.ReadResourceResult:
            async with self._passing(context, connection.name, asker) as (take_progress, kept):
                read = await connection.resources.read(params.uri, on_progress=take_progress)
            return kept[-1] if kept else _or_raise(wire.read_out(read), read.error)

        return await self._run(context, params, run)

    async def _list_prompts(
        self, context: ServerRequestContext[Any, Any], _: types.PaginatedRequestParams | None
    ) -> types.ListPromptsResult:
        await self._settled(context)
        servers = self.clients.servers_of(context)
        await asyncio.gather(*(_list_prompts(each) for each in self.connections(servers)))
        self.clients.note_offer(context, "prompts")
        prompts = self._prompts_of(servers).items()
        return types.ListPromptsResult(
            prompts=[wire.prompt_out(name, prompt) for name, prompt in prompts]
        )

    async def _get_prompt(
        self, context: ServerRequestContext[Any, Any], params: types.GetPromptRequestParams
    ) -> types.GetPromptResult | types.InputRequiredResult:
        prompt = await self._find_prompt(context, params.name)
        connection = self._service.connection(prompt.server)

        async def run(asker: Asker) -> types.GetPromptResult:
            async with self._passing(context, prompt.server, asker) as (take_progress, kept):
                filled = await connection.prompts.get(
                    prompt.name, params.arguments, on_progress=take_progress
                )
            return kept[-1] if kept else _or_raise(wire.filled_out(filled), filled.error)

        return await self._run(context, params, run)

    async def _find_prompt(self, context: ServerRequestContext[Any, Any], name: str) -> Prompt:
        servers = self.clients.servers_of(context)
        if (prompt := self._prompts_of(servers).get(name)) is None:
            await self._list_prompts(context, None)
            prompt = self._prompts_of(servers).get(name)
        if prompt is None:
            raise MCPError(types.INVALID_PARAMS, f"Unknown prompt {name[:100]!r}.")
        return prompt

    async def _complete(
        self, context: ServerRequestContext[Any, Any], params: types.CompleteRequestParams
    ) -> types.CompleteResult:
        if isinstance(params.ref, types.PromptReference):
            whose: Any = await self._find_prompt(context, params.ref.name)
        else:
            whose = self._resources.find_template(self.clients.servers_of(context), params.ref.uri)
        known = params.context.arguments if params.context is not None else None
        argument = params.argument
        found = await self._service.connection(whose.server).prompts.complete(
            whose, argument.name, argument.value, known
        )
        completion = types.Completion(
            values=list(found.values), total=found.total, has_more=found.has_more
        )
        return _or_raise(types.CompleteResult(completion=completion), found.error)

    # --- what they share --------------------------------------------------------------------------

    def connections(self, servers: Collection[str] | None) -> list[ServerConnection]:
        """The connected servers of a selection."""
        return [
            connection
            for name, connection in self._service.connections.items()
            if connection.is_connected and (servers is None or name in servers)
        ]

    def _prompts_of(self, servers: Collection[str] | None) -> dict[str, Prompt]:
        listed = {
            (prompt.server, prompt.name): prompt
            for connection in self.connections(servers)
            for prompt in connection.prompts.listed
        }
        names = self._tools.name_all(list(listed))
        return {name: listed[pair] for name, pair in names.items()}

    async def _run(
        self,
        context: ServerRequestContext[Any, Any],
        params: types.InputResponseRequestParams,
        run: Callable[[Asker], Awaitable[T]],
    ) -> T | types.InputRequiredResult:
        # What a server asks goes to the one that surely made the call: two may have one name.
        client = self.clients.surely_one(context)
        with self._counted(self.clients.identity(context), name_of(context.session)):
            if context.protocol_version in MODERN_PROTOCOL_VERSIONS:
                return await self._held.run(context, params, client, run)
            return await run(OpenRequest(context, client))

    @asynccontextmanager
    async def _passing(
        self, context: ServerRequestContext[Any, Any], server: str, asker: Asker
    ) -> AsyncGenerator[tuple[Callable[[Progress], None] | None, list[Any]]]:
        """Pass a request on to `server`: what takes its progress, and its answers as they came."""
        with keeping_answers() as kept, calling_for(RootsOfClient(asker)):
            async with ProgressRelay(context) as progress:
                with self._questions.during(server, asker):
                    yield progress.take, kept

    @contextmanager
    def _counted(self, client: Hashable, name: str) -> Generator[None]:
        if self._open[client] >= MAX_OPEN:
            logger.info("client %.60r has too many requests open; one was refused", name)
            words = f"More than {MAX_OPEN} requests are open. Wait for some of them to end."
            raise MCPError(types.INTERNAL_ERROR, words)
        self._open[client] += 1
        try:
            yield
        finally:
            self._open[client] -= 1
            if not self._open[client]:
                del self._open[client]

    async def _settled(self, context: ServerRequestContext[Any, Any]) -> None:
        """Wait until the servers of a client are connected or failed, for a while."""
        await self._until_settled(self.clients.servers_of(context), START_WAIT)

    async def _until_settled(self, servers: Collection[str] | None, limit: float) -> None:
        starting = [
            spawn(connection.settle(), f"wait for {name}")
            for name, connection in self._service.connections.items()
            if connection.state.phase == "starting" and (servers is None or name in servers)
        ]
        if not starting:
            return
        try:
            await asyncio.wait(starting, timeout=limit)
        finally:
            for task in starting:
                task.cancel()


_RESULT: Final = types.CallToolResult


def _join_instructions(connections: Iterable[ServerConnection]) -> str:
    """Ours, then those of each server that has any, under its name."""
    parts = [_OWN]
    length = len(_OWN)
    for connection in connections:
        if not (words := connection.about.instructions.strip()):
            continue
        cut = words if len(words) <= MAX_INSTRUCTIONS else f"{words[:MAX_INSTRUCTIONS].rstrip()} …"
        part = f"## Server {connection.name}\n{cut}"
        length += len(part)
        if length > MAX_TOTAL:
            break
        parts.append(part)
    return "\n\n".join(parts)


async def _list_prompts(connection: ServerConnection) -> None:
    try:
        await connection.prompts.list_once()
    except ServerError as error:
        logger.info("%s", error)


def _offset(params: types.PaginatedRequestParams | None) -> int:
    cursor = params.cursor if params is not None else None
    if not cursor:
        return 0
    if not (cursor.isascii() and cursor.isdigit() and len(cursor) < 10):
        raise MCPError(types.INVALID_PARAMS, "This cursor is not one of this server.")
    return int(cursor)


def _or_raise(answer: T, error: ToolError | None) -> T:
    if error is not None:
        raise MCPError(types.INTERNAL_ERROR, error.message)
    return answer
