"""What the gateway says of itself to a client's model: its own words, and those of its servers.

Bounded, so that one server's words do not crowd out the others'. Must not wait for a server.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

    from desktop.servers.connection import ServerConnection

MAX_LENGTH: Final = 2_000
"""Characters of one server's instructions."""
MAX_TOTAL: Final = 12_000
"""Characters of all; further servers are left out."""
_OWN: Final = (
    "Tools of several MCP servers. A tool is named mcp__SERVER__TOOL; the list changes when servers"
    " are switched on or off."
)


def join_instructions(connections: Iterable[ServerConnection]) -> str:
    """Ours, then those of each server that has any, under its name."""
    parts = [_OWN]
    length = len(_OWN)
    for connection in connections:
        if not (words := connection.about.instructions.strip()):
            continue
        cut = words if len(words) <= MAX_LENGTH else f"{words[:MAX_LENGTH].rstrip()} …"
        part = f"## Server {connection.name}\n{cut}"
        length += len(part)
        if length > MAX_TOTAL:
            break
        parts.append(part)
    return "\n\n".join(parts)
