"""A reader of a server's messages with what it told besides them, and a writer to no process."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, cast

from mcp.shared.message import SessionMessage
from mcp_types import JSONRPCNotification, JSONRPCRequest, JSONRPCResponse

from desktop.servers.message_log import MessageLog
from desktop.servers.transport.message_stream import MessageReader, MessageWriter
from desktop.values.packed_json import text_of

if TYPE_CHECKING:
    from desktop.processes.process import ServerProcess


def request(cursor: object, number: int = 2, method: str = "tools/list") -> JSONRPCRequest:
    return JSONRPCRequest(jsonrpc="2.0", id=number, method=method, params={"cursor": cursor})


class Heard:
    """A reader with what it told besides messages."""

    def __init__(self) -> None:
        self.noise: list[str] = []
        self.flow: list[bool] = []
        self.traffic = MessageLog()
        self.reader = MessageReader(self.noise.append, self.flow.append, self.traffic.tap("server"))

    def feed(self, *messages: object) -> None:
        for message in messages:
            self.reader.feed(json.dumps(message).encode())

    async def rest(self) -> list[Any]:
        """All messages until the end, as their methods or results."""
        self.reader.end()
        return [shown(message) async for message in self.reader]


def shown(message: SessionMessage | Exception) -> Any:
    assert isinstance(message, SessionMessage)
    inner = message.message
    if isinstance(inner, JSONRPCResponse):
        return inner.result
    assert isinstance(inner, JSONRPCNotification | JSONRPCRequest)
    return inner.method


def whole(tool: Any) -> Any:
    """A tool with its schemas, where it has the text of them."""
    if not isinstance(tool, dict):
        return tool
    members = cast("dict[str, Any]", tool)
    texts = {name: text_of(value) for name, value in members.items()}
    parsed = {name: text.parse() for name, text in texts.items() if text is not None}
    return {**members, **parsed}


def note(method: str) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "method": method}


def answer(result: dict[str, Any]) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": 1, "result": result}


class FakeProcess:
    """Takes what is written, until it is said to be broken."""

    def __init__(self) -> None:
        self.written: list[bytes] = []
        self.broken = False

    async def write(self, data: bytes) -> None:
        if self.broken:
            raise BrokenPipeError
        self.written.append(data)


def writer_of(process: FakeProcess, reader: MessageReader) -> MessageWriter:
    given: ServerProcess = process  # type: ignore[assignment]  # the writer only writes
    return MessageWriter(given, reader)
