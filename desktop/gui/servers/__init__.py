"""The settings panel for MCP servers: list, details, and the dialog that adds and edits."""
