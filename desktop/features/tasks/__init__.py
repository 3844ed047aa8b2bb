"""MCP tasks: what servers keep of calls that run as tasks, listed, fetched and ended.

A call that a tool wants as a task is run as one without this, too.
Source: MCP specification 2025-11-25, basic/utilities/tasks.

Needed by people who use or write servers whose calls take minutes.
"""
