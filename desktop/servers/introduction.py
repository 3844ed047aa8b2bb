"""What a server says of itself: asked for where the SDK does not ask, bounded, in our own words."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Final

import mcp_types as types
from mcp_types.version import LATEST_MODERN_VERSION
from pydantic import ValidationError

from desktop.servers.lists import dump_icons
from desktop.servers.sdk import MCPError
from desktop.servers.state import Capabilities, ServerInfo

if TYPE_CHECKING:
    from mcp import Client

    from desktop.values.tool_types import JsonObject

DISCOVER_TRIES: Final = 2
"""How often a server is asked what it has; one that is just starting does not answer the first."""
MAX_INFO_LENGTH: Final = 10_000
"""Characters kept of each text in which a server describes itself."""
MAX_ICONS: Final = 8
MAX_ICON_LENGTH: Final = 200_000
"""Characters of an icon's address, which holds the picture itself; a longer one is left out."""


async def discover(client: Client) -> bool:
    """Ask what the server has: where no era is probed, the SDK takes it to declare nothing.

    Returns:
        Whether it said so.
    """
    for _ in range(DISCOVER_TRIES):
        with contextlib.suppress(ValidationError):
            try:
                found = await client.session.send_discover(LATEST_MODERN_VERSION)
            except MCPError as error:
                if error.code == types.REQUEST_TIMEOUT:
                    continue
            else:
                client.session.adopt(types.DiscoverResult.model_validate(found))
                return True
        return False
    return False


def info_of(client: Client | None) -> ServerInfo:
    """What the server said of itself; empty without a client."""
    if client is None:
        return ServerInfo()
    info = client.server_info
    texts = (
        info.name if info else "",
        (info.title if info else None) or "",
        info.version if info else "",
        client.instructions or "",
        client.protocol_version,
    )
    return ServerInfo(*(text[:MAX_INFO_LENGTH] for text in texts), icons=_icons(info))


def _icons(info: types.Implementation | None) -> tuple[JsonObject, ...]:
    icons = (info.icons if info else None) or ()
    return dump_icons([icon for icon in icons[:MAX_ICONS] if len(icon.src) <= MAX_ICON_LENGTH])


def capabilities_of(client: Client | None) -> Capabilities:
    """What the server declares; nothing without a client."""
    if client is None:
        return Capabilities()
    declared = client.server_capabilities
    resources = declared.resources
    return Capabilities(
        tools=declared.tools is not None,
        resources=resources is not None,
        subscriptions=resources is not None and bool(resources.subscribe),
        prompts=declared.prompts is not None,
        completions=declared.completions is not None,
        logging=declared.logging is not None,
        tasks=_runs_tasks(declared),
        tool_changes=declared.tools is not None and bool(declared.tools.list_changed),
    )


def _runs_tasks(declared: types.ServerCapabilities) -> bool:
    """Whether tools can be called as tasks; up to 2025-11-25 alone."""
    requests = declared.tasks.requests if declared.tasks is not None else None
    tools = requests.tools if requests is not None else None
    return tools is not None and tools.call is not None
