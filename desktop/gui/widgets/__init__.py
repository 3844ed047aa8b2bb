"""Widgets and parts of widgets that several pages use. They know no page and nothing of MCP."""
