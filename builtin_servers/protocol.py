"""The Model Context Protocol in both eras, as answers to single requests.

Does no I/O and runs no tool.

Handshake era (2024-11-05 to 2025-11-25): `initialize`, then bare requests.
Envelope era (2026-07-28): every request carries its version and the client's capabilities in
`_meta`, and every result says its type; source: that specification's schema and the SDK 2.3.
The era is the request's own: one connection may be probed in one and used in the other.
"""

from __future__ import annotations

from builtin_servers.rpc import (
    INVALID_PARAMS,
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    UNSUPPORTED_PROTOCOL_VERSION,
    RpcError,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from builtin_servers.call import Reply
    from builtin_servers.declaration import Server, Tool
    from builtin_servers.rpc import Request

HANDSHAKE_VERSIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
ENVELOPE_VERSIONS = ("2026-07-28",)

_PREFIX = "io.modelcontextprotocol/"
_VERSION_KEY = _PREFIX + "protocolVersion"
_CAPABILITIES_KEY = _PREFIX + "clientCapabilities"
_SERVER_INFO_KEY = _PREFIX + "serverInfo"

# The tools of a built-in server never change while it runs: a client may keep them for an hour.
_CACHE = {"ttlMs": 3_600_000, "cacheScope": "public"}


class Session:
    """What one connection was told and may ask."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._is_initialized = False
        self._answers = {
            "initialize": self._initialize,
            "ping": self._ping,
            "server/discover": self._discover,
            "tools/list": self._list_tools,
        }

    def answer(self, request: Request) -> dict[str, Any]:
        """The result of any request but `tools/call`.

        Raises:
            RpcError: The request is refused.
        """
        if request.method not in self._answers:
            raise RpcError(METHOD_NOT_FOUND, f"method not found: {request.method[:100]}")
        self.admit(request)
        return self._answers[request.method](request)

    def find_tool(self, request: Request) -> Tool:
        """The tool that a `tools/call` names, once the request is admitted."""
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

    def admit(self, request: Request) -> None:
        """Refuse a request whose envelope is wrong, or that comes before the handshake."""
        if request.method == "initialize":
            return
        if _has_envelope(request):
            _check_envelope(request.meta)
        elif request.method == "server/discover":
            raise RpcError(INVALID_PARAMS, f"server/discover needs {_VERSION_KEY} in _meta")
        elif not self._is_initialized and request.method != "ping":
            raise RpcError(INVALID_REQUEST, "initialize comes first")

    def to_result(self, request: Request, reply: Reply, *, is_error: bool) -> dict[str, Any]:
        """A `CallToolResult`."""
        result: dict[str, Any] = {"content": reply.to_content()}
        if reply.structured is not None:
            result["structuredContent"] = reply.structured
        return self._seal(request, result | {"isError": is_error})

    def _initialize(self, request: Request) -> dict[str, Any]:
        wanted = request.params.get("protocolVersion")
        if not isinstance(wanted, str):
            raise RpcError(INVALID_PARAMS, '"protocolVersion" must be a string')
        self._is_initialized = True
        return self._introduction() | {
            "protocolVersion": wanted if wanted in HANDSHAKE_VERSIONS else HANDSHAKE_VERSIONS[-1],
            "serverInfo": self._server.to_json(),
        }

    def _discover(self, request: Request) -> dict[str, Any]:
        versions = {"supportedVersions": list(ENVELOPE_VERSIONS)}
        return self._seal(request, self._introduction() | versions | _CACHE)

    def _introduction(self) -> dict[str, Any]:
        return {"capabilities": {"tools": {}}, "instructions": self._server.instructions}

    def _ping(self, request: Request) -> dict[str, Any]:
        return self._seal(request, {})

    def _list_tools(self, request: Request) -> dict[str, Any]:
        if request.params.get("cursor") is not None:
            raise RpcError(INVALID_PARAMS, "unknown cursor: the list has one page")
        tools = [tool.to_json() for tool in self._server.tools.values()]
        return self._seal(request, {"tools": tools} | (_CACHE if _has_envelope(request) else {}))

    def _seal(self, request: Request, result: dict[str, Any]) -> dict[str, Any]:
        """Add what every result of the envelope era carries."""
        if not _has_envelope(request):
            return result
        meta = {_SERVER_INFO_KEY: self._server.to_json()}
        return result | {"resultType": "complete", "_meta": meta}


def _has_envelope(request: Request) -> bool:
    return _VERSION_KEY in request.meta


def _check_envelope(meta: Mapping[str, Any]) -> None:
    version = meta[_VERSION_KEY]
    if not isinstance(version, str) or not isinstance(meta.get(_CAPABILITIES_KEY), dict):
        wanted = f"{_VERSION_KEY} as a string and {_CAPABILITIES_KEY} as an object"
        raise RpcError(INVALID_PARAMS, f"_meta needs {wanted}")
    if version not in ENVELOPE_VERSIONS:
        supported = {"supported": list(ENVELOPE_VERSIONS), "requested": version}
        raise RpcError(UNSUPPORTED_PROTOCOL_VERSION, "unsupported protocol version", supported)
