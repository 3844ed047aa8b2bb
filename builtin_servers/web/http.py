"""Gets one URL over HTTP within limits; every redirect is checked anew.

Only addresses of the public internet are reached, unless the person allowed others. A host name is
resolved once, all its addresses are checked, and the connection goes to one of exactly those: a
name that resolves differently the second time (DNS rebinding) gains nothing. Sends no cookies and
nothing about the person; ignores proxies from the environment, which would resolve names unchecked.
Through a proxy that the person named, addresses and names known here are checked all the same; a
name that only the proxy knows is its to resolve.
"""

from __future__ import annotations

import http.client
import ipaddress
import socket
import ssl
import zlib
from contextlib import contextmanager
from threading import Timer
from time import monotonic
from urllib.parse import quote, unquote, urljoin, urlsplit

from builtin_servers.framework.tool import ToolCallError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from builtin_servers.framework.tool import CallContext

    Address = ipaddress.IPv4Address | ipaddress.IPv6Address
    Resolve = Callable[[str, int], list[tuple[int, str]]]
    """Host and port to address family and address."""

MAX_BODY_BYTES = 5_000_000
MAX_SECONDS = 30.0
MAX_HOPS = 6
_BLOCK_BYTES = 65536
_REDIRECT_CODES = {301, 302, 303, 307, 308}
_MAX_URL_CHARS = 8000
_UNQUOTED = "!#$%&'()*+,/:;=?@[]~"
_DEFAULT_PORTS = {"http": 80, "https": 443}
# Reachable only from inside a cloud, although the addresses look public.
_METADATA_ADDRESSES = {ipaddress.ip_address("168.63.129.16")}
_NAT64_NETWORK = ipaddress.ip_network("64:ff9b::/96")
# Python 3.11 considers these global.
_SPECIAL_NETWORKS = [
    ipaddress.ip_network(text) for text in ("192.0.0.0/24", "64:ff9b:1::/48", "fec0::/10")
]
_COMPATIBLE_NETWORK = ipaddress.ip_network("::/96")


