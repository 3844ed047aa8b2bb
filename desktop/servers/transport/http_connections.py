"""The connections that a server at a URL is reached by: proxy, TLS, and whether they still live.

A server says nothing for hours, and after a sleep of the computer, or behind a router that forgot,
its connection is dead without a word: TCP is asked to look, so that whoever waits learns of it.
"""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING, Final

from desktop.base.bounded_http import Connections
from desktop.base.http_proxy import usable_proxy
from desktop.servers.transport.tls import HAS_HTTP2, tls_context

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
