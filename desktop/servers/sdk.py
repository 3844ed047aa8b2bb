"""The names that the connections use of the package `mcp`; nothing else imports it at run time.

So it is imported once, in the way that `desktop.patches` makes cheap. Must hold no code of ours.
"""

from __future__ import annotations

from desktop.patches import import_mcp_client

import_mcp_client()  # before the imports below, which would bring the SDK's server along

from mcp import Client, MCPError  # noqa: E402
from mcp.client.sse import sse_client  # noqa: E402
from mcp.client.streamable_http import streamable_http_client  # noqa: E402
from mcp.shared.message import SessionMessage  # noqa: E402

__all__ = ["Client", "MCPError", "SessionMessage", "sse_client", "streamable_http_client"]
