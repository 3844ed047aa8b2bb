"""Tools that can be run: the adapters for a server's tools, and what every tool has in common.

An adapter finds its server's connection and hands the call on. It checks nothing before a call and
keeps no result: the executor validates, asks and limits.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Protocol, cast

from msgspec import Struct

from desktop.tools.validation.quick_check import quick_check
from desktop.values.tool_types import EMPTY, ToolDefinition

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from desktop.servers.connection import ServerConnection
    from desktop.servers.service import McpService
    from desktop.values.tool_types import JsonObject, Progress, ToolResult, ValidationIssue


class Parameter(Struct, frozen=True):
    """One top-level parameter of a tool, for lists of parameters.

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
    """Anything that has a definition, belongs to a server and can be executed."""

    @property
    def definition(self) -> ToolDefinition: ...
    def get_server_name(self) -> str: ...
    def get_original_tool_name(self) -> str: ...
    def validate(self, arguments: JsonObject) -> list[ValidationIssue]: ...

    async def execute(
        self,
        arguments: JsonObject,
        *,
        call_id: str = "",
        timeout: float | None = None,
        on_progress: Callable[[Progress], None] | None = None,
    ) -> ToolResult: ...


class DefinedTool:
    """What follows from a tool's definition alone, however the tool is executed."""

    definition: ToolDefinition
    _quick_check: tuple[JsonObject, Callable[[JsonObject], bool] | None] | None = None
    """Made of the schema beside it, at the first call."""

    @property
    def name(self) -> str:
        """The registry key, `server:tool`."""
        return self.definition.key

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        return parameters(self.definition.input_schema)

    def get_server_name(self) -> str:
        """The server's name in the config; tools are grouped and calls are limited by it."""
        return self.definition.server

    def get_original_tool_name(self) -> str:
        """The name that the server itself gave the tool."""
        return self.definition.name

    def validate(self, arguments: JsonObject) -> list[ValidationIssue]:
        """All errors and warnings of the arguments by the tool's own schema."""
        schema = self.definition.input_schema
        if self._quick_check is None or self._quick_check[0] is not schema:
            self._quick_check = (schema, quick_check(schema))
        surely_fits = self._quick_check[1]
        if surely_fits is not None and surely_fits(arguments):
            return []
        from desktop.tools.validation import validate  # jsonschema: not before it is needed

        return validate(schema, arguments)


class _ServerTool(DefinedTool):
    """A tool that runs at a server; subclasses know the connection to it."""

    def __init__(self, definition: ToolDefinition) -> None:
        self.definition = definition

    def _find_connection(self) -> ServerConnection:
        raise NotImplementedError

    async def execute(
        self,
        arguments: JsonObject,
        *,
        call_id: str = "",
        timeout: float | None = None,
        on_progress: Callable[[Progress], None] | None = None,
    ) -> ToolResult:
        """Run the tool; every failure of the call is a result.

        Args:
            arguments: sent as they are.
            call_id: names the call in its progress and in the log.
            timeout: seconds without answer or progress; None for the server's own, 120 unless set.
            on_progress: called at each sign of progress.

        Raises:
            ServerError: the service has no server of this name any more.
        """
        call = self._find_connection().call_tool
        if self.definition.execution.get("taskSupport") == "required":
            from desktop.servers.task_calls import call_as_task  # few tools are tasks

            call = partial(call_as_task, self._find_connection())
        return await call(
            self.get_original_tool_name(),
            arguments,
            call_id=call_id,
            timeout=timeout,
            on_progress=on_progress,
        )


class McpToolAdapter(_ServerTool):
    """A tool of a user-configured server, reached through the one `McpService`."""

    def __init__(self, service: McpService, definition: ToolDefinition) -> None:
        super().__init__(definition)
        self._service = service

    def _find_connection(self) -> ServerConnection:
        # At each call: a server may be removed and added again while the adapter is held.
        return self._service.connection(self.get_server_name())


def wrap_mcp_tool(service: McpService, definition: ToolDefinition) -> McpToolAdapter:
    """Make a tool that one of the service's servers listed executable."""
    return McpToolAdapter(service, definition)


def wrap_unlisted_tool(service: McpService, key: str) -> McpToolAdapter | None:
    """Make a tool executable that its server may have although it does not list it.

    Args:
        service: the servers.
        key: `server:tool`.

    Returns:
        The tool, with nothing known of its arguments. None where the server is not connected, or a
        person has switched the tool off.
    """
    server, _, name = key.partition(":")
    connection = service.connections.get(server)
    if connection is None or not connection.is_connected:
        return None
    if not name or not connection.config.offers(name):
        return None
    return wrap_mcp_tool(service, ToolDefinition(server, name))


class DirectMcpToolAdapter(_ServerTool):
    """A tool of a server that one session started for itself; holds that server's connection.

    Must not start or end the server: `DirectConnections` does.
    """

    def __init__(self, connection: ServerConnection, definition: ToolDefinition) -> None:
        super().__init__(definition)
        self.connection = connection

    def _find_connection(self) -> ServerConnection:
        return self.connection
