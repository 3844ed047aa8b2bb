"""JSON-RPC 2.0 over two pipes: lines in, lines out, and what makes a message well formed.

Knows nothing of MCP. A line has a limit, is collected in linear time, and whatever is wrong with
it becomes an `RpcError` that names the fault; nothing here ends the server but a client that left.
"""

from __future__ import annotations

import json
import os
from threading import Lock

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any, TypeGuard

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
INTERNAL_ERROR = -32603
UNSUPPORTED_PROTOCOL_VERSION = -32022

LINE_LIMIT = 16 * 1024 * 1024
_CHUNK = 64 * 1024


class RpcError(Exception):
    """A request that is answered with a JSON-RPC error."""

    def __init__(self, code: int, message: str, data: object = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.data = data

    def to_message(self, request_id: str | int | None) -> dict[str, object]:
        error: dict[str, object] = {"code": self.code, "message": self.message}
        if self.data is not None:
            error["data"] = self.data
        return {"jsonrpc": "2.0", "id": request_id, "error": error}


class Request:
    """A message that names a method; `id` is None for a notification."""

    __slots__ = ("id", "method", "params")

    def __init__(
        self, request_id: str | int | None, method: str, params: Mapping[str, Any]
    ) -> None:
        self.id = request_id
        self.method = method
        self.params = params

    @property
    def meta(self) -> Mapping[str, Any]:
        """The request's `_meta`; empty where there is none or it is no object."""
        meta: object = self.params.get("_meta")
        return meta if is_object(meta) else {}


class Outbox:
    """Writes whole messages, one line each, from any thread."""

    def __init__(self, fd: int) -> None:
        self._fd = fd
        self._lock = Lock()

    def send(self, message: Mapping[str, Any]) -> None:
        # ASCII escapes: a lone surrogate in a text could not be encoded otherwise.
        text = json.dumps(message, allow_nan=False, separators=(",", ":"))
        unsent = memoryview(text.encode("ascii") + b"\n")
        with self._lock:
            try:
                while unsent:
                    unsent = unsent[os.write(self._fd, unsent) :]
            except OSError:
                os._exit(0)  # the client closed its end: nobody is left to serve


def read_lines(fd: int, limit: int = LINE_LIMIT) -> Iterator[bytes | None]:
    """Each line without its end; None, once, for a line that is longer than `limit`."""
    parts: list[bytes] = []
    size = 0
    while chunk := os.read(fd, _CHUNK):
        pieces = chunk.split(b"\n")
        for index, piece in enumerate(pieces):
            before, size = size, size + len(piece)
            if size <= limit:
                parts.append(piece)
            elif before <= limit:
                parts.clear()
                yield None
            if index < len(pieces) - 1:
                if size <= limit:
                    yield b"".join(parts)
                parts.clear()
                size = 0
    if 0 < size <= limit:
        yield b"".join(parts)


def parse(line: bytes | None) -> Request | None:
    """The request or notification of one line; None for an empty line or a response.

    A `line` of None stands for one that was too long.

    Raises:
        RpcError: The line is not JSON or not a message.
    """
    if line is None:
        limit = f"{LINE_LIMIT // 1024 // 1024} MB"
        raise RpcError(INVALID_REQUEST, f"the line is longer than {limit}")
    if not line.strip():
        return None
    try:
        message = json.loads(line.decode("utf-8"), parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        raise RpcError(PARSE_ERROR, f"the line is not JSON: {_clip(str(error))}") from error
    if not is_object(message):
        raise RpcError(INVALID_REQUEST, "a message must be one JSON object; batches are not served")
    return _to_request(message)


def is_object(value: object) -> TypeGuard[dict[str, Any]]:
    return isinstance(value, dict)  # whose keys are texts: it was read from JSON


def _to_request(message: dict[str, Any]) -> Request | None:
    if "method" not in message and ("result" in message or "error" in message):
        return None
    method = message.get("method")
    params: object = message.get("params", {})
    request_id = message.get("id")
    if message.get("jsonrpc") != "2.0" or not isinstance(method, str):
        raise RpcError(INVALID_REQUEST, 'a request needs "jsonrpc": "2.0" and a "method"')
    if "id" in message and (isinstance(request_id, bool) or not isinstance(request_id, str | int)):
        raise RpcError(INVALID_REQUEST, '"id" must be a string or an integer')
    if not is_object(params):
        raise RpcError(INVALID_REQUEST, '"params" must be an object')
    return Request(request_id, method, params)


def _refuse_constant(name: str) -> object:
    raise ValueError(f"{name} is not a JSON number")


def _clip(text: str) -> str:
    return text if len(text) <= 200 else text[:200] + "…"
