"""The names that the connections use of the package `mcp`; only `transport.http_sdk` has others.

Nothing else imports it at run time, so its patches are in place wherever it is used. Must hold no
code that does more than import.
"""

from __future__ import annotations

from importlib import import_module

from mcp import Client, InputRequiredRoundsExceededError, MCPError
from mcp.client.extension import advertise
from mcp.shared.message import SessionMessage
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS

from desktop.patches.sdk import know_later_fields, replace_model_checks, shorten_discovery
from desktop.servers.repair import answer_repair

replace_model_checks(
    answer_repair.repairing_results,
    answer_repair.repairing_notifications,
    answer_repair.repairing_requests,
)
know_later_fields()
shorten_discovery()


def import_handshake_models() -> None:
    """Import the models of the generation that most servers speak, if no server had them imported.

    Without it the loop would wait for them, some 50 ms, with the first answer that is not plain
    (`repair.plain_answers`) or the first message that is none. May run in a thread.
    """
    import_module(f"mcp_types._v{HANDSHAKE_PROTOCOL_VERSIONS[-1].replace('-', '_')}")


def import_http() -> None:
    """Import what a server at a URL needs, some 100 ms. May run in a thread."""
    for name in ("transport.http_transport", "oauth.auth"):
        import_module(f"desktop.servers.{name}")


__all__ = [
    "Client",
    "InputRequiredRoundsExceededError",
    "MCPError",
    "SessionMessage",
    "advertise",
    "import_handshake_models",
    "import_http",
]
