"""The catalogue: servers of the MCP registry, searched, added switched off, and kept up to date.

Needed by people who look for a server, and do not have its README before them.
"""
