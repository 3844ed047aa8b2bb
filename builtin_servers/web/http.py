"""Gets one URL over HTTP: each hop of a redirect checked anew, everything within limits.

Sends no cookie and nothing of the person; a proxy of the environment is not used, for it would
resolve names unchecked.
"""

from __future__ import annotations

import http.client
import socket
import ssl
import zlib
from contextlib import contextmanager
from threading import Timer
from time import monotonic

from builtin_servers.call import ToolError
from builtin_servers.web.urls import read_url

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from builtin_servers.call import Call
    from builtin_servers.web.addresses import Addresses
    from builtin_servers.web.urls import Url

BODY_LIMIT = 5_000_000
TIME_LIMIT = 30.0
MOST_HOPS = 6
_BLOCK = 65536
_REDIRECTS = {301, 302, 303, 307, 308}


class Page:
    """What came: the last URL, status, type, and the body as far as the limit."""

    __slots__ = ("body", "charset", "is_cut", "mime", "status", "url")

    def __init__(
        self, url: Url, status: int, mime: str, charset: str, body: bytes, *, is_cut: bool
    ) -> None:
        self.url = url
        self.status = status
        self.mime = mime
        self.charset = charset
        self.body = body
        self.is_cut = is_cut


class Browser:
    """Gets pages. `limit` is in seconds, for all hops of one page together."""

    def __init__(self, addresses: Addresses, agent: str, limit: float = TIME_LIMIT) -> None:
        self._addresses = addresses
        self._agent = agent
        self._limit = limit
        self._tls: ssl.SSLContext | None = None

    def get(self, url: str, call: Call, check: Callable[[Url], None] = lambda _: None) -> Page:
        """The page that a URL leads to; `check` may refuse each URL on the way.

        Raises:
            ToolError: it cannot be had, and why.
        """
        place = read_url(url)
        end = monotonic() + self._limit
        for _ in range(MOST_HOPS):
            check(place)
            found = self._get_one(place, call, end)
            if isinstance(found, Page):
                return found
            place = place.join(found)
        raise ToolError(f"There are more than {MOST_HOPS - 1} redirects")

    def _get_one(self, url: Url, call: Call, end: float) -> Page | str:
        """The page, or where it redirects to."""
        try:
            with self._connected(url, end) as connection:
                connection.putrequest("GET", url.target, skip_accept_encoding=True)
                for name, value in self._headers().items():
                    connection.putheader(name, value)
                connection.endheaders()
                response = connection.getresponse()
                location = response.getheader("Location")
                if response.status in _REDIRECTS and location:
                    return location
                return _read(url, response, call, end)
        except (OSError, ValueError, http.client.HTTPException, zlib.error) as error:
            raise ToolError(_explain(url, error, end, self._limit)) from error

    @contextmanager
    def _connected(self, url: Url, end: float) -> Generator[http.client.HTTPConnection]:
        used = self._dial(url, end)
        if url.scheme == "https":
            used = self._secure(used, url.host)
        # A server that sends a byte now and then never runs into the limit of one read.
        timer = Timer(max(0.0, end - monotonic()), _hang_up, [used])
        timer.daemon = True
        timer.start()
        connection = http.client.HTTPConnection(url.host, url.port)
        try:
            if isinstance(used, ssl.SSLSocket):
                used.do_handshake()
            connection.sock = used
            yield connection
        finally:
            timer.cancel()
            connection.close()
            used.close()

    def _dial(self, url: Url, end: float) -> socket.socket:
        failed: OSError | None = None
        for family, address in self._addresses.find(url.host, url.port):
            dialled = socket.socket(family, socket.SOCK_STREAM)
            try:
                dialled.settimeout(max(0.01, end - monotonic()))
                dialled.connect((address, url.port))
            except OSError as error:
                dialled.close()
                failed = error
            else:
                return dialled
        raise failed or OSError("no address")

    def _secure(self, plain: socket.socket, host: str) -> ssl.SSLSocket:
        if self._tls is None:
            self._tls = ssl.create_default_context()
        return self._tls.wrap_socket(plain, server_hostname=host, do_handshake_on_connect=False)

    def _headers(self) -> dict[str, str]:
        return {
            "User-Agent": self._agent,
            "Accept": "text/markdown, text/html;q=0.9, text/*;q=0.8, */*;q=0.5",
            "Accept-Encoding": "gzip, identity",
            "Connection": "close",
        }


def _read(url: Url, response: http.client.HTTPResponse, call: Call, end: float) -> Page:
    unpack = _unpacker((response.getheader("Content-Encoding") or "").strip().lower())
    body = bytearray()
    while len(body) <= BODY_LIMIT and (block := response.read1(_BLOCK)):
        body += unpack(block)
        if call.is_cancelled:
            raise ToolError("Cancelled")
        if monotonic() > end:
            break
    if monotonic() >= end:  # whoever is hung up on seems to be at its end
        raise TimeoutError
    headers = response.headers
    return Page(
        url,
        response.status,
        headers.get_content_type() if "Content-Type" in headers else "",
        headers.get_content_charset() or "",
        bytes(body[:BODY_LIMIT]),
        is_cut=len(body) > BODY_LIMIT,
    )


def _unpacker(encoding: str) -> Callable[[bytes], bytes]:
    """Unpacks a body block by block, never much more than the limit however it was packed."""
    if encoding in ("", "identity"):
        return bytes
    if encoding not in ("gzip", "x-gzip", "deflate"):
        raise ToolError(f"The body is packed as {encoding[:40]!r}, which was not asked for")
    stream = zlib.decompressobj(zlib.MAX_WBITS | 32)
    return lambda block: stream.decompress(block, BODY_LIMIT + 1)


def _hang_up(connection: socket.socket) -> None:
    try:
        # Not that of an SSLSocket, which would take the encryption from under the reader.
        socket.socket.shutdown(connection, socket.SHUT_RDWR)
    except OSError:
        return  # it is over


def _explain(url: Url, error: Exception, end: float, limit: float) -> str:
    if isinstance(error, TimeoutError) or monotonic() >= end:
        return f"{url.origin} did not answer in full within {limit:g} s"
    if isinstance(error, ssl.SSLCertVerificationError):
        return (
            f"The certificate of {url.origin} is not trusted: {error.verify_message}. "
            "(SSL_CERT_FILE names other authorities.)"
        )
    if isinstance(error, http.client.HTTPException):
        return f"{url.origin} does not answer as HTTP says: {type(error).__name__}"
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return f"{url.origin} could not be reached: {reason or type(error).__name__}"
