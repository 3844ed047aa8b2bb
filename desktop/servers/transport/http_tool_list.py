"""Long lists of tools in the answers of a URL, given to the SDK in pages like those of a process.

The SDK parses an answer where nobody can tell whose it is. So a long list is left unread there
(`leaving_lists_unread`), and the connection that the message belongs to makes pages of it
(`begin_pages`), which the SDK asks for as it would ask the server (`PageWriter`). Must not send
anything of its own. Source: MCP specification, server/utilities/pagination.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mcp_types import JSONRPCResponse

from desktop.servers.message_log import envelope
from desktop.servers.sdk import SessionMessage
from desktop.servers.transport.message_stream import HEAD, LARGE, Stream, packed_tools

if TYPE_CHECKING:
    from collections.abc import Callable

    from mcp.client._transport import WriteStream
    from mcp_types import JSONRPCMessage

    from desktop.servers.repair.message_repair import JsonReader
    from desktop.servers.transport.message_stream import ToolListPager
    from desktop.servers.transport.packed_tool_list import PackedToolList

_UNREAD: Final = "mcp-desktop/unread"


class _Unread:
    """In the place of a result; no JSON is one."""

    def __init__(self, tools: PackedToolList) -> None:
        self.tools = tools


def leaving_lists_unread(read: JsonReader) -> JsonReader:
    """A reader of messages that reads of a long list no more than its first page."""

    def read_or_leave(data: str | bytes, /, *, by_name: bool | None = None) -> JSONRPCMessage:
        left = _leave(data) if len(data) >= LARGE else None
        return left or read(data, by_name=by_name)

    return read_or_leave


def _leave(data: str | bytes) -> JSONRPCMessage | None:
    if isinstance(data, str):
        if '"tools"' not in data[:HEAD]:
            return None
        data = data.encode("utf-8", "replace")
    tools = packed_tools(data)
    if tools is None or (header := envelope(data)).id is None:
        return None
    try:
        tools.read_page()
    except (ValueError, RecursionError):
        return None
    return JSONRPCResponse(jsonrpc="2.0", id=header.id, result={_UNREAD: _Unread(tools)})


def begin_pages(message: SessionMessage, pages: ToolListPager) -> None:
    """Put the first page of a list that was left unread into its message."""
    inner = message.message
    unread = inner.result.get(_UNREAD) if isinstance(inner, JSONRPCResponse) else None
    if isinstance(inner, JSONRPCResponse) and isinstance(unread, _Unread):
        message.message = pages.take(inner.id, unread.tools)


class PageWriter(Stream):
    """Sends messages, but for those that ask for a page that is here."""

    def __init__(
        self,
        inner: WriteStream[SessionMessage],
        pages: ToolListPager,
        put: Callable[[SessionMessage], object],
    ) -> None:
        """Args: put: gives a message to whoever reads what the server sends."""
        self._inner, self._pages, self._put = inner, pages, put

    async def send(self, item: SessionMessage, /) -> None:
        """Send one message; raises what the inner stream raises."""
        if (answer := self._pages.answer(item.message)) is not None:
            self._put(SessionMessage(answer))
        else:
            await self._inner.send(item)

    async def aclose(self) -> None:
        await self._inner.aclose()
