"""The Model Context Protocol over JSON-RPC lines: reads, checks and answers single requests.

Runs no tool. A line has a maximum length and is collected in linear time; whatever is wrong with it
becomes an `RpcError`. Only a client that has left ends the process.

Two eras of the protocol are served. Handshake (2024-11-05 to 2025-11-25): `initialize`, then bare
requests. Envelope (2026-07-28): every request carries its version and the client's capabilities in
`_meta`, and every result names its type. The era is chosen per request: a client may probe a
connection in one era and use it in the other.
"""

from __future__ import annotations

import json
import os
from threading import Lock

from builtin_servers.framework.schema import is_object

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from builtin_servers.framework.tool import BuiltinServer, BuiltinTool, ToolReply

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
INTERNAL_ERROR = -32603
UNSUPPORTED_PROTOCOL_VERSION = -32022

MAX_LINE_BYTES = 16 * 1024 * 1024
_CHUNK = 64 * 1024

HANDSHAKE_VERSIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
ENVELOPE_VERSIONS = ("2026-07-28",)
_HANDSHAKE_METHODS = ("initialize", "ping")  # the envelope era has neither

ROOTS_KEY = "roots"
"""The name of our request in `inputRequests`, and of its answer in `inputResponses`."""

_PREFIX = "io.modelcontextprotocol/"
_VERSION_KEY = _PREFIX + "protocolVersion"
_CAPABILITIES_KEY = _PREFIX + "clientCapabilities"
_SERVER_INFO_KEY = _PREFIX + "serverInfo"

# The tools of a built-in server never change while it runs: a client may cache them for an hour.
_CACHE = {"ttlMs": 3_600_000, "cacheScope": "public"}


class RpcError(Exception):
    """Answers a request with a JSON-RPC error."""

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


class RpcRequest:
    """A request or notification; `id` is None for a notification."""

    __slots__ = ("id", "method", "params")

    def __init__(
        self, request_id: str | int | None, method: str, params: Mapping[str, Any]
    ) -> None:
        self.id = request_id
        self.method = method
        self.params = params

    @property
    def meta(self) -> Mapping[str, Any]:
        """The request's `_meta`; empty if it is missing or not an object."""
        meta: object = self.params.get("_meta")
        return meta if is_object(meta) else {}


class RpcAnswer:
    """The client's answer to a request of ours: its result, or None for an error."""

    __slots__ = ("id", "result")

    def __init__(self, request_id: object, result: object) -> None:
        self.id = request_id
        self.result = result


class RpcWriter:
    """Writes messages, one line each; safe to use from any thread."""

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
                os._exit(0)  # the client closed its end: there is nobody left to serve


def read_lines(fd: int, max_bytes: int = MAX_LINE_BYTES) -> Iterator[bytes | None]:
    """Each line without its newline; None, once, for a line longer than `max_bytes`."""
    parts: list[bytes] = []
    size = 0
    while chunk := os.read(fd, _CHUNK):
        pieces = chunk.split(b"\n")
        for index, piece in enumerate(pieces):
            previous, size = size, size + len(piece)
            if size <= max_bytes:
                parts.append(piece)
            elif previous <= max_bytes:
                parts.clear()
                yield None
            if index < len(pieces) - 1:
                if size <= max_bytes:
                    yield b"".join(parts)
                parts.clear()
                size = 0
    if 0 < size <= max_bytes:
        yield b"".join(parts)


