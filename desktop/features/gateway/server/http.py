"""Serves any number of clients over Streamable HTTP, on loopback and to those with the token.

A web page in the person's browser can reach a port on loopback, by a name that leads there, too: a
Host or Origin that is not of loopback is refused before anything is read, and so is whoever lacks
the token. What a client calls ends when it is gone. Must not log what it was sent.
Source: MCP specification, basic/transports, security warning.
"""

from __future__ import annotations

import asyncio
import hmac
import logging
from collections import Counter
from typing import TYPE_CHECKING, Any, Final

from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

from desktop.base.loopback_server import LoopbackServer
from desktop.base.tasks import spawn
from desktop.features.gateway.address import PATH
from desktop.patches import sdk as patches

if TYPE_CHECKING:
    import socket
    from collections.abc import Awaitable, Callable, Collection

    from desktop.features.gateway.server.clients import Clients
    from desktop.features.gateway.server.gateway import Gateway

logger = logging.getLogger(__name__)

_NAMES: Final = ("127.0.0.1", "localhost", "[::1]")
MAX_BODY: Final = 16 * 1024 * 1024
"""Bytes of one request."""
MAX_SESSIONS: Final = 500
SPARE_SESSIONS: Final = 20
"""With fewer than so many left, each new one ends another that nobody uses."""
UNUSED_LIMIT: Final = 60.0
"""Seconds without a connection after which a session makes room."""
CROWD_LIMIT: Final = 2.0
"""The same, for a session of the client that has the most: others keep theirs."""
MAX_CONNECTIONS: Final = 1_000
IDLE_LIMIT: Final = 1800.0
"""Seconds after which a session is ended that nobody uses."""
GONE_LIMIT: Final = 10.0
"""Seconds without a connection after which a client with open calls is taken to be gone."""
_SESSION: Final = b"mcp-session-id"


class Guard:
    """Lets through what is for this server and comes with its token; answers the rest."""

    def __init__(self, app: Callable[..., Awaitable[None]], port: int, token: str) -> None:
        self._app = app
        self._token = token.encode()
        self._hosts = {f"{name}:{port}".encode() for name in _NAMES}
        self._origins = {b"http://" + host for host in self._hosts}

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            return
        if (refusal := self._refusal(scope)) is None:
            await self._app(scope, receive, send)
            return
        status, words = refusal
        logger.info("a request was refused: %d %s", status, words)
        body = words.encode()
        headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"connection", b"close")]
        if status == 401:
            headers.append((b"www-authenticate", b"Bearer"))
        headers.append((b"content-length", str(len(body)).encode()))
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": body})

    def _refusal(self, scope: Any) -> tuple[int, str] | None:
        headers: list[tuple[bytes, bytes]] = scope["headers"]
        hosts = [value.lower() for name, value in headers if name == b"host"]
        if len(hosts) != 1 or hosts[0] not in self._hosts:
            return 403, "This server is only for this machine: the Host header is another one."
        origins = [value.lower() for name, value in headers if name == b"origin"]
        if any(origin not in self._origins for origin in origins):
            return 403, "This server is not for web pages: the Origin header is another one."
        if not self._has_token(headers):
            return 401, "The token is missing or wrong. It is in gateway.token in the data folder."
        if scope["path"] not in (PATH, PATH + "/"):
            return 404, f"There is nothing here. The address ends in {PATH}."
        return None

    def _has_token(self, headers: list[tuple[bytes, bytes]]) -> bool:
        given = [value for name, value in headers if name == b"authorization"]
        if len(given) != 1:
            return False
        kind, _, token = given[0].partition(b" ")
        return kind.lower() == b"bearer" and hmac.compare_digest(token.strip(), self._token)


