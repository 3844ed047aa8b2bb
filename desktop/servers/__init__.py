"""Connections to MCP servers and the service that holds them.

The only importer of the SDK's client.
"""

from desktop.patches.imports import import_mcp_lightly

import_mcp_lightly()  # before any module here imports the SDK
