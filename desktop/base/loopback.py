"""Whether a host is this machine itself, as an address names it. Asks no resolver."""

from __future__ import annotations

import ipaddress


def is_loopback(host: str) -> bool:
    """Whether nobody between here and there can read or change what is sent to this host."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def is_this_machine(host: str) -> bool:
    """The same, and names below `localhost`, which some resolvers ask others about (RFC 6761)."""
    return is_loopback(host) or host.endswith(".localhost")