class Presence:
    """Ends the sessions of clients that are gone: they say nothing, their connections close.

    One that is alive has the connection of its call open, or that on which it is told of changes,
    or comes back in a moment. One that only does not call may be alive: its session is ended once
    others need the room, those of the client that has the most first.
    """

    def __init__(self, manager: StreamableHTTPSessionManager, clients: Clients) -> None:
        self._manager = manager
        self._clients = clients
        self._open: dict[bytes, int] = {}
        self._cut: dict[bytes, asyncio.TimerHandle] = {}
        self._left: dict[bytes, float] = {}
        """When the last connection of a session closed, by the loop's clock."""

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        session = next((value for name, value in scope["headers"] if name == _SESSION), None)
        # No message is kept for a stream that breaks: the SDK would answer nothing at all.
        headers = [each for each in scope["headers"] if each[0] != b"last-event-id"]
        scope = {**scope, "headers": headers}
        if session is None:
            await self._make_room()
            await self._manager.handle_request(scope, receive, send)
            return
        is_answered = False

        async def watch_end(message: Any) -> None:
            nonlocal is_answered
            await send(message)
            is_answered = is_answered or (
                message["type"] == "http.response.body" and not message.get("more_body", False)
            )

        self._enter(session)
        try:
            await self._manager.handle_request(scope, receive, watch_end)
        finally:
            self._leave(session, is_cut=not is_answered)

    def close(self) -> None:
        for timer in self._cut.values():
            timer.cancel()

    def _enter(self, session: bytes) -> None:
        self._open[session] = self._open.get(session, 0) + 1
        if (timer := self._cut.pop(session, None)) is not None:
            timer.cancel()

    def _leave(self, session: bytes, *, is_cut: bool) -> None:
        self._open[session] -= 1
        if self._open[session]:
            return
        del self._open[session]
        loop = asyncio.get_running_loop()
        self._left[session] = loop.time()
        if is_cut:  # its last connection broke: one that lives comes back
            self._cut[session] = loop.call_later(GONE_LIMIT, self._end, session)

    async def _make_room(self) -> None:
        """End the session that was unused for longest, if they are becoming many."""
        sessions = {
            (transport.mcp_session_id or "").encode("latin-1"): transport
            for transport in patches.http_sessions_of(self._manager)
            if not transport.is_terminated  # the SDK counts one until it has come to its end
        }
        now = asyncio.get_running_loop().time()
        self._left = {session: self._left.get(session, now) for session in sessions}
        if len(sessions) <= MAX_SESSIONS - SPARE_SESSIONS:
            return
        oldest = self._least_needed(sessions.keys(), now)
        if oldest is not None:
            await sessions[oldest].terminate()

    def _least_needed(self, sessions: Collection[bytes], now: float) -> bytes | None:
        """The longest unused session of the client that has the most, else that of any client."""
        names = self._clients.by_http_session
        whose = {session: names.get(session.decode("latin-1")) for session in sessions}
        ((crowd, _),) = Counter(whose.values()).most_common(1)
        unused = [
            (whose[session] != crowd, left, session)
            for session, left in self._left.items()
            if session not in self._open
            and now - left >= (CROWD_LIMIT if whose[session] == crowd else UNUSED_LIMIT)
        ]
        return min(unused)[2] if unused else None

    def _end(self, session: bytes) -> None:
        self._cut.pop(session, None)
        spawn(self._end_session(session), "end the session of a client that is gone")

    async def _end_session(self, session: bytes) -> None:
        transport = patches.http_session_of(self._manager, session.decode("latin-1"))
        if transport is not None:
            logger.info("a client of the gateway is gone; its session is ended")
            await transport.terminate()


async def serve_http(gateway: Gateway, opened: socket.socket, token: str) -> None:
    """Serve on this socket until cancelled."""
    patches.look_for_no_shutdown()
    gateway.clients.are_many = True
    manager = StreamableHTTPSessionManager(
        gateway.server,
        session_idle_timeout=IDLE_LIMIT,
        max_sessions=MAX_SESSIONS,
        max_request_body_size=MAX_BODY,
    )
    presence = Presence(manager, gateway.clients)
    guard = Guard(presence, opened.getsockname()[1], token)
    server = LoopbackServer(guard, [opened], MAX_CONNECTIONS)
    try:
        async with manager.run():
            try:
                await asyncio.shield(server.serving)
            finally:
                for transport in patches.http_sessions_of(manager):
                    await transport.terminate()
    finally:
        presence.close()
        await server.close()
