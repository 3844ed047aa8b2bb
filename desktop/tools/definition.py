"""What a tool says of itself, neutral of protocol and provider. Holds; decides nothing.

Source: MCP specification 2025-11-25 and 2026-07-28, server/tools, type `Tool`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

JsonObject: TypeAlias = Mapping[str, Any]
"""JSON Schema and arguments: the only places where `Any` is allowed."""

EMPTY: JsonObject = {}


@dataclass(frozen=True, slots=True)
class Annotations:
    """The server's hints about a tool: untrusted, and None where it says nothing."""

    read_only: bool | None = None
    destructive: bool | None = None
    idempotent: bool | None = None
    open_world: bool | None = None


@dataclass(frozen=True, slots=True)
class Metadata:
    """What a server may add to a tool; read from `_meta` where it is there, kept whole in `raw`."""

    version: str = ""
    author: str = ""
    tags: tuple[str, ...] = ()
    raw: JsonObject = field(default_factory=dict[str, Any])


@dataclass(frozen=True, slots=True)
class ToolDefinition:
    """One tool of one server, as the server declared it.

    `input_schema` and `output_schema` are the server's own objects and are never changed: the form
    and the validation use them as they are, converters work on copies.
    """

    server: str
    name: str
    title: str = ""
    description: str = ""
    category: str = ""
    input_schema: JsonObject = field(default_factory=dict[str, Any])
    output_schema: JsonObject | None = None
    annotations: Annotations = Annotations()
    icons: tuple[JsonObject, ...] = ()
    metadata: Metadata = Metadata()
    execution: JsonObject = field(default_factory=dict[str, Any])

    @property
    def key(self) -> str:
        """`server:tool`, unique in a registry; split at the first colon, server names have none."""
        return f"{self.server}:{self.name}"

    @property
    def label(self) -> str:
        """What a person reads: the title, or the name."""
        return self.title or self.name
