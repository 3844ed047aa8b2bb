"""mcp-desktop: a native desktop host for MCP servers. Imports nothing: starting stays cheap."""

__version__ = "0.1.0"
