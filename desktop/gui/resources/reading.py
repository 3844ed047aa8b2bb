"""Reads a resource of any server. Knows no Qt."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.base.errors import ServerError
from desktop.gui.results.structured import content_text
from desktop.values.resource_types import ReadResult
from desktop.values.tool_types import ErrorCode, ToolError

if TYPE_CHECKING:
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
