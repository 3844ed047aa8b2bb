"""Signing in to servers at a URL: OAuth 2.1, as the specification of MCP says."""
