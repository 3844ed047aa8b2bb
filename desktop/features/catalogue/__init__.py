"""The catalogue: servers of the MCP registry, searched, added switched off, and kept up to date."""
