"""The presets of a sandbox, and which hosts one may name.

Imports next to nothing: every command of the terminal waits for it.
"""

from __future__ import annotations

import ipaddress
from typing import TYPE_CHECKING, Final, Literal, TypeAlias, cast, get_args

from desktop.base.later_patterns import compile_later
from desktop.base.loopback import is_this_machine
from desktop.base.translatable import translatable

if TYPE_CHECKING:
    from collections.abc import Sequence

SandboxPreset: TypeAlias = Literal["off", "folders", "no-network", "strict"]
PRESETS: Final[tuple[SandboxPreset, ...]] = get_args(SandboxPreset)
MAX_HOSTS: Final = 100
MAX_PORTS: Final = 16
"""Different ones in all: each has a listener before the server."""
_HOST: Final = compile_later(
    r"(?:\*\.)?(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
    r"(?::(?P<port>[1-9][0-9]{0,4}))?"
)


def check_network(value: object) -> object:
    """Accept true, false, None, or a list of hosts; an empty one is no network.

    Raises:
        ValueError: it is none of these, in words that finish a sentence.
    """
    if value is None or isinstance(value, bool):
        return value
    if not isinstance(value, list | tuple) or not all(
        isinstance(each, str) for each in cast("Sequence[object]", value)
    ):
        raise ValueError(translatable("must be true, false, or a list of hosts"))
    hosts = tuple(dict.fromkeys(map(check_host, cast("Sequence[str]", value))))
    if len(hosts) > MAX_HOSTS or len({host.partition(":")[2] for host in hosts}) > MAX_PORTS:
        raise ValueError(
            translatable("may have at most {hosts} hosts and {ports} different ports",
                         hosts=MAX_HOSTS, ports=MAX_PORTS)
        )  # fmt: skip
    return hosts or False


def check_host(text: str) -> str:
    """The host as it is compared: `api.github.com`, `*.github.com`, `db.example.com:5432`.

    Raises:
        ValueError: it is an address, or a name of this machine, or no name of a host.
    """
    host = text.strip().lower().rstrip(".")
    name = host.partition(":")[0].removeprefix("*.")
    if is_this_machine(name) or _is_address(host):
        raise ValueError(
            translatable(
                "has {host!r}: only names of hosts on the internet can be listed, no addresses and "
                "nothing of this machine",
                host=text[:100],
            )
        )
    match = _HOST.fullmatch(host)
    if match is None or len(name) > 253 or int(match["port"] or 1) > 65_535:
        raise ValueError(
            translatable(
                "has {host!r}, which is no host: write it as api.example.com, *.example.com or "
                "db.example.com:5432",
                host=text[:100],
            )
        )
    return host


def _is_address(host: str) -> bool:
    for text in (host, host.rpartition(":")[0]):
        try:
            ipaddress.ip_address(text.strip("[]"))
        except ValueError:
            continue
        return True
    return False
