"""Connections to MCP servers and the service that holds them. Alone imports the SDK's client."""
