"""The proxy that the environment names for an address, and connections that are made through it.

One policy for all that speaks HTTP: the proxy of the address's scheme, else that for all, SOCKS
among them; none for this machine, whatever the variables say. Looked up for each request, so that
one that cannot be used stops those alone that need it. Must not show what a proxy's address has in
it of user and password. Imports httpx2: only imported itself when something is asked.
"""

from __future__ import annotations

import ipaddress
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

import httpx2

from desktop.base.errors import DesktopError
from desktop.base.translatable import translatable

if TYPE_CHECKING:
    import ssl
    from collections.abc import Sequence

HAS_SOCKS: Final = find_spec("socksio") is not None
_SOCKS: Final = ("socks5", "socks5h")
PROXY_FAULTS: Final = frozenset((407, 502, 503, 504))
"""Statuses that a proxy on the way may have answered in the place of the server."""


def proxy_for(url: str) -> str:
    """The address of the proxy on the way to `url`, as it is written; empty where there is none."""
    parts = urlsplit(url)
    if is_this_machine(parts.hostname or "") or proxy_bypass(parts.netloc.rpartition("@")[2]):
        return ""
    proxies = getproxies()
    proxy = proxies.get(parts.scheme) or proxies.get("all", "")
    if proxy.startswith("socks://"):  # as desktops write it
        return proxy.replace("socks://", "socks5://", 1)
    return proxy if not proxy or "://" in proxy else f"http://{proxy}"


def is_this_machine(host: str) -> bool:
    """Whether a host is the loopback of this machine, which no proxy can reach."""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def usable_proxy(url: str) -> str:
    """`proxy_for` where its kind is one that can be used.

    Raises:
        DesktopError: it is not; says which proxy and what to do.
    """
    proxy = proxy_for(url)
    scheme = urlsplit(proxy).scheme.lower()
    if not scheme.startswith("socks") or (scheme in _SOCKS and HAS_SOCKS):
        return proxy
    raise DesktopError(
        translatable(
            "the proxy {proxy} uses a kind of SOCKS that is not supported", proxy=shown_proxy(proxy)
        ),
        remedy=translatable(
            "Use an HTTP or SOCKS5 proxy instead, or add the server's host to NO_PROXY."
        ),
    )


def shown_proxy(proxy: str) -> str:
    """A proxy without the user and the password of its address."""
    parts = urlsplit(proxy)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"


class Connections(httpx2.AsyncBaseTransport):
    """Connections for one client, each by the proxy of its address; made when they are needed."""

    def __init__(
        self,
        verify: ssl.SSLContext,
        *,
        http2: bool = False,
        socket_options: Sequence[tuple[int, int, int]] | None = None,
    ) -> None:
        """Args: verify: for TLS. http2, socket_options: see `httpx2.AsyncHTTPTransport`."""
        self._verify, self._http2, self._options = verify, http2, socket_options
        self._ways: dict[str, httpx2.AsyncHTTPTransport] = {}

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        proxy = usable_proxy(str(request.url))
        if (way := self._ways.get(proxy)) is None:
            way = self._ways[proxy] = httpx2.AsyncHTTPTransport(
                verify=self._verify,
                http2=self._http2,
                proxy=proxy or None,
                socket_options=self._options,
            )
        return await way.handle_async_request(request)

    async def aclose(self) -> None:
        ways, self._ways = self._ways, {}
        for way in ways.values():
            await way.aclose()
