"""Reads a resource of any server, and words what a read brought as a chat takes it. Knows no Qt."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.base.errors import ServerError
from desktop.gui.results.structured import content_text
from desktop.values.resource_types import ReadResult
from desktop.values.tool_types import ErrorCode, ToolError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from desktop.servers.service import McpService


class ResourceReading:
    """Asks a server for what a link of one of its results leads to."""

    def __init__(self, service: McpService) -> None:
        self._service = service

    async def __call__(self, server: str, uri: str, /) -> ReadResult:
        try:
            connection = self._service.connection(server)
        except ServerError as error:
            return ReadResult(error=ToolError("ServerError", str(error), ErrorCode.UNREACHABLE))
        return await connection.resources.read(uri)


def has_text(read: ReadResult) -> bool:
    """Whether there is anything to quote."""
    return any(content_text(block) for block in read.contents)


def quotation(server: str, uri: str, read: ReadResult) -> str:
    """The texts of a resource for a question to a model, with where they are from."""
    return "\n".join(_quoted(server, uri, read))


def _quoted(server: str, uri: str, read: ReadResult) -> Iterator[str]:
    for block in read.contents:
        if text := content_text(block)[:]:
            yield f'<resource server="{server}" uri="{block.uri or uri}">\n{text}\n</resource>'
