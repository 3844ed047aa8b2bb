"""mcp-desktop: a native desktop host for MCP servers.

`PUBLIC` is what a program may rely on from one release to the next (docs/library.md); all else may
change. Each name is imported at its first use: importing the package imports nothing, so that
starting stays cheap. Type checkers read the names in `__init__.pyi`.
"""

__version__ = "0.1.0"

_HOMES = {
    "AgentHost": "desktop.features.chat.host",
    "AgentSession": "desktop.features.chat.agent.session",
    "ApprovalQuestion": "desktop.tools.approvals",
    "ConfigError": "desktop.base.errors",
    "Content": "desktop.values.tool_types",
    "DesktopError": "desktop.base.errors",
    "ErrorCode": "desktop.values.tool_types",
    "LoadedTools": "desktop.tools.loader",
    "McpHost": "desktop.host",
    "McpProcessTracker": "desktop.processes.tracker",
    "ServerConfig": "desktop.config.models",
    "ServerError": "desktop.base.errors",
    "ToolCall": "desktop.values.tool_types",
    "ToolDefinition": "desktop.values.tool_types",
    "ToolError": "desktop.values.tool_types",
    "ToolResult": "desktop.values.tool_types",
    "TurnOutcome": "desktop.features.chat.agent.events",
    "UsageError": "desktop.base.errors",
}
PUBLIC = tuple(_HOMES)


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)
