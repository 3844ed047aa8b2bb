"""The names that the gateway uses of the SDK's server; nothing else imports it at run time.

`desktop.servers.sdk` comes first: it imports the SDK's client without its server, which is imported
here, whole. Must hold no code of ours.
"""

from __future__ import annotations

from desktop.servers.sdk import MCPError, SessionMessage  # isort: skip - first, see above

from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import NotificationOptions, Server
from mcp.server.runner import serve_loop
from mcp.server.session import ServerSession
from mcp.server.subscriptions import (
    InMemorySubscriptionBus,
    ListenHandler,
    PromptsListChanged,
    ResourcesListChanged,
    ResourceUpdated,
    ToolsListChanged,
)
from mcp.shared.message import ServerMessageMetadata

__all__ = [
    "InMemorySubscriptionBus",
    "ListenHandler",
    "MCPError",
    "NotificationOptions",
    "PromptsListChanged",
    "ResourceUpdated",
    "ResourcesListChanged",
    "Server",
    "ServerMessageMetadata",
    "ServerRequestContext",
    "ServerSession",
    "SessionMessage",
    "ToolsListChanged",
    "serve_loop",
]
