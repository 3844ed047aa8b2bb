"""The page on this machine that a browser comes back to, and the opening of that browser.

Listens on the loopback address alone, for one answer with the right `state`, and tells the person
that the window can be closed. Source: RFC 8252, 7.3 and 8.3; OAuth 2.1.
"""

from __future__ import annotations

import asyncio
import hmac
import webbrowser
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, Final, Protocol
from urllib.parse import parse_qsl, urlsplit

from desktop.base.errors import DesktopError
from desktop.base.translatable import translatable

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable

HOST: Final = "127.0.0.1"
NAME: Final = "localhost"
"""The same under the name that some authorization servers want in its place."""
PATH: Final = "/callback"
MAX_HEAD: Final = 32_768
"""Bytes of a request's head; a code and a state are shorter."""
HEAD_LIMIT: Final = 10.0
"""Seconds in which a head has to come: who connects and says nothing is let go."""
MAX_VISITORS: Final = 32
"""Connections at a time; others wait."""


class Browser(Protocol):
    """Shows a person the page of an authorization server, and says what they came back with."""

    redirect_uri: str

    async def visit(self, url: str) -> dict[str, str]:
        """The parameters that the person came back with."""
        ...


class LoopbackBrowser:
    """The system's browser, and the page that it returns to."""

    def __init__(
        self, port: int, arrivals: asyncio.Queue[dict[str, str]], show: Callable[[str], object]
    ) -> None:
        self.redirect_uri = f"http://{HOST}:{port}{PATH}"
        self._port = port
        self._arrivals = arrivals
        self._show = show
        self._state = ""
        self._is_done = False
        self._visitors = asyncio.Semaphore(MAX_VISITORS)

    async def visit(self, url: str) -> dict[str, str]:
        self._state = dict(parse_qsl(urlsplit(url).query)).get("state", "")
        self._show(url)
        return await self._arrivals.get()

    async def meet(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer one request of a browser."""
        async with self._visitors:
            try:
                async with asyncio.timeout(HEAD_LIMIT):
                    head = await reader.readuntil(b"\r\n\r\n")
                    status, title, text = self._answer(head)
                    writer.write(_page(status, title, text))
                    await writer.drain()
            except (TimeoutError, OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
                pass
            finally:
                writer.close()
                with suppress(OSError):
                    await writer.wait_closed()

    def _answer(self, head: bytes) -> tuple[str, str, str]:
        lines = head.decode("latin-1").split("\r\n")
        method, _, rest = lines[0].partition(" ")
        target = urlsplit(rest.partition(" ")[0])
        headers = dict(line.lower().split(":", 1) for line in lines[1:] if ":" in line)
        # A page of elsewhere that has a name of its own for this address is not the browser's way.
        is_here = headers.get("host", "").strip() in {
            f"{host}:{self._port}" for host in (HOST, NAME)
        }
        if method != "GET" or target.path != PATH or not is_here:
            return "404 Not Found", "Nothing here", "This page is for a sign-in alone."
        parameters = dict(parse_qsl(target.query, keep_blank_values=True))
        # A refusal may lack the state, which some forget: it can only end the sign-in.
        is_bare_refusal = "error" in parameters and "state" not in parameters
        state = parameters.get("state", "").encode()
        if not is_bare_refusal and not hmac.compare_digest(state, self._state.encode()):
            return _WRONG
        if self._is_done:
            return "409 Conflict", "Already done", "This answer has been received before."
        self._is_done = True
        self._arrivals.put_nowait(parameters)
        if "error" in parameters:
            return "200 OK", "Not signed in", "You can close this page and go back to the app."
        return "200 OK", "Signed in", "You can close this page and go back to the app."


_WRONG = (
    "400 Bad Request",
    "Not the answer that is waited for",
    "It belongs to another sign-in. Begin again from the app.",
)


@asynccontextmanager
async def loopback_browser(
    show: Callable[[str], object] | None = None, port: int = 0
) -> AsyncGenerator[LoopbackBrowser]:
    """Listen while this is entered.

    Args:
        show: opens an address for the person; the system's browser where it is None.
        port: to listen at; 0 for any that is free.

    Raises:
        DesktopError: the port is taken.
    """
    arrivals: asyncio.Queue[dict[str, str]] = asyncio.Queue()
    holder: list[LoopbackBrowser] = []
    try:
        server = await asyncio.start_server(
            lambda reader, writer: holder[0].meet(reader, writer), HOST, port, limit=MAX_HEAD
        )
    except OSError as error:
        raise DesktopError(
            translatable("Port {port} on this computer is in use.", port=port),
            remedy=translatable("Stop the program that uses it, or set another callbackPort."),
        ) from error
    taken: int = server.sockets[0].getsockname()[1]
    holder.append(LoopbackBrowser(taken, arrivals, show or open_browser))
    async with server:
        yield holder[0]


async def is_free(port: int) -> bool:
    """Whether this machine's loopback address has a port to listen at."""
    try:
        server = await asyncio.start_server(lambda _, writer: writer.close(), HOST, port)
    except OSError:
        return False
    server.close()
    await server.wait_closed()
    return True


def open_browser(url: str) -> None:
    """Open the system's browser; it may take seconds to begin, so nobody waits for it."""
    asyncio.get_running_loop().run_in_executor(None, webbrowser.open, url)


def _page(status: str, title: str, text: str) -> bytes:
    body = (
        f"<!doctype html><html><head><meta charset=utf-8><title>{title}</title>"
        "<style>body{font:16px system-ui;margin:20vh auto;max-width:28rem;text-align:center;"
        "color-scheme:light dark}</style></head>"
        f"<body><h1>{title}</h1><p>{text}</p></body></html>"
    ).encode()
    head = (
        f"HTTP/1.1 {status}\r\nContent-Type: text/html; charset=utf-8\r\n"
        f"Content-Length: {len(body)}\r\nCache-Control: no-store\r\n"
        "Referrer-Policy: no-referrer\r\n"
        "Content-Security-Policy: default-src 'none'; style-src 'unsafe-inline'\r\n"
        "Connection: close\r\n\r\n"
    )
    return head.encode() + body
