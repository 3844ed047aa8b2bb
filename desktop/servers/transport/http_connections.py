"""The connections that a server at a URL is reached by: proxy, TLS, and whether they still live.

A server says nothing for hours, and after a sleep of the computer, or behind a router that forgot,
its connection is dead without a word: TCP is asked to look, so that whoever waits learns of it.

Trusted is whom the system trusts, and what `SSL_CERT_FILE` names. `"tls"` of a server's config adds
an authority (`ca`), and a certificate of this machine (`cert`, `key`), all as PEM files. There is
no way to trust everybody.
"""

from __future__ import annotations

import socket
import ssl
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final

import httpx2

from desktop.base.bounded_http import Connections
from desktop.base.errors import DesktopError
from desktop.base.http_proxy import usable_proxy
from desktop.base.translatable import translatable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from desktop.config.models import ServerConfig

IDLE: Final = 30
"""Seconds of silence until TCP looks whether the other side lives."""
BETWEEN, LOOKS = 10, 3
"""Seconds between two looks, and how many may be without an answer."""
UNHEARD: Final = 60_000
"""Milliseconds that what was sent may wait for its receipt."""


def _options() -> Iterator[tuple[int, int, int]]:
    """What is asked of TCP, as far as the system knows it; others look after hours."""
    yield socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1
    wanted = {
        "TCP_KEEPIDLE": IDLE,
        "TCP_KEEPALIVE": IDLE,  # the same, as macOS calls it
        "TCP_KEEPINTVL": BETWEEN,
        "TCP_KEEPCNT": LOOKS,
        "TCP_USER_TIMEOUT": UNHEARD,
    }
    for name, value in wanted.items():
        if (option := getattr(socket, name, None)) is not None:
            yield socket.IPPROTO_TCP, option, value


KEEPALIVE: Final = tuple(_options())


def connections_to(config: ServerConfig) -> Connections:
    """What makes and keeps the connections to a server.

    Args:
        config: its variables replaced.

    Raises:
        DesktopError: its proxy or a file of its TLS cannot be used.
    """
    usable_proxy(config.url)
    return Connections(tls_context(config), http2=HAS_HTTP2, socket_options=KEEPALIVE)


HAS_HTTP2: Final = find_spec("h2") is not None
"""Whether `mcp-desktop[http2]` is installed: servers that speak HTTP/2 are then spoken to so."""


def tls_context(config: ServerConfig, *, with_client: bool = True) -> ssl.SSLContext:
    """What connections to a server are made with.

    Args:
        config: its variables replaced.
        with_client: whether this machine may prove itself; to the server alone, and no other host.

    Raises:
        DesktopError: a file cannot be used.
    """
    context = httpx2.create_ssl_context()
    tls = config.tls
    if ca := tls.get("ca"):
        try:
            context.load_verify_locations(ca)
        except (OSError, ssl.SSLError) as error:
            raise _unusable("ca", ca, error) from error
    if with_client and (cert := tls.get("cert")):
        try:
            # Without a password OpenSSL would ask the terminal for one, and wait.
            context.load_cert_chain(cert, tls.get("key"), password=_no_password)
        except (OSError, ssl.SSLError) as error:
            raise _unusable("cert", cert, error) from error
    return context


def _no_password() -> str:
    raise ssl.SSLError("it has a password")


def _unusable(key: str, path: str, error: Exception) -> DesktopError:
    what = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return DesktopError(
        translatable(
            '"tls.{key}" is set to {path}, which cannot be used ({what})',
            key=key,
            path=path,
            what=what,
        ),
        remedy=translatable("Set a PEM file without a password; for cert, include its key."),
    )
