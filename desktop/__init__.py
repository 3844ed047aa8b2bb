"""mcp-desktop: a native desktop host for MCP servers.

Imports nothing, so that starting stays cheap.
"""

__version__ = "0.1.0"
