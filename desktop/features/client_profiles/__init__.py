"""What other MCP clients make of a server: its names, schemas and results as their models get them.

Needed by people who write servers: a server that works in the Inspector may be cut, renamed or
refused in the client of its users, and no client says so.
"""
