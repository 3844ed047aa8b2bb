"""The proxy that the environment names for an address, so that an error can name it as well.

The HTTP client reads the same variables by itself. Must not show what a proxy's address has in it
of user and password.
"""

from __future__ import annotations

from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass


def proxy_for(url: str) -> str:
    """The address of the proxy on the way to `url`, as it is written; empty where there is none."""
    parts = urlsplit(url)
    if proxy_bypass(parts.netloc.rpartition("@")[2]):
        return ""
    proxies = getproxies()
    proxy = proxies.get(parts.scheme) or proxies.get("all", "")
    return proxy if not proxy or "://" in proxy else f"http://{proxy}"


def is_socks(proxy: str) -> bool:
    return proxy.lower().startswith("socks")


def shown_proxy(proxy: str) -> str:
    """A proxy without the user and the password of its address."""
    parts = urlsplit(proxy)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"
