"""The enabled servers as one MCP server for other programs, and its entry in the files of those.

Needed by people who use the same servers in several apps, and want to switch, approve and see what
is called in one place.
"""
