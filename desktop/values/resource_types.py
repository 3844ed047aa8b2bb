"""The plain types of resources: what a server lists, and what a read of one brings.

They only hold values, as `desktop.values.tool_types` does: nothing reads, sends or expands. The
contents of a resource are the blocks of a tool's result, so that both are shown by the same code.
Source: MCP specification 2025-11-25 and 2026-07-28, server/resources.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct, field

if TYPE_CHECKING:
    from desktop.values.tool_types import Content, JsonObject, ToolError


class ResourceAnnotations(Struct, frozen=True):
    """For whom a resource is, how much it matters, and when it changed: the server's own words.

    `audience` has `user` and `assistant`, empty where it says nothing; `priority` goes from 0 to 1;
    `last_modified` is a text, mostly ISO 8601.
    """

    audience: tuple[str, ...] = ()
    priority: float | None = None
    last_modified: str = ""


class Resource(Struct, frozen=True):
    """One resource of one server. `size` is in bytes, None where it is not known.

    `uri` means something to its server alone, whatever its scheme: it is read by asking the server,
    and never fetched.
    """

    server: str
    uri: str
    name: str
    title: str = ""
    description: str = ""
    mime: str = ""
    size: int | None = None
    annotations: ResourceAnnotations = ResourceAnnotations()
    icons: tuple[JsonObject, ...] = ()
    meta: JsonObject = field(default_factory=dict[str, Any])

    @property
    def label(self) -> str:
        """What a person reads: the title, the name, or else the URI."""
        return self.title or self.name or self.uri


class ResourceTemplate(Struct, frozen=True):
    """A pattern of URIs (RFC 6570) that its server reads (see `desktop.base.uri_template`)."""

    server: str
    uri_template: str
    name: str
    title: str = ""
    description: str = ""
    mime: str = ""
    annotations: ResourceAnnotations = ResourceAnnotations()
    icons: tuple[JsonObject, ...] = ()
    meta: JsonObject = field(default_factory=dict[str, Any])

    @property
    def label(self) -> str:
        """What a person reads: the title, the name, or else the pattern."""
        return self.title or self.name or self.uri_template


class ReadResult(Struct, frozen=True):
    """What a read brought: one block or several, as one URI may stand for a folder.

    Each block is of the kind `resource`, with its own URI, its media type and either `text` or
    `data`. `error` says why there is nothing. `seconds` is the time from sending to the answer.
    """

    contents: tuple[Content, ...] = ()
    error: ToolError | None = None
    seconds: float = 0.0
    meta: JsonObject = field(default_factory=dict[str, Any])

    @property
    def is_error(self) -> bool:
        return self.error is not None
