"""The names that connections to a URL use of the package `mcp`, as `desktop.servers.sdk`.

Apart from those because they bring the HTTP client. Must hold no code of ours.
"""

from __future__ import annotations

from mcp.client.sse import sse_client
from mcp.client.streamable_http import streamable_http_client

from desktop.patches.sdk import replace_http_checks
from desktop.servers.repair.message_repair import repairing_messages
from desktop.servers.transport.http_tool_list import leaving_lists_unread

replace_http_checks(lambda read: leaving_lists_unread(repairing_messages(read)))

__all__ = ["sse_client", "streamable_http_client"]
