"""Gives the SDK a huge tool list in pages, though the server sent it in one message.

The SDK checks a page as a whole: 10,000 tools at once would hold the loop for a third of a second.
So the rest is kept here and handed out when the client asks for the next page; the server is not
asked. Knows only `tools/list`. Source: MCP specification, server/utilities/pagination.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from mcp_types import JSONRPCRequest, JSONRPCResponse

if TYPE_CHECKING:
    from mcp_types import JSONRPCMessage

PAGE = 200
"""Tools in one page handed to the client."""
_CURSOR = "mcp-desktop/rest-of-page/"


class ToolListPager:
    """What is left of lists that were cut, by the cursor that asks for it."""

    def __init__(self) -> None:
        self._rest: dict[str, dict[str, Any]] = {}
        self._count = 0

    def cut(self, message: JSONRPCMessage) -> JSONRPCMessage:
        """The message itself, or the first page of a long tool list."""
        if not isinstance(message, JSONRPCResponse):
            return message
        return self._page(message.id, message.result)

    def answer(self, message: JSONRPCMessage) -> JSONRPCMessage | None:
        """The next page, when `message` asks for one that is kept here."""
        if not isinstance(message, JSONRPCRequest) or message.method != "tools/list":
            return None
        cursor = (message.params or {}).get("cursor")
        rest = self._rest.pop(cursor, None) if isinstance(cursor, str) else None
        return None if rest is None else self._page(message.id, rest)

    def _page(self, message_id: Any, result: dict[str, Any]) -> JSONRPCMessage:
        tools: object = result.get("tools")
        if isinstance(tools, list) and len(cast("list[Any]", tools)) > PAGE:
            result = self._keep_rest(result, cast("list[Any]", tools))
        return JSONRPCResponse(jsonrpc="2.0", id=message_id, result=result)

    def _keep_rest(self, result: dict[str, Any], tools: list[Any]) -> dict[str, Any]:
        self._count += 1
        cursor = f"{_CURSOR}{self._count}"
        self._rest[cursor] = {**result, "tools": tools[PAGE:]}
        return {**result, "tools": tools[:PAGE], "nextCursor": cursor}
