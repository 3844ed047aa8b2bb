"""Another MCP client that a run acts as: what it tells servers, and what its model gets of them.

Must not know a client: a feature gives one, and without it the run is itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Protocol, cast

if TYPE_CHECKING:
    from collections.abc import Iterable

    from desktop.values.tool_types import JsonObject, ToolDefinition, ToolResult, ValidationIssue

INFO: Final = "io.modelcontextprotocol/clientInfo"
CAPABILITIES: Final = "io.modelcontextprotocol/clientCapabilities"
"""Where a request says both since 2026-07-28. Source: MCP specification, basic, `_meta`."""


class ActingClient(Protocol):
    """One client. `label` is its name for a person, `version_asked` what it greets servers in."""

    @property
    def label(self) -> str: ...
    @property
    def info(self) -> JsonObject:
        """Its `clientInfo`."""
        ...

    @property
    def capabilities(self) -> JsonObject: ...
    @property
    def version_asked(self) -> str:
        """The version of the protocol in its greeting; empty where that is not known."""
        ...

    @property
    def speaks_modern(self) -> bool:
        """Whether it asks with `server/discover`, too."""
        ...

    def offered(self, tools: Iterable[ToolDefinition]) -> list[ToolDefinition]:
        """The tools that its model gets, under their own names, as they are described to it."""
        ...

    def wire_name(self, server: str, tool: str) -> str:
        """The name of a tool for its model."""
        ...

    def seen(self, result: ToolResult) -> tuple[ToolResult, tuple[ValidationIssue, ...]]:
        """A result as its model gets it, and a warning for what is lost."""
        ...


def params_of(client: ActingClient, method: str, params: JsonObject | None) -> JsonObject | None:
    """The params of a request as `client` would send them; the same object where nothing differs.

    Args:
        client: who asks.
        method: of the request.
        params: as this run would send them.
    """
    if method == "initialize":
        given = dict(params or {})
        asked = {"protocolVersion": client.version_asked} if client.version_asked else {}
        return {**given, **asked, "capabilities": client.capabilities, "clientInfo": client.info}
    meta: object = (params or {}).get("_meta")
    if params is None or not isinstance(meta, dict) or INFO not in meta:
        return params
    told = {**cast("dict[str, Any]", meta), INFO: client.info, CAPABILITIES: client.capabilities}
    return {**params, "_meta": told}
