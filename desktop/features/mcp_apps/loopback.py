"""`ViewServer`: the page of one view on loopback, and the channel between it and the app's host.

Two origins that end with the view: at one our own page, at the other the app in a sandboxed frame
of it. A page of elsewhere, another program that guesses, and a second visitor are refused: Host and
Origin are compared whole, paths are not to be guessed, and who came first alone holds the channel.
Must not read what goes through it.

    GET  /token/          our page, which has nothing in it that is secret
    POST /token/open      {"secret"} -> {"secret", "frame", "labels"}; 409 where another one came
    POST /token/receive   Bearer secret -> lines of JSON, for as long as both are there
    POST /token/send      Bearer secret, lines of JSON
    GET  /token/          at the other origin, with a token of its own: the app
"""

from __future__ import annotations

import asyncio
import hmac
import json
import logging
import secrets
from collections import deque
from typing import TYPE_CHECKING, Any, Final, cast

from msgspec import Struct
from msgspec.structs import asdict

from desktop.base.loopback_server import HOST, LoopbackServer, is_stranger, open_socket
from desktop.base.paths import resources
from desktop.base.signals import Signal
from desktop.base.tasks import spawn
from desktop.features.mcp_apps.limits import MAX_BATCH, MAX_WAITING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from desktop.features.mcp_apps.resource import AppResource, Purpose
    from desktop.values.tool_types import JsonObject

logger = logging.getLogger(__name__)
MAX_CONNECTIONS: Final = 20
MAX_OPEN_BODY: Final = 10_000
MAX_PLACE: Final = 200
GONE_LIMIT: Final = 5.0
"""Seconds without a page after which it is taken to be closed: a reload comes back before."""
_STATIC: Final = {
    "": ("host.html", "text/html; charset=utf-8"),
    "host.js": ("host.js", "text/javascript; charset=utf-8"),
    "host.css": ("host.css", "text/css; charset=utf-8"),
}
SANDBOX: Final = "allow-scripts allow-forms"
"""Without `allow-same-origin`: an opaque origin shares no cookies and no storage with anybody."""
_NO_DEVICES: Final = ", ".join(
    f"{feature}=()"
    for feature in (
        "accelerometer", "autoplay", "camera", "clipboard-read", "clipboard-write",
        "display-capture", "encrypted-media", "fullscreen", "geolocation", "gyroscope", "hid",
        "identity-credentials-get", "idle-detection", "local-fonts", "magnetometer", "microphone",
        "midi", "payment", "publickey-credentials-get", "screen-wake-lock", "serial", "usb",
        "window-management", "xr-spatial-tracking",
    )
)  # fmt: skip
_COMMON: Final = {
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-dns-prefetch-control": "off",
    "permissions-policy": _NO_DEVICES,
}


class PageLabels(Struct, frozen=True):
    """The words of our page, in the language of the window; texts of a server only in `title`."""

    title: str
    notice: str = "Shown by mcp-desktop in a sandbox. What it asks for is shown in the app."
    leave: str = "Leave full view"
    closed: str = "This view is closed. You can close the tab."
    lost: str = "mcp-desktop does not answer any more. You can close the tab."
    taken: str = "This view is open in another tab. Open it again in mcp-desktop."


class Outbox:
    """Lines that wait for the page, bounded."""

    def __init__(self) -> None:
        self._lines: deque[bytes] = deque()
        self._size = 0
        self._news = asyncio.Event()
        self.is_closed = False

    def put(self, line: bytes) -> bool:
        """Whether there was room for it."""
        if self.is_closed or self._size + len(line) > MAX_WAITING:
            return False
        self._lines.append(line)
        self._size += len(line)
        self._news.set()
        return True

    def take(self) -> bytes:
        """The next line; empty where there is none now."""
        if not self._lines:
            return b""
        line = self._lines.popleft()
        self._size -= len(line)
        return line

    async def wait(self) -> None:
        """Until there is a line, the end, or a call of `wake`."""
        await self._news.wait()
        self._news.clear()

    def wake(self) -> None:
        self._news.set()

    def clear(self) -> None:
        self._lines.clear()
        self._size = 0

    def close(self) -> None:
        """No more lines; those that wait are still sent."""
        self.is_closed = True
        self.wake()


