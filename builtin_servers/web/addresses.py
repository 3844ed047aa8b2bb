"""Which addresses may be reached: those of the public internet, unless the person said otherwise.

A name is resolved once, every address it has is checked, and the connection goes to that very
address: a name that answers differently the second time (DNS rebinding) gains nothing.
"""

from __future__ import annotations

import ipaddress
import socket

from builtin_servers.call import ToolError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Address = ipaddress.IPv4Address | ipaddress.IPv6Address
    Resolve = Callable[[str, int], list[tuple[int, str]]]
    """Host and port to address family and address."""

# Reached from inside of clouds only, though their addresses look public.
_METADATA = {ipaddress.ip_address("168.63.129.16")}
_NAT64 = ipaddress.ip_network("64:ff9b::/96")
# Python 3.11 takes these for global.
_SPECIAL = [ipaddress.ip_network(text) for text in ("192.0.0.0/24", "64:ff9b:1::/48", "fec0::/10")]
_COMPATIBLE = ipaddress.ip_network("::/96")


def resolve(host: str, port: int) -> list[tuple[int, str]]:
    """The addresses of a name as the system knows them. Raises `ToolError`."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise ToolError(f"The host {host[:200]!r} was not found") from error
    return list(dict.fromkeys((int(one[0]), str(one[4][0])) for one in found))


class Addresses:
    """Finds the addresses of hosts and refuses those that are not public."""

    def __init__(self, *, allow_private: bool = False, resolve: Resolve = resolve) -> None:
        self._allow_private = allow_private
        self._resolve = resolve

    def find(self, host: str, port: int) -> list[tuple[int, str]]:
        """The addresses to connect to. Raises `ToolError` where one of them is not public."""
        found = self._resolve(host, port)
        for _, address in found:
            if not self._allow_private and not is_public(address):
                raise ToolError(
                    f"{host[:200]} is {address}, which is this computer or a private network. "
                    "Such addresses are fetched only when the server is started with "
                    "--allow-private"
                )
        return found


def is_public(text: str) -> bool:
    """Whether an address, and every address hidden in it, is one of the public internet."""
    try:
        address = ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return False
    if address in _METADATA or address.is_multicast or not address.is_global:
        return False
    if any(address in network for network in _SPECIAL):
        return False
    return all(is_public(str(inner)) for inner in _hidden_in(address))


def _hidden_in(address: Address) -> list[ipaddress.IPv4Address]:
    """The IPv4 addresses that an IPv6 address leads to: mapped, 6to4, Teredo, NAT64."""
    if isinstance(address, ipaddress.IPv4Address):
        return []
    found = [address.ipv4_mapped, address.sixtofour, *(address.teredo or ())]
    if address in _NAT64 or address in _COMPATIBLE:
        found.append(ipaddress.IPv4Address(int(address) & 0xFFFFFFFF))
    return [one for one in found if one is not None]
