"""Connections to MCP servers and the service that holds them.

The only importer of the SDK's client.
"""
