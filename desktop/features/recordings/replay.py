"""A recording as an MCP server: answers what was asked then as it was answered then.

`recorded_answers` finds the answers. What was never asked is an error that says so: nothing is made
up, and no server is started.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Final

import mcp_types as types
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from desktop.features.gateway.server.sdk import MCPError, Server
from desktop.servers.recorded_answers import RecordedAnswers
from desktop.values.json_schema import object_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from desktop.features.gateway.server.sdk import ServerRequestContext
    from desktop.servers.recording import Exchange, RecordedServer

    Names = Callable[[Iterable[tuple[str, str]]], Mapping[str, tuple[str, str]]]

MAX_DELAY: Final = 600.0
"""Seconds that an answer is held back at most."""
_CALLS: Final = frozenset(("tools/call", "prompts/get"))
"""What is answered anew each time, so that nobody keeps it."""
_LISTS: Final = {
    "tools/list": ("tools", "name"),
    "prompts/list": ("prompts", "name"),
    "resources/list": ("resources", "uri"),
    "resources/templates/list": ("resourceTemplates", "uriTemplate"),
}


class ReplayServer:
    """Serves one recorded server under its own names, or several under those of the gateway."""

    def __init__(
        self, servers: Iterable[RecordedServer], name_all: Names, *, delays: bool = False
    ) -> None:
        """Args: name_all: names for the tools of several. delays: answer as late as then."""
        self._servers = {server.name: server for server in servers}
        self._name_all = name_all
        self._delays = delays
        self._answers = {name: RecordedAnswers(server) for name, server in self._servers.items()}
        self._tools = self._named("tools/list")
        self._prompts = self._named("prompts/list")
        self.server = self._make_server()
        self.options = self.server.create_initialization_options()

    async def ready(self) -> None:
        """All of it is here already."""

    def _make_server(self) -> Server[Any]:
        introductions = [server.introduction for server in self._servers.values()]
        about: dict[str, Any] = {}
        if len(introductions) == 1:
            meta = object_of(introductions[0].get("_meta"))
            info = meta.get("io.modelcontextprotocol/serverInfo")
            about = dict(object_of(introductions[0].get("serverInfo", info)))
        instructions = introductions[0].get("instructions") if len(introductions) == 1 else None
        server: Server[Any] = Server(
            str(about.get("name") or "recording"),
            version=str(about.get("version") or ""),
            instructions=instructions if isinstance(instructions, str) else None,
        )
        server.middleware.clear()
        paged, call = types.PaginatedRequestParams, types.CallToolRequestParams
        if self._tools:
            server.add_request_handler("tools/list", paged, self._list)
            server.add_request_handler("tools/call", call, self._call)
        if self._prompts:
            server.add_request_handler("prompts/list", paged, self._list)
            server.add_request_handler("prompts/get", types.GetPromptRequestParams, self._call)
        if any(server.of("resources/list") for server in self._servers.values()):
            read = types.ReadResourceRequestParams
            server.add_request_handler("resources/list", paged, self._list)
            server.add_request_handler("resources/templates/list", paged, self._list)
            server.add_request_handler("resources/read", read, self._read)
        return server

    def _named(self, method: str) -> dict[str, tuple[str, str]]:
        pairs = [
            (server.name, str(entry.get("name")))
            for server in self._servers.values()
            for entry in server.entries(method, _LISTS[method][0])
        ]
        if len(self._servers) == 1:
            return {name: (server, name) for server, name in pairs}
        return dict(self._name_all(pairs))

    async def _list(self, context: ServerRequestContext[Any, Any], _: Any) -> dict[str, Any]:
        method = context.method
        key, identity = _LISTS[method]
        names = {"tools/list": self._tools, "prompts/list": self._prompts}.get(method, {})
        shown = {pair: name for name, pair in names.items()}
        found: dict[str, dict[str, Any]] = {}
        for server in self._servers.values():
            for entry in server.entries(method, key):
                known = str(entry.get(identity))
                name = shown.get((server.name, known))
                found.setdefault(name or known, entry | ({"name": name} if name else {}))
        return _complete(context, {key: list(found.values())})

    async def _call(
        self,
        context: ServerRequestContext[Any, Any],
        params: types.CallToolRequestParams | types.GetPromptRequestParams,
    ) -> dict[str, Any]:
        """What is asked for by a name, with arguments."""
        names, kind, what = self._tools, "tool", "call"
        if context.method == "prompts/get":
            names, kind, what = self._prompts, "prompt", "request"
        server, name = self._find(names, params.name, kind)
        asked = {"name": name, "arguments": params.arguments or {}}
        answer = await self._answer(server, context.method, asked, what)
        return _complete(context, answer)

    async def _read(
        self, context: ServerRequestContext[Any, Any], params: types.ReadResourceRequestParams
    ) -> dict[str, Any]:
        method, asked = "resources/read", {"uri": params.uri}
        for name, answers in self._answers.items():
            if answers.has(method, asked):
                answer = await self._answer(name, method, asked, f"read of {params.uri}")
                return _complete(context, answer)
        raise MCPError(types.INVALID_PARAMS, f"The recording has no read of {params.uri[:200]}.")

    @staticmethod
    def _find(names: Mapping[str, tuple[str, str]], name: str, kind: str) -> tuple[str, str]:
        if name not in names:
            raise MCPError(types.INVALID_PARAMS, f"The recording has no {kind} {name[:100]!r}.")
        return names[name]

    async def _answer(
        self, server: str, method: str, asked: dict[str, Any], what: str
    ) -> dict[str, Any]:
        answers = self._answers[server]
        exchange = answers.take(method, asked)
        if exchange is None:
            raise MCPError(types.INVALID_PARAMS, _never_recorded(answers, method, asked, what))
        if self._delays:
            await asyncio.sleep(min(exchange.seconds, MAX_DELAY))
        return _replayed(exchange, what)


def _never_recorded(answers: RecordedAnswers, method: str, asked: dict[str, Any], what: str) -> str:
    count, differing = answers.count_of(method, asked["name"]), answers.differing(method, asked)
    words = f"The recording has no {what} with these arguments; it has {count} with others."
    return f"{words} The nearest differs in {', '.join(differing)[:200]}." if differing else words


def _complete(context: ServerRequestContext[Any, Any], answer: dict[str, Any]) -> dict[str, Any]:
    """An answer of whichever era with what that of the client has to have."""
    if context.protocol_version not in MODERN_PROTOCOL_VERSIONS:
        return answer
    kept = {"ttlMs": 0, "cacheScope": "private"} if context.method not in _CALLS else {}
    return {"resultType": "complete", **kept, **answer}


def _replayed(exchange: Exchange, what: str) -> dict[str, Any]:
    if exchange.result is not None:
        return exchange.result
    if exchange.error is not None:
        code, words = exchange.error.get("code"), exchange.error.get("message")
        code = code if isinstance(code, int) else types.INTERNAL_ERROR
        raise MCPError(code, str(words), exchange.error.get("data"))
    words = f"The recording has no whole answer to this {what[:200]}: it never came, or was cut."
    raise MCPError(types.INTERNAL_ERROR, words)
