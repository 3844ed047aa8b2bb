"""A tool that can be run, and the adapter that runs one of the service's servers' tools.

The adapter only transports: it neither validates nor limits beyond what it is told. Its registry
key is `server:tool`. Must not keep a result.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, cast

from desktop.tools.definition import EMPTY
from desktop.tools.validation import validate

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from desktop.servers.service import McpService
    from desktop.tools.call import Progress
    from desktop.tools.definition import JsonObject, ToolDefinition
    from desktop.tools.issue import ValidationIssue
    from desktop.tools.result import ToolResult


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


class McpToolAdapter:
    """A tool of a user-configured server, reached through the one `McpService`."""

    __slots__ = ("_service", "definition")

    def __init__(self, service: McpService, definition: ToolDefinition) -> None:
        self._service = service
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
        return validate(self.definition.input_schema, arguments)

    async def execute(
        self,
        arguments: JsonObject,
        *,
        call_id: str = "",
        timeout: float | None = None,
        on_progress: Callable[[Progress], None] | None = None,
    ) -> ToolResult:
        """Run it; every failure is a result. `timeout` in seconds, None for the server's own."""
        return await self._service.call_tool(
            self.definition.server,
            self.definition.name,
            arguments,
            timeout=timeout,
            on_progress=on_progress,
        )


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