def parse_message(line: bytes | None) -> RpcRequest | RpcAnswer | None:
    """The request, notification or answer in one line; None for an empty line.

    A `line` of None stands for one that was too long (see `read_lines`).

    Raises:
        RpcError: The line is not JSON or not a message.
    """
    if line is None:
        limit = f"{MAX_LINE_BYTES // 1024 // 1024} MB"
        raise RpcError(INVALID_REQUEST, f"the line is longer than {limit}")
    if not line.strip():
        return None
    try:
        message = json.loads(line.decode("utf-8"), parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        raise RpcError(PARSE_ERROR, f"the line is not JSON: {_clip(str(error))}") from error
    if not is_object(message):
        raise RpcError(INVALID_REQUEST, "a message must be one JSON object; batches are not served")
    if "method" not in message and ("result" in message or "error" in message):
        return RpcAnswer(message.get("id"), message.get("result"))
    return _to_request(message)


def _to_request(message: dict[str, Any]) -> RpcRequest:
    method = message.get("method")
    params: object = message.get("params", {})
    request_id = message.get("id")
    if message.get("jsonrpc") != "2.0" or not isinstance(method, str):
        raise RpcError(INVALID_REQUEST, 'a request needs "jsonrpc": "2.0" and a "method"')
    if "id" in message and (isinstance(request_id, bool) or not isinstance(request_id, str | int)):
        raise RpcError(INVALID_REQUEST, '"id" must be a string or an integer')
    if not is_object(params):
        raise RpcError(INVALID_REQUEST, '"params" must be an object')
    return RpcRequest(request_id, method, params)


def _refuse_constant(name: str) -> object:
    raise ValueError(f"{name} is not a JSON number")


def _clip(text: str) -> str:
    return text if len(text) <= 200 else text[:200] + "…"


class ProtocolSession:
    """The protocol state of one connection."""

    def __init__(self, server: BuiltinServer) -> None:
        self._server = server
        self._is_initialized = False
        self._has_roots = False
        self._answers = {
            "initialize": self._initialize,
            "ping": self._ping,
            "server/discover": self._discover,
            "tools/list": self._list_tools,
        }

    def answer(self, request: RpcRequest) -> dict[str, Any]:
        """The result of any request except `tools/call`.

        Raises:
            RpcError: The request is refused.
        """
        is_removed = _has_envelope(request) and request.method in _HANDSHAKE_METHODS
        if request.method not in self._answers or is_removed:
            raise RpcError(METHOD_NOT_FOUND, f"method not found: {request.method[:100]}")
        self.admit(request)
        return self._answers[request.method](request)

    def find_tool(self, request: RpcRequest) -> BuiltinTool:
        """The tool that a `tools/call` request names. Raises `RpcError`."""
        self.admit(request)
        name = request.params.get("name")
        if not isinstance(name, str):
            raise RpcError(INVALID_PARAMS, '"name" must be a string')
        if name not in self._server.tools:
            known = ", ".join(self._server.tools)
            raise RpcError(INVALID_PARAMS, f"unknown tool: {name[:100]!r}; this server has {known}")
        if not isinstance(request.params.get("arguments", {}), dict):
            raise RpcError(INVALID_PARAMS, '"arguments" must be an object')
        return self._server.tools[name]

    def admit(self, request: RpcRequest) -> None:
        """Refuse a request with an invalid envelope, or one before the handshake."""
        if request.method == "initialize":
            return
        if _has_envelope(request):
            _check_envelope(request.meta)
        elif request.method == "server/discover":
            raise RpcError(INVALID_PARAMS, f"server/discover needs {_VERSION_KEY} in _meta")
        elif not self._is_initialized and request.method != "ping":
            raise RpcError(INVALID_REQUEST, "initialize comes first")

    def to_result(self, request: RpcRequest, reply: ToolReply, *, is_error: bool) -> dict[str, Any]:
        """A `CallToolResult`."""
        result: dict[str, Any] = {"content": reply.to_content()}
        if reply.structured is not None:
            result["structuredContent"] = reply.structured
        return self._seal(request, result | {"isError": is_error})

    @property
    def may_ask_for_roots(self) -> bool:
        """Whether to send `roots/list`: the server wants roots, the handshake promised some."""
        return self._server.asks_for_roots and self._has_roots

    def wants_roots_for(self, request: RpcRequest) -> bool:
        """Whether this call of the envelope era may be answered with a request for the roots."""
        capabilities: object = request.meta.get(_CAPABILITIES_KEY)
        has_roots = is_object(capabilities) and is_object(capabilities.get("roots"))
        return self._server.asks_for_roots and has_roots and _has_envelope(request)

    def to_root_request(self) -> dict[str, Any]:
        """An `InputRequiredResult`: the client repeats the call and says its roots with it."""
        meta = {_SERVER_INFO_KEY: self._server.to_json()}
        requests = {ROOTS_KEY: {"method": "roots/list"}}
        return {"resultType": "input_required", "inputRequests": requests, "_meta": meta}

    def _initialize(self, request: RpcRequest) -> dict[str, Any]:
        wanted = request.params.get("protocolVersion")
        if not isinstance(wanted, str):
            raise RpcError(INVALID_PARAMS, '"protocolVersion" must be a string')
        self._is_initialized = True
        capabilities: object = request.params.get("capabilities")
        self._has_roots = is_object(capabilities) and is_object(capabilities.get("roots"))
        return self._introduction() | {
            "protocolVersion": wanted if wanted in HANDSHAKE_VERSIONS else HANDSHAKE_VERSIONS[-1],
            "serverInfo": self._server.to_json(),
        }

    def _discover(self, request: RpcRequest) -> dict[str, Any]:
        versions = {"supportedVersions": list(ENVELOPE_VERSIONS)}
        return self._seal(request, self._introduction() | versions | _CACHE)

    def _introduction(self) -> dict[str, Any]:
        return {"capabilities": {"tools": {}}, "instructions": self._server.instructions}

    def _ping(self, request: RpcRequest) -> dict[str, Any]:
        return {}

    def _list_tools(self, request: RpcRequest) -> dict[str, Any]:
        if request.params.get("cursor") is not None:
            raise RpcError(INVALID_PARAMS, "unknown cursor: the list has one page")
        tools = [tool.to_json() for tool in self._server.tools.values()]
        return self._seal(request, {"tools": tools} | (_CACHE if _has_envelope(request) else {}))

    def _seal(self, request: RpcRequest, result: dict[str, Any]) -> dict[str, Any]:
        """Add the fields that every result of the envelope era has."""
        if not _has_envelope(request):
            return result
        meta = {_SERVER_INFO_KEY: self._server.to_json()}
        return result | {"resultType": "complete", "_meta": meta}


def _has_envelope(request: RpcRequest) -> bool:
    return _VERSION_KEY in request.meta


def _check_envelope(meta: Mapping[str, Any]) -> None:
    version = meta[_VERSION_KEY]
    if not isinstance(version, str) or not isinstance(meta.get(_CAPABILITIES_KEY), dict):
        wanted = f"{_VERSION_KEY} as a string and {_CAPABILITIES_KEY} as an object"
        raise RpcError(INVALID_PARAMS, f"_meta needs {wanted}")
    if version not in ENVELOPE_VERSIONS:
        supported = {"supported": list(ENVELOPE_VERSIONS), "requested": version}
        raise RpcError(UNSUPPORTED_PROTOCOL_VERSION, "unsupported protocol version", supported)
