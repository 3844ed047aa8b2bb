"""Passes on what servers log to the clients that are offered them, from the level each asks for.

Of the era with a handshake: a later client opts in with each request, whose answer comes from the
server itself. A client that does not read loses messages, and holds up nobody.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, get_args

import mcp_types as types

from desktop.features.gateway.server.sdk import MCPError

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop.features.gateway.server.clients import Clients, ConnectedClient
    from desktop.features.gateway.server.sdk import Server, ServerRequestContext
    from desktop.servers.server_log import LogMessage
    from desktop.servers.service import McpService

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
