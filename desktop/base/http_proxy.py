"""The proxy that the environment names for an address: one policy for all that speaks HTTP.

That of the address's scheme, else that for all, SOCKS among them; none for this machine, whatever
the variables say. An app that was started from an icon has no such variables: those of the login
shell stand in. Looked up for each request, so that one that cannot be used stops those alone that
need it. Must not show what a proxy's address has in it of user and password. The connections
themselves are made in `desktop.base.bounded_http`.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from desktop.base.errors import DesktopError
from desktop.base.loopback import is_this_machine
from desktop.base.translatable import translatable

if TYPE_CHECKING:
    from collections.abc import Mapping

HAS_SOCKS: Final = find_spec("socksio") is not None
_SOCKS: Final = ("socks5", "socks5h")
PROXY_FAULTS: Final = frozenset((407, 502, 503, 504))
"""Statuses that a proxy on the way may have answered in the place of the server."""


def proxy_for(url: str) -> str:
    """The address of the proxy on the way to `url`, as it is written; empty where there is none."""
    parts = urlsplit(url)
    if is_this_machine(parts.hostname or ""):
        return ""
    from urllib.request import getproxies, proxy_bypass  # brings http.client: 3 MB

    host = parts.netloc.rpartition("@")[2]
    proxies = getproxies()
    if not proxies and (proxies := _of_shell):
        is_direct = _is_named(parts.hostname or "", proxies.get("no", ""))
    else:
        is_direct = bool(proxy_bypass(host))
    if is_direct:
        return ""
    proxy = proxies.get(parts.scheme) or proxies.get("all", "")
    if proxy.startswith("socks://"):  # as desktops write it
        return proxy.replace("socks://", "socks5://", 1)
    return proxy if not proxy or "://" in proxy else f"http://{proxy}"


def _is_named(host: str, exceptions: str) -> bool:
    names = [name.strip().lower().lstrip(".") for name in exceptions.split(",")]
    return "*" in names or any(name and f".{host}".endswith(f".{name}") for name in names)


_of_shell: dict[str, str] = {}


def use_shell(variables: Mapping[str, str]) -> None:
    """Take the proxies of the login shell where the environment has none."""
    _of_shell.clear()
    for name, value in variables.items():
        kind, _, end = name.lower().rpartition("_")
        if end == "proxy" and value:
            _of_shell[kind] = value


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