class ViewServer:
    """Serves one view from its making until `close`.

    `opened`: a page has come, or was loaded again. `received` has a line of the app, `dropped` how
    many its page threw away. `left`: there has been no page for `GONE_LIMIT`. `overflowed`: the
    page does not fetch what waits for it. `placed`: our page shows the app in another size or mode.
    """

    def __init__(
        self,
        resource: AppResource,
        allowed: Mapping[Purpose, tuple[str, ...]],
        labels: PageLabels,
        *,
        gone_limit: float = GONE_LIMIT,
    ) -> None:
        """Open the two origins.

        Raises:
            UsageError: this machine has no port free.
        """
        self.opened: Signal[[]] = Signal()
        self.received: Signal[[bytes]] = Signal()
        self.dropped: Signal[[int]] = Signal()
        self.placed: Signal[[JsonObject]] = Signal()
        self.left: Signal[[]] = Signal()
        self.overflowed: Signal[[]] = Signal()
        self._labels, self._gone_limit = labels, gone_limit
        self._token, self._frame_token = secrets.token_urlsafe(32), secrets.token_urlsafe(32)
        self._secret = ""
        self._outbox = Outbox()
        self._stream = 0
        self._gone: asyncio.TimerHandle | None = None
        sockets = [open_socket(0), open_socket(0)]
        self._port, self._frame_port = (one.getsockname()[1] for one in sockets)
        self.origin = f"http://{HOST}:{self._port}"
        self.frame_origin = f"http://{HOST}:{self._frame_port}"
        self._html = resource.html.encode("utf-8", "replace")
        self._app_headers = app_headers(allowed, self.origin)
        self._host_headers = host_headers(self.frame_origin)
        self._server = LoopbackServer(self._answer, sockets, MAX_CONNECTIONS)

    @property
    def url(self) -> str:
        """What a browser is to open. Whoever has it first holds the view."""
        return f"{self.origin}/{self._token}/"

    @property
    def frame_url(self) -> str:
        """Where the app itself is; of use in our page alone."""
        return f"{self.frame_origin}/{self._frame_token}/"

    def send(self, line: bytes) -> None:
        """Give the page a line of JSON as soon as it fetches it."""
        if not self._outbox.put(line) and not self._outbox.is_closed:
            self._outbox.close()
            self.overflowed.send()

    async def close(self) -> None:
        """End both origins; what waits for the page is still sent. Idempotent."""
        self._outbox.close()
        if self._gone is not None:
            self._gone.cancel()
        await self._server.close()

    # --- requests ---------------------------------------------------------------------------------

    async def _answer(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            return
        is_frame = scope["server"][1] == self._frame_port
        own = self.frame_origin if is_frame else self.origin
        headers = cast("list[tuple[bytes, bytes]]", scope["headers"])
        if _all_of(headers, b"host") != [own.removeprefix("http://").encode()]:
            await _respond(send, 403, b"The Host header is another one.")
            return
        token, _, rest = scope["path"].removeprefix("/").partition("/")
        wanted = self._frame_token if is_frame else self._token
        if not hmac.compare_digest(token.encode(), wanted.encode()):
            await _respond(send, 404, b"There is nothing here.")
        elif is_stranger(scope["client"], scope["server"]):
            # The address stands in the arguments of what opens the browser, for all to see.
            await _respond(send, 403, b"This view is another person's.")
        elif is_frame:
            await self._show_app(scope["method"], rest, headers, send)
        elif scope["method"] == "GET" and rest in _STATIC:
            await self._show_host(rest, send)
        elif scope["method"] == "POST":
            await self._take(rest, headers, receive, send)
        else:
            await _respond(send, 404, b"There is nothing here.")

    async def _show_app(
        self, method: str, rest: str, headers: list[tuple[bytes, bytes]], send: Any
    ) -> None:
        if method != "GET" or rest:
            await _respond(send, 404, b"There is nothing here.")
        elif _all_of(headers, b"sec-fetch-dest") not in ([], [b"iframe"]):
            await _respond(send, 403, b"An app is shown in its frame alone.")
        else:
            await _respond(send, 200, self._html, "text/html; charset=utf-8", self._app_headers)

    async def _show_host(self, rest: str, send: Any) -> None:
        file, kind = _STATIC[rest]
        body = (resources() / "mcp_apps" / file).read_bytes()
        await _respond(send, 200, body, kind, self._host_headers)

    async def _take(
        self, rest: str, headers: list[tuple[bytes, bytes]], receive: Any, send: Any
    ) -> None:
        if _all_of(headers, b"origin") != [self.origin.encode()]:
            await _respond(send, 403, b"The Origin header is another one.")
        elif rest == "open":
            await self._open(receive, send)
        elif not self._holds(headers):
            await _respond(send, 401, b"The secret is missing or wrong.")
        elif rest == "receive":
            await self._hand_out(receive, send)
        elif rest == "send":
            await self._take_lines(receive, send)
        else:
            await _respond(send, 404, b"There is nothing here.")

    def _holds(self, headers: list[tuple[bytes, bytes]]) -> bool:
        given = _all_of(headers, b"authorization")
        wanted = f"Bearer {self._secret}".encode()
        return bool(self._secret) and len(given) == 1 and hmac.compare_digest(given[0], wanted)

    async def _open(self, receive: Any, send: Any) -> None:
        body = await _read(receive, MAX_OPEN_BODY)
        try:
            given: Any = json.loads(body or b"")
        except (ValueError, RecursionError):
            given = None
        secret = cast("dict[str, Any]", given).get("secret") if isinstance(given, dict) else None
        if self._outbox.is_closed:
            await _respond(send, 410, b"This view is closed.")
            return
        known = self._secret.encode()
        if known and not hmac.compare_digest(str(secret).encode("utf-8", "replace"), known):
            labels = json.dumps({"labels": asdict(self._labels)}).encode()
            await _respond(send, 409, labels, "application/json")
            return
        self._secret = self._secret or secrets.token_urlsafe(32)
        self._outbox.clear()  # it was for the page before
        self.opened.send()
        about = {
            "secret": self._secret,
            "frame": self.frame_url,
            "labels": asdict(self._labels),
        }
        await _respond(send, 200, json.dumps(about).encode(), "application/json")

    async def _hand_out(self, receive: Any, send: Any) -> None:
        """Send what waits, as it comes; a later page takes over from an earlier one."""
        self._stream += 1
        mine, is_gone = self._stream, False
        if self._gone is not None:
            self._gone.cancel()

        async def watch() -> None:
            nonlocal is_gone
            while (await receive())["type"] != "http.disconnect":
                pass
            is_gone = True
            self._outbox.wake()

        self._outbox.wake()
        start = {"type": "http.response.start", "status": 200, "headers": _plain("x-ndjson")}
        await send(start)
        watching = spawn(watch(), "watch the page of an app")
        try:
            while not is_gone and mine == self._stream:
                while (line := self._outbox.take()) and mine == self._stream:
                    await send({"type": "http.response.body", "body": line, "more_body": True})
                if self._outbox.is_closed:
                    break
                await self._outbox.wait()
            await send({"type": "http.response.body", "body": b""})
        finally:
            watching.cancel()
            if mine == self._stream and not self._outbox.is_closed:
                loop = asyncio.get_running_loop()
                self._gone = loop.call_later(self._gone_limit, self.left.send)
            self._outbox.wake()  # for the stream that took over

    async def _take_lines(self, receive: Any, send: Any) -> None:
        body = await _read(receive, MAX_BATCH)
        if body is None:
            await _respond(send, 413, b"Too many bytes at a time.")
            return
        for line in body.splitlines():
            if (dropped := _dropped(line)) is not None:
                self.dropped.send(dropped)
            elif (place := _place(line)) is not None:
                self.placed.send(place)
            elif line:
                self.received.send(line)
        await _respond(send, 204, b"")


def _dropped(line: bytes) -> int | None:
    """How many messages our page threw away, where the line is its own word of that."""
    if not line.startswith(b'{"dropped":') or len(line) > 40:
        return None
    try:
        count: Any = json.loads(line)["dropped"]
    except (ValueError, KeyError):
        return None
    return count if isinstance(count, int) else None


def _place(line: bytes) -> JsonObject | None:
    """What our page says of how it shows the app: a message of the app has a `jsonrpc` in it."""
    if not line.startswith(b'{"page":') or len(line) > MAX_PLACE:
        return None
    try:
        said: Any = json.loads(line)
    except (ValueError, RecursionError):
        return None
    is_page = said.keys() == {"page"} and isinstance(said["page"], dict)
    return cast("JsonObject", said["page"]) if is_page else None


def _all_of(headers: list[tuple[bytes, bytes]], name: bytes) -> list[bytes]:
    return [value for one, value in headers if one == name]


async def _read(receive: Any, limit: int) -> bytes | None:
    """The body of a request; None where it has more bytes, or its sender is gone."""
    parts: list[bytes] = []
    size = 0
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return None
        part = message.get("body", b"")
        size += len(part)
        if size <= limit:
            parts.append(part)
        if not message.get("more_body", False):
            return b"".join(parts) if size <= limit else None


def _plain(subtype: str) -> list[tuple[bytes, bytes]]:
    return [
        (b"content-type", f"application/{subtype}".encode()),
        (b"cache-control", b"no-store"),
        (b"x-content-type-options", b"nosniff"),
    ]


async def _respond(
    send: Any,
    status: int,
    body: bytes,
    kind: str = "text/plain; charset=utf-8",
    headers: Mapping[str, str] | None = None,
) -> None:
    told = {"cache-control": "no-store", "x-content-type-options": "nosniff", **(headers or {})}
    listed = [(name.encode(), value.encode()) for name, value in told.items()]
    if status != 204:
        listed += [(b"content-type", kind.encode()), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": listed})
    await send({"type": "http.response.body", "body": body})


def app_policy(domains: Mapping[Purpose, tuple[str, ...]], host_origin: str) -> str:
    """The Content-Security-Policy of an app.

    `'self'` is in none of it, as nothing else is at the app's address.

    Args:
        domains: those that were allowed.
        host_origin: whose page alone may hold the app.
    """
    resource = domains.get("resource", ())
    return "; ".join(
        (
            "default-src 'none'",
            _directive("script-src", "'unsafe-inline'", *resource),
            _directive("style-src", "'unsafe-inline'", *resource),
            _directive("img-src", "data:", "blob:", *resource),
            _directive("font-src", "data:", *resource),
            _directive("media-src", "data:", "blob:", *resource),
            _directive("connect-src", *domains.get("connect", ())),
            _directive("frame-src", *domains.get("frame", ())),
            "worker-src 'none'",
            "object-src 'none'",
            "base-uri 'none'",
            "form-action 'none'",
            "webrtc 'block'",
            f"frame-ancestors {host_origin}",
            f"sandbox {SANDBOX}",
        )
    )


def app_headers(domains: Mapping[Purpose, tuple[str, ...]], host_origin: str) -> dict[str, str]:
    """The headers of the app's page."""
    return {
        **_COMMON,
        "content-security-policy": app_policy(domains, host_origin),
        "connection-allowlist": _allowlist(domains),
        "cross-origin-resource-policy": "cross-origin",
        "x-robots-tag": "none",
    }


def _allowlist(domains: Mapping[Purpose, tuple[str, ...]]) -> str:
    """All that may be reached, whatever it is for; WebRTC, which no policy above holds, never.

    It also keeps a connection from being opened for what the policy then refuses. Frames inside the
    app inherit it. Source: WICG, "Connection Allowlists"; Chromium has it, others do not yet.
    """
    allowed = dict.fromkeys(one for some in domains.values() for one in some)
    return f"({' '.join(json.dumps(one) for one in allowed)});webrtc=block"


def host_headers(app_origin: str) -> dict[str, str]:
    """The headers of our page around it, which may hold the app and nothing else.

    `frame-src` also keeps the app from leading its own frame elsewhere.
    """
    policy = "; ".join(
        (
            "default-src 'none'",
            "script-src 'self'",
            "style-src 'self'",
            "img-src data:",
            "connect-src 'self'",
            f"frame-src {app_origin}",
            "frame-ancestors 'none'",
            "base-uri 'none'",
            "form-action 'none'",
            "require-trusted-types-for 'script'",
        )
    )
    return {
        **_COMMON,
        "content-security-policy": policy,
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-resource-policy": "same-origin",
        "x-frame-options": "DENY",
    }


def _directive(name: str, *sources: str) -> str:
    allowed = " ".join(sources) or "'none'"
    return f"{name} {allowed}"
