"""A tool that can be run, and the adapter that runs one of the service's servers' tools.

An adapter only transports: it neither validates nor limits beyond what it is told. Its registry
key is `server:tool`. Must not keep a result.

The parameters of a tool as a flat list, for whoever shows or compares them.

Reads the top level alone: the form and the validation use the whole schema.

A tool of a server that one session started for itself, and the adapter that runs it.

Such a server is reached over a connection of its own, beside the `McpService`, and ends with the
session (see `direct_servers`). Must not start or end it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, cast

from desktop.tool_types import EMPTY

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from desktop.servers.connection import ServerConnection
    from desktop.servers.service import McpService
    from desktop.tool_types import JsonObject, Progress, ToolDefinition, ToolResult, ValidationIssue


@dataclass(frozen=True, slots=True)
class Parameter:
    """One top-level parameter of a tool, as a list of parameters shows it.

    `has_default` tells a default of None from no default.
    """

    name: str
    type: str
    description: str = ""
    required: bool = False
    enum: tuple[Any, ...] = ()
    default: Any = None
    has_default: bool = False


def parameters(schema: JsonObject) -> tuple[Parameter, ...]:
    """The top-level parameters of an input schema, in its order; odd parts are passed over."""
    properties: object = schema.get("properties")
    required: object = schema.get("required")
    if not isinstance(properties, dict):
        return ()
    needed = _items(required)
    return tuple(
        _parameter(name, spec, needed=name in needed)
        for name, spec in cast("Mapping[str, object]", properties).items()
    )


def _parameter(name: str, spec: object, *, needed: bool) -> Parameter:
    fields = cast("Mapping[str, object]", spec) if isinstance(spec, dict) else EMPTY
    description = fields.get("description")
    return Parameter(
        name=name,
        type=" | ".join(str(kind) for kind in _items(fields.get("type", "any"))),
        description=description if isinstance(description, str) else "",
        required=needed,
        enum=tuple(_items(fields["enum"])) if "enum" in fields else (),
        default=fields.get("default"),
        has_default="default" in fields,
    )


def _items(value: object) -> list[object]:
    return cast("list[object]", value) if isinstance(value, list) else [value]


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


class DirectMcpToolAdapter(ServerTool):
    """A tool of a session's own server; holds the connection and nothing else."""

    __slots__ = ("connection",)

    def __init__(self, connection: ServerConnection, definition: ToolDefinition) -> None:
        super().__init__(definition)
        self.connection = connection

    async def execute(
        self,
        arguments: JsonObject,
        *,
        call_id: str = "",
        timeout: float | None = None,
        on_progress: Callable[[Progress], None] | None = None,
    ) -> ToolResult:
        """Run it as `McpToolAdapter` does; every failure is a result, the session's end too."""
        return await self.connection.call_tool(
            self.definition.name, arguments, timeout=timeout, on_progress=on_progress
        )
