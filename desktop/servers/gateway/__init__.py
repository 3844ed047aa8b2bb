"""The enabled servers as one MCP server for other programs, over stdio and loopback HTTP."""
