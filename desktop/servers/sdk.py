"""The names that the connections use of the package `mcp`; only `transport.http_sdk` has others.

Nothing else imports it at run time, so its patches are in place wherever it is used. Must hold no
code of ours.
"""

from __future__ import annotations

from mcp import Client, InputRequiredRoundsExceededError, MCPError
from mcp.client.extension import advertise
from mcp.shared.message import SessionMessage

from desktop.patches import know_later_fields, replace_model_checks, shorten_discovery
from desktop.servers.repair import answer_repair

replace_model_checks(answer_repair.repairing_results, answer_repair.repairing_notifications)
know_later_fields()
shorten_discovery()

__all__ = [
    "Client",
    "InputRequiredRoundsExceededError",
    "MCPError",
    "SessionMessage",
    "advertise",
]
