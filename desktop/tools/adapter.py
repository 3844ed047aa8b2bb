"""A tool that can be run, and the adapter that runs one of the service's servers' tools.

An adapter only transports: it neither validates nor limits beyond what it is told. Its registry
key is `server:tool`. Must not keep a result.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from desktop.tools.parameters import parameters

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop.servers.service import McpService
    from desktop.tool_types import JsonObject, Progress, ToolDefinition, ToolResult, ValidationIssue
    from desktop.tools.parameters import Parameter


class Tool(Protocol):
    """Anything that has a definition and can be executed."""

    @property
    def definition(self) -> ToolDefinition: ...

    async def execute(
        self,
        arguments: JsonObject,
        *,
        call_id: str = "",
        timeout: float | None = None,
        on_progress: Callable[[Progress], None] | None = None,
    ) -> ToolResult: ...


class ServerTool:
    """What a tool of a server says of itself, whichever way it is reached."""

    __slots__ = ("definition",)

    def __init__(self, definition: ToolDefinition) -> None:
        self.definition = definition

    @property
    def name(self) -> str:
        """The registry key, `server:tool`."""
        return self.definition.key

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        return parameters(self.definition.input_schema)

    def get_server_name(self) -> str:
        return self.definition.server

    def get_original_tool_name(self) -> str:
        return self.definition.name

    def validate(self, arguments: JsonObject) -> list[ValidationIssue]:
        """What is wrong with the arguments by the tool's schema; the executor asks the same."""
        from desktop.tools.validation import validate  # jsonschema: not before it is needed

        return validate(self.definition.input_schema, arguments)


class McpToolAdapter(ServerTool):
    """A tool of a user-configured server, reached through the one `McpService`."""

    __slots__ = ("_service",)

    def __init__(self, service: McpService, definition: ToolDefinition) -> None:
        super().__init__(definition)
        self._service = service

    async def execute(
        self,
        arguments: JsonObject,
        *,
        call_id: str = "",
        timeout: float | None = None,
        on_progress: Callable[[Progress], None] | None = None,
    ) -> ToolResult:
        """Run it; every failure of the call is a result.

        Args:
            arguments: sent as they are.
            call_id: the caller's own; the protocol numbers its requests itself.
            timeout: seconds without answer or progress; None for the server's own, 120 unless set.
            on_progress: told of each sign of progress.

        Raises:
            ServerError: there is no server of this name any more.
        """
        return await self._service.call_tool(
            self.definition.server,
            self.definition.name,
            arguments,
            timeout=timeout,
            on_progress=on_progress,
        )


def wrap_mcp_tool(service: McpService, definition: ToolDefinition) -> McpToolAdapter:
    """A tool that one of the service's servers listed, as a `Tool` that can be run."""
    return McpToolAdapter(service, definition)