class Url:
    """A parsed URL: `host` in ASCII without brackets, `target` as it is sent."""

    __slots__ = ("host", "port", "scheme", "target")

    def __init__(self, scheme: str, host: str, port: int, target: str) -> None:
        self.scheme = scheme
        self.host = host
        self.port = port
        self.target = target

    @property
    def origin(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        port = "" if self.port == _DEFAULT_PORTS[self.scheme] else f":{self.port}"
        return f"{self.scheme}://{host}{port}"

    def __str__(self) -> str:
        return self.origin + self.target

    def join(self, location: str) -> Url:
        """The target of a redirect to `location`. Raises `ToolCallError`."""
        return parse_url(urljoin(str(self), location))


def parse_url(text: str) -> Url:
    """Parse an http or https URL; one with a user name is refused. Raises `ToolCallError`."""
    url = text.strip()
    if len(url) > _MAX_URL_CHARS:
        raise ToolCallError(f"The URL has more than {_MAX_URL_CHARS} characters")
    if "\\" in url or any(ord(sign) <= 32 or ord(sign) == 127 for sign in url):
        raise ToolCallError("The URL has a space, a backslash or a control character")
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError as error:
        raise ToolCallError(f"This is not a URL: {error}") from error
    if parts.scheme not in _DEFAULT_PORTS:
        raise ToolCallError("Only http:// and https:// URLs are fetched")
    if "@" in parts.netloc:
        raise ToolCallError("A URL with a user name or password before the host is not fetched")
    if not host:
        raise ToolCallError("The URL has no host")
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    default = _DEFAULT_PORTS[parts.scheme]
    return Url(
        parts.scheme, _to_ascii(host), default if port is None else port, quote(target, _UNQUOTED)
    )


def _to_ascii(host: str) -> str:
    if host.isascii():
        return host
    try:
        return host.encode("idna").decode("ascii")
    except UnicodeError as error:
        raise ToolCallError(f"{host[:100]!r} is not a host") from error


class UnknownHostError(ToolCallError):
    """The system knows no address of the host."""


def resolve_host(host: str, port: int) -> list[tuple[int, str]]:
    """The addresses of a host according to the system. Raises `UnknownHostError`."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise UnknownHostError(f"The host {host[:200]!r} was not found") from error
    return list(dict.fromkeys((int(answer[0]), str(answer[4][0])) for answer in found))


class AddressResolver:
    """Resolves host names and refuses addresses that are not public."""

    def __init__(
        self, *, allow_private: bool = False, resolve_host: Resolve = resolve_host
    ) -> None:
        self._allow_private = allow_private
        self._resolve = resolve_host

    def find(self, host: str, port: int) -> list[tuple[int, str]]:
        """The addresses to connect to. Raises `ToolCallError` if one of them is not public."""
        found = self._resolve(host, port)
        for _, address in found:
            if not self._allow_private and not is_public(address):
                raise ToolCallError(
                    f"{host[:200]} is {address}, which is this computer or a private network. "
                    "Such addresses are fetched only when the server is started with "
                    "--allow-private"
                )
        return found


def is_public(text: str) -> bool:
    """Whether an address, and every address embedded in it, is on the public internet."""
    try:
        address = ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return False
    if address in _METADATA_ADDRESSES or address.is_multicast or not address.is_global:
        return False
    if any(address in network for network in _SPECIAL_NETWORKS):
        return False
    return all(is_public(str(inner)) for inner in _embedded_in(address))


def _embedded_in(address: Address) -> list[ipaddress.IPv4Address]:
    """The IPv4 addresses that an IPv6 address leads to: mapped, 6to4, Teredo, NAT64."""
    if isinstance(address, ipaddress.IPv4Address):
        return []
    found = [address.ipv4_mapped, address.sixtofour, *(address.teredo or ())]
    if address in _NAT64_NETWORK or address in _COMPATIBLE_NETWORK:
        found.append(ipaddress.IPv4Address(int(address) & 0xFFFFFFFF))
    return [inner for inner in found if inner is not None]


class FetchedPage:
    """The response: final URL, status, type, and the body up to the limit."""

    __slots__ = ("body", "charset", "is_truncated", "mime", "status", "url")

    def __init__(
        self, url: Url, status: int, mime: str, charset: str, body: bytes, *, is_truncated: bool
    ) -> None:
        self.url = url
        self.status = status
        self.mime = mime
        self.charset = charset
        self.body = body
        self.is_truncated = is_truncated


class Proxy:
    """Where an HTTP proxy listens, and the header that signs in to it (or nothing)."""

    __slots__ = ("authorization", "host", "port")

    def __init__(self, host: str, port: int, authorization: str) -> None:
        self.host = host
        self.port = port
        self.authorization = authorization

    @property
    def headers(self) -> dict[str, str]:
        return {"Proxy-Authorization": self.authorization} if self.authorization else {}


def parse_proxy(text: str) -> Proxy:
    """Parse `http://[user:password@]host:port`. Raises `ToolCallError`, without the password."""
    from base64 import b64encode

    try:
        parts = urlsplit(text.strip())
        host, port = parts.hostname or "", parts.port or 8080
    except ValueError as error:
        raise ToolCallError("This is not the URL of a proxy") from error
    if parts.scheme != "http" or not host:
        raise ToolCallError("A proxy is written http://host:port (https and SOCKS are not known)")
    user = unquote(f"{parts.username or ''}:{parts.password or ''}")
    signed = b64encode(user.encode()).decode("ascii") if parts.username else ""
    return Proxy(host, port, signed and f"Basic {signed}")


class HttpClient:
    """Gets pages; `max_seconds` is for all redirects of one page together."""

    def __init__(
        self,
        addresses: AddressResolver,
        agent: str,
        max_seconds: float = MAX_SECONDS,
        *,
        proxy: Proxy | None = None,
    ) -> None:
        self._addresses = addresses
        self._agent = agent
        self._max_seconds = max_seconds
        self._proxy = proxy
        self._tls: ssl.SSLContext | None = None

    def get(
        self, url: str, call: CallContext, check: Callable[[Url], None] = lambda _: None
    ) -> FetchedPage:
        """The page at a URL, after redirects; `check` may refuse each URL on the way.

        Raises:
            ToolCallError: The page could not be fetched; the message says why.
        """
        current = parse_url(url)
        deadline = monotonic() + self._max_seconds
        for _ in range(MAX_HOPS):
            check(current)
            found = self._request(current, call, deadline)
            if isinstance(found, FetchedPage):
                return found
            current = current.join(found)
        raise ToolCallError(f"There are more than {MAX_HOPS - 1} redirects")

    def _request(self, url: Url, call: CallContext, deadline: float) -> FetchedPage | str:
        """The page, or the location that it redirects to."""
        try:
            with self._open_connection(url, deadline) as connection:
                is_relayed = self._proxy is not None and url.scheme == "http"
                target = str(url) if is_relayed else url.target
                connection.putrequest("GET", target, skip_accept_encoding=True)
                headers = self._headers()
                if self._proxy is not None and is_relayed:
                    headers |= self._proxy.headers
                for name, value in headers.items():
                    connection.putheader(name, value)
                connection.endheaders()
                response = connection.getresponse()
                location = response.getheader("Location")
                if response.status in _REDIRECT_CODES and location:
                    return location
                return _read_page(url, response, call, deadline)
        except (OSError, ValueError, http.client.HTTPException, zlib.error) as error:
            raise ToolCallError(_explain(url, error, deadline, self._max_seconds)) from error

    @contextmanager
    def _open_connection(self, url: Url, deadline: float) -> Generator[http.client.HTTPConnection]:
        stream = self._connect(url, deadline)
        if url.scheme == "https":
            stream = self._secure(stream, url, deadline)
        # A server that drips single bytes would never exceed the timeout of one read.
        timer = Timer(max(0.0, deadline - monotonic()), _shut_down, [stream])
        timer.daemon = True
        timer.start()
        connection = http.client.HTTPConnection(url.host, url.port)
        try:
            if isinstance(stream, ssl.SSLSocket):
                stream.do_handshake()
            connection.sock = stream
            yield connection
        finally:
            timer.cancel()
            connection.close()
            stream.close()

    def _connect(self, url: Url, deadline: float) -> socket.socket:
        failed: OSError | None = None
        port, found = url.port, self._find_addresses(url)
        if self._proxy is not None:
            port = self._proxy.port
            found = resolve_host(self._proxy.host, port)
        for family, address in found:
            candidate = socket.socket(family, socket.SOCK_STREAM)
            try:
                candidate.settimeout(max(0.01, deadline - monotonic()))
                candidate.connect((address, port))
            except OSError as error:
                candidate.close()
                failed = error
            else:
                return candidate
        raise failed or OSError("no address")

    def _find_addresses(self, url: Url) -> list[tuple[int, str]]:
        try:
            return self._addresses.find(url.host, url.port)
        except UnknownHostError:
            if self._proxy is None:
                raise
            return []  # behind a proxy there is often no DNS

    def _secure(self, stream: socket.socket, url: Url, deadline: float) -> ssl.SSLSocket:
        if self._tls is None:
            self._tls = ssl.create_default_context()
        try:
            if self._proxy is not None:
                _open_tunnel(stream, url, self._proxy, deadline)
            return self._tls.wrap_socket(
                stream, server_hostname=url.host, do_handshake_on_connect=False
            )
        except BaseException:
            stream.close()
            raise

    def _headers(self) -> dict[str, str]:
        return {
            "User-Agent": self._agent,
            "Accept": "text/markdown, text/html;q=0.9, text/*;q=0.8, */*;q=0.5",
            "Accept-Encoding": "gzip, identity",
            "Connection": "close",
        }


def _open_tunnel(stream: socket.socket, url: Url, proxy: Proxy, deadline: float) -> None:
    """Have the proxy connect to the host of an https URL. Raises `ToolCallError`, `OSError`."""
    host = f"[{url.host}]" if ":" in url.host else url.host
    lines = [f"CONNECT {host}:{url.port} HTTP/1.1", f"Host: {host}:{url.port}"]
    lines += [f"{name}: {value}" for name, value in proxy.headers.items()]
    stream.sendall(("\r\n".join(lines) + "\r\n\r\n").encode("ascii"))
    answer = bytearray()
    while b"\r\n\r\n" not in answer and len(answer) < _BLOCK_BYTES:
        byte = stream.recv(1)  # no more than the answer: what follows belongs to TLS
        if not byte:
            break
        if monotonic() > deadline:
            raise TimeoutError
        answer += byte
    status = bytes(answer[:200]).split(None, 2)[1:2]
    if status != [b"200"]:
        said = status[0].decode("ascii", "replace")[:20] if status else "nothing"
        raise ToolCallError(f"The proxy {proxy.host}:{proxy.port} answered {said} for {url.origin}")


def _read_page(
    url: Url, response: http.client.HTTPResponse, call: CallContext, deadline: float
) -> FetchedPage:
    unpack = _make_unpacker((response.getheader("Content-Encoding") or "").strip().lower())
    body = bytearray()
    while len(body) <= MAX_BODY_BYTES and (block := response.read1(_BLOCK_BYTES)):
        body += unpack(block)
        if call.is_cancelled:
            raise ToolCallError("Cancelled")
        if monotonic() > deadline:
            break
    if monotonic() >= deadline:  # a connection that was shut down looks like a complete one
        raise TimeoutError
    headers = response.headers
    return FetchedPage(
        url,
        response.status,
        headers.get_content_type() if "Content-Type" in headers else "",
        headers.get_content_charset() or "",
        bytes(body[:MAX_BODY_BYTES]),
        is_truncated=len(body) > MAX_BODY_BYTES,
    )


def _make_unpacker(encoding: str) -> Callable[[bytes], bytes]:
    """A function that decompresses block by block, never much beyond the maximum."""
    if encoding in ("", "identity"):
        return bytes
    if encoding not in ("gzip", "x-gzip", "deflate"):
        raise ToolCallError(f"The body is packed as {encoding[:40]!r}, which was not asked for")
    stream = zlib.decompressobj(zlib.MAX_WBITS | 32)
    return lambda block: stream.decompress(block, MAX_BODY_BYTES + 1)


def _shut_down(connection: socket.socket) -> None:
    try:
        # Not the method of SSLSocket, which would remove the encryption under the reader.
        socket.socket.shutdown(connection, socket.SHUT_RDWR)
    except OSError:
        return  # closed already


def _explain(url: Url, error: Exception, deadline: float, max_seconds: float) -> str:
    if isinstance(error, TimeoutError) or monotonic() >= deadline:
        return f"{url.origin} did not answer in full within {max_seconds:g} s"
    if isinstance(error, ssl.SSLCertVerificationError):
        return (
            f"The certificate of {url.origin} is not trusted: {error.verify_message}. "
            "(SSL_CERT_FILE names other authorities.)"
        )
    if isinstance(error, http.client.HTTPException):
        return f"{url.origin} does not answer as HTTP says: {type(error).__name__}"
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return f"{url.origin} could not be reached: {reason or type(error).__name__}"
