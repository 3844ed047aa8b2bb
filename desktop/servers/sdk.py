"""The names that the connections use of the package `mcp`; nothing else imports it at run time.

So it is imported once, in the way that `desktop.patches` makes cheap, and with its patches in
place. Must hold no code of ours.
"""

from __future__ import annotations

from desktop.patches import import_mcp_client, replace_model_checks, shorten_discovery

import_mcp_client()  # before the imports below, which would bring the SDK's server along

from mcp import Client, InputRequiredRoundsExceededError, MCPError  # noqa: E402
from mcp.client.sse import sse_client  # noqa: E402
from mcp.client.streamable_http import streamable_http_client  # noqa: E402
from mcp.shared.message import SessionMessage  # noqa: E402

from desktop.servers import answer_repair, message_repair  # noqa: E402

replace_model_checks(
    answer_repair.repairing_results,
    answer_repair.repairing_notifications,
    message_repair.repairing_messages,
)
shorten_discovery()

__all__ = [
    "Client",
    "InputRequiredRoundsExceededError",
    "MCPError",
    "SessionMessage",
    "sse_client",
    "streamable_http_client",
]
