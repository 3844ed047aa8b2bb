"""mcp-desktop: a native desktop host for MCP servers.

`PUBLIC` is what a program may rely on from one release to the next (docs/library.md); all else may
change. Each name is imported at its first use: importing the package imports nothing, so that
starting stays cheap. Type checkers read the names in `__init__.pyi`.
"""

__version__ = "0.1.0"

_HOMES = {
    "AgentSession": "agent.session",
    "ApprovalQuestion": "agent.events",
    "ConfigError": "base.errors",
    "Content": "values.tool_types",
    "DesktopError": "base.errors",
    "ErrorCode": "values.tool_types",
    "LoadedTools": "tools.loader",
    "McpHost": "host",
    "McpProcessTracker": "processes.tracker",
    "ServerConfig": "config.models",
    "ServerError": "base.errors",
    "ToolCall": "values.tool_types",
    "ToolDefinition": "values.tool_types",
    "ToolError": "values.tool_types",
    "ToolResult": "values.tool_types",
    "TurnOutcome": "agent.events",
    "UsageError": "base.errors",
}
PUBLIC = tuple(_HOMES)


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"desktop.{_HOMES[name]}"), name)
