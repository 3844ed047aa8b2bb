"""Takes a URL apart and refuses what is none, or pretends to be another."""

from __future__ import annotations

from urllib.parse import quote, urljoin, urlsplit

from builtin_servers.call import ToolError

_LONGEST = 8000
_KEPT = "!#$%&'()*+,/:;=?@[]~"
_PORTS = {"http": 80, "https": 443}


class Url:
    """Where a request goes: `host` in ASCII without brackets, `target` as it is sent."""

    __slots__ = ("host", "port", "scheme", "target")

    def __init__(self, scheme: str, host: str, port: int, target: str) -> None:
        self.scheme = scheme
        self.host = host
        self.port = port
        self.target = target

    @property
    def origin(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        port = "" if self.port == _PORTS[self.scheme] else f":{self.port}"
        return f"{self.scheme}://{host}{port}"

    def __str__(self) -> str:
        return self.origin + self.target

    def join(self, location: str) -> Url:
        """Where a redirect leads. Raises `ToolError`."""
        return read_url(urljoin(str(self), location))


def read_url(text: str) -> Url:
    """Raises `ToolError` for anything but an http or https URL without a user's name in it."""
    url = text.strip()
    if len(url) > _LONGEST:
        raise ToolError(f"The URL has more than {_LONGEST} characters")
    if "\\" in url or any(ord(sign) <= 32 or ord(sign) == 127 for sign in url):
        raise ToolError("The URL has a space, a backslash or a control character")
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError as error:
        raise ToolError(f"This is not a URL: {error}") from error
    if parts.scheme not in _PORTS:
        raise ToolError("Only http:// and https:// URLs are fetched")
    if "@" in parts.netloc:
        raise ToolError("A URL with a user name or password before the host is not fetched")
    if not host:
        raise ToolError("The URL has no host")
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    default = _PORTS[parts.scheme]
    return Url(parts.scheme, _ascii(host), default if port is None else port, quote(target, _KEPT))


def _ascii(host: str) -> str:
    if host.isascii():
        return host
    try:
        return host.encode("idna").decode("ascii")
    except UnicodeError as error:
        raise ToolError(f"{host[:100]!r} is not a host") from error
