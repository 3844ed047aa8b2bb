"""What the connections use of the package `mcp`; nothing else imports it at run time.

See `desktop.servers.client_import` for why. Must hold no code of ours.
"""

from desktop.servers.client_import import import_client

import_client()

from mcp import Client, MCPError  # noqa: E402 - only now
from mcp.client.sse import sse_client  # noqa: E402
from mcp.client.streamable_http import streamable_http_client  # noqa: E402
from mcp.shared.message import SessionMessage  # noqa: E402

__all__ = ["Client", "MCPError", "SessionMessage", "sse_client", "streamable_http_client"]
