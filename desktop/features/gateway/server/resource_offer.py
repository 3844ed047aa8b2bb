"""The resources of all servers, for clients of the gateway: listed, found by their URI, followed.

A URI means something to its server alone and cannot be renamed, so where two servers have one URI,
the first of the config has it. One that nobody lists goes to the server whose template fits it, and
to no other. Must not read anything that was not asked for.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any, Final

import mcp_types as types

from desktop.base.errors import ServerError
from desktop.features.gateway.server.sdk import ListenHandler, MCPError
from desktop.servers import wire

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Collection

    from desktop.features.gateway.server.clients import Clients
    from desktop.features.gateway.server.sdk import ServerRequestContext
    from desktop.servers.connection import ServerConnection
    from desktop.servers.service import McpService
    from desktop.values.resource_types import Resource, ResourceTemplate

logger = logging.getLogger(__name__)
NOT_FOUND: Final = -32002
"""The specification's code for a resource that is not there."""
MAX_FOLLOWED: Final = 1_000
"""Resources that one client follows at a time."""


class ResourceOffer:
    """What the connected servers of a selection have to be read."""

    def __init__(
        self,
        service: McpService,
        clients: Clients,
        settled: Callable[[ServerRequestContext[Any, Any]], Awaitable[None]],
    ) -> None:
        """Args: settled: waits for those servers of a request's client that are starting."""
        self._service = service
        self._clients = clients
        self._settled = settled
        self._listen = ListenHandler(clients.bus)

    def offered(self, servers: Collection[str] | None) -> object:
        """What was listed so far, to be compared."""
        connections = self._connections(servers)
        return [(each.resources.listed, each.resources.templates) for each in connections]

    async def list(
        self, context: ServerRequestContext[Any, Any], _: types.PaginatedRequestParams | None
    ) -> types.ListResourcesResult:
        await self._read_lists(context)
        resources: dict[str, Resource] = {}
        for connection in self._connections(self._clients.servers_of(context)):
            for resource in connection.resources.listed:
                resources.setdefault(resource.uri, resource)
        return types.ListResourcesResult(
            resources=[wire.resource_out(resource) for resource in resources.values()]
        )

    async def list_templates(
        self, context: ServerRequestContext[Any, Any], _: types.PaginatedRequestParams | None
    ) -> types.ListResourceTemplatesResult:
        await self._read_lists(context)
        templates = {
            template.uri_template: wire.template_out(template)
            for connection in reversed(self._connections(self._clients.servers_of(context)))
            for template in connection.resources.templates
        }
        return types.ListResourceTemplatesResult(resource_templates=list(templates.values()))

    async def find(self, context: ServerRequestContext[Any, Any], uri: str) -> ServerConnection:
        """The server that has a resource.

        Raises:
            MCPError: none of those that the client is offered.
        """
        await self._read_lists(context)
        connections = self._connections(self._clients.servers_of(context))
        for connection in connections:
            if any(resource.uri == uri for resource in connection.resources.listed):
                return connection
        for connection in connections:
            if any(_may_be(uri, each.uri_template) for each in connection.resources.templates):
                return connection
        raise MCPError(NOT_FOUND, f"No server has the resource {uri[:200]!r}.")

    def find_template(self, servers: Collection[str] | None, pattern: str) -> ResourceTemplate:
        """The template of a pattern, raising an `MCPError` where there is none."""
        for connection in self._connections(servers):
            for template in connection.resources.templates:
                if template.uri_template == pattern:
                    return template
        raise MCPError(types.INVALID_PARAMS, f"No server has the template {pattern[:200]!r}.")

    async def subscribe(
        self, context: ServerRequestContext[Any, Any], params: types.SubscribeRequestParams
    ) -> types.EmptyResult:
        client = self._clients.find(context)
        if client is None or len(client.uris) >= MAX_FOLLOWED:
            raise MCPError(types.INVALID_PARAMS, "No more resources can be followed.")
        connection = await self.find(context, params.uri)
        if (error := await connection.resources.subscribe(params.uri)) is not None:
            raise MCPError(types.INTERNAL_ERROR, error.message)
        client.uris.add(params.uri)
        return types.EmptyResult()

    async def unsubscribe(
        self, context: ServerRequestContext[Any, Any], params: types.UnsubscribeRequestParams
    ) -> types.EmptyResult:
        # The server goes on telling of it: another client may follow it, too.
        if (client := self._clients.find(context)) is not None:
            client.uris.discard(params.uri)
        return types.EmptyResult()

    async def listen(
        self,
        context: ServerRequestContext[Any, Any],
        params: types.SubscriptionsListenRequestParams,
    ) -> types.SubscriptionsListenResult:
        """Serve the stream of changes of a later era; resources in it are followed first."""
        for uri in (params.notifications.resource_subscriptions or [])[:MAX_FOLLOWED]:
            try:
                connection = await self.find(context, uri)
            except MCPError as error:
                logger.info("%s", error)
            else:
                await connection.resources.subscribe(uri)
        return await self._listen(context, params)

    async def _read_lists(self, context: ServerRequestContext[Any, Any]) -> None:
        """Ask each server once; from then on its lists are kept up to date."""
        await self._settled(context)
        connections = self._connections(self._clients.servers_of(context))
        await asyncio.gather(*(list_resources(connection) for connection in connections))
        self._clients.note_offer(context, "resources")

    def _connections(self, servers: Collection[str] | None) -> list[ServerConnection]:
        return [
            connection
            for name, connection in self._service.connections.items()
            if connection.is_connected and (servers is None or name in servers)
        ]


async def list_resources(connection: ServerConnection) -> None:
    """Ask for them where nobody has; a server that refuses has none, and is asked the next time."""
    try:
        await connection.resources.list_once()
    except ServerError as error:
        logger.info("%s", error)


def _may_be(uri: str, pattern: str) -> bool:
    """Whether a URI begins and ends as a template does: what its server makes of it, it says."""
    beginning, _, rest = pattern.partition("{")
    end = rest.rpartition("}")[2]
    long_enough = len(uri) >= len(beginning) + len(end)
    return bool(beginning) and long_enough and uri.startswith(beginning) and uri.endswith(end)
