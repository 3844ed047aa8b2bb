"""How other clients spell what we know, and where in their files the servers are.

Facts only: no file is read or written here, and nothing is decided about a value that is wrong.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.errors import ConfigError
from desktop.translatable import join_and, translatable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from desktop.config.document import JsonObject
    from desktop.config.models import Transport

APP_KEY = "mcpDesktop"
WRAPPERS = ("mcpServers", "mcp_servers", "servers")
NOT_SERVERS = frozenset({*WRAPPERS, APP_KEY, "$schema", "inputs"})
SPELLINGS: dict[str, tuple[str, ...]] = {
    "transport": ("type", "transport", "transportType"),
    "command": ("command",),
    "builtin": ("builtin",),
    "args": ("args",),
    "env": ("env",),
    "cwd": ("cwd",),
    "url": ("url", "serverUrl", "baseUrl"),
    "headers": ("headers",),
    "timeout": ("timeout",),
    "connect_timeout": ("connectTimeout", "connect_timeout"),
    "disabled_tools": ("disabledTools", "disabled_tools"),
    "tool_rules": ("toolRules", "tool_rules"),
    "era": ("era", "protocolEra"),
}
"""Our name of a key to its spellings in files, ours first. On and off are apart: see `reading`."""
_TRANSPORTS: dict[str, Transport] = {
    "stdio": "stdio",
    "http": "http",
    "streamablehttp": "http",
    "sse": "sse",
}
_STARTS = ("command", "type", *SPELLINGS["url"])


def transport_named(spelling: str) -> Transport | None:
    """`streamable-http`, `streamableHttp`, `streamable_http` ... are all `http`."""
    return _TRANSPORTS.get(spelling.lower().replace("-", "").replace("_", ""))


def spellings_in(entry: Mapping[str, object], key: str) -> list[str]:
    return [spelling for spelling in SPELLINGS[key] if spelling in entry]


def infer_transport(entry: Mapping[str, object]) -> Transport | None:
    """What an entry without a type means, or None where it could mean both or nothing."""
    url = next((str(entry[key]) for key in SPELLINGS["url"] if entry.get(key)), "")
    if bool(url) == bool(entry.get("command") or entry.get("builtin")):
        return None
    if not url:
        return "stdio"
    return "sse" if url.split("?")[0].rstrip("/").endswith("/sse") else "http"


def find_wrapper(data: JsonObject) -> str | None:
    """The key that holds the servers; None where the file is a bare map of them or has none."""
    found = [key for key in WRAPPERS if key in data]
    if len(found) > 1:
        both = join_and(f'"{key}"' for key in found)
        raise ConfigError(
            translatable(
                "The file has both {both}: it is not clear which servers are meant", both=both
            ),
            remedy=translatable("Move all servers under one of them."),
        )
    return found[0] if found else None


def is_bare_map(data: JsonObject) -> bool:
    """Whether the top level itself holds servers: one looks like it, or all are objects."""
    rest = [value for key, value in data.items() if key not in NOT_SERVERS]
    return any(_looks_like_server(value) for value in rest) or (
        bool(rest) and all(isinstance(value, dict) for value in rest)
    )


def _looks_like_server(value: object) -> bool:
    return isinstance(value, dict) and any(key in value for key in _STARTS)


def find_entries(data: JsonObject) -> JsonObject:
    """The servers as written, by name; the very object inside `data`, except for a bare map."""
    wrapper = find_wrapper(data)
    if wrapper is None:
        return _bare_entries(data) if is_bare_map(data) else {}
    if data[wrapper] is None:
        return {}
    if not isinstance(data[wrapper], dict):
        raise ConfigError(
            translatable(
                '"{wrapper}" must be an object with one key per server name', wrapper=wrapper
            )
        )
    return data[wrapper]


def _bare_entries(data: JsonObject) -> JsonObject:
    return {
        key: value
        for key, value in data.items()
        if key not in NOT_SERVERS and isinstance(value, dict)
    }
