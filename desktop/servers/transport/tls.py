"""Whom a server at a URL is trusted by, and how this machine proves itself to it.

By itself whom the system trusts, and what `SSL_CERT_FILE` names. `"tls"` of a server's config adds
an authority (`ca`), and a certificate of this machine (`cert`, `key`), all as PEM files. There is
no way to trust everybody.
"""

from __future__ import annotations

import ssl
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final

import httpx2

from desktop.base.errors import DesktopError
from desktop.base.translatable import translatable

if TYPE_CHECKING:
    from desktop.config.models import ServerConfig

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
