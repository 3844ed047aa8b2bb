"""Asks its client for what the caller says: `ask` sends `count` requests and answers with theirs.

`declared` answers with the client's capabilities. `url` is refused until an address was visited;
with `complete` the server says itself that this is done. `forget` asks, then cancels its request.
With `--era modern` it asks as 2026-07-28 does, in the result of the call.
"""

from __future__ import annotations

import json
import sys

sys.path.insert(0, __file__.rpartition("/tests/")[0])

from tests.servers.base import Call, Server, Tool, option, text_result

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tests.servers.base import Json

URL_REQUIRED = -32042
CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"


class Asking(Server):
    """Keeps what the client declared, and the answers that a call waits for."""

    def __init__(self, tools: list[Tool], *, modern: bool) -> None:
        super().__init__("asks-client", tools, modern=modern)
        self.declared: object = None
        self.call: int | str = 0
        self.answers_of: dict[str, object] = {}
        self.wanted = 0
        self.is_visited = False

    def initialize(self, message: Json) -> object:
        self.declared = message["params"]["capabilities"]
        return super().initialize(message)

    def receive(self, message: Json) -> None:
        if message.get("method") or str(message.get("id")) not in self.answers_of:
            super().receive(message)
            return
        self.answers_of[str(message["id"])] = message.get("result", message.get("error"))
        self.wanted -= 1
        if not self.wanted:
            self.answer(self.call, text_result(json.dumps(list(self.answers_of.values()))))

    def call_tool(self, message: Json) -> object:
        params: Json = message["params"]
        if self.modern:
            self.declared = params["_meta"][CAPABILITIES]
        if not self.modern or params["name"] != "ask":
            return super().call_tool(message)
        asked: Json = params["arguments"]
        answers: Json = params.get("inputResponses") or {}
        rounds = int(params.get("requestState", 0))
        if rounds < asked.get("rounds", 1):
            one = {"method": asked["method"], "params": asked["params"]}
            requests = {f"ask-{at}": one for at in range(asked.get("count", 1))}
            state = str(rounds + 1)
            asking = {"inputRequests": requests, "requestState": state}
            return asking | {"resultType": "input_required"}
        return text_result(json.dumps(list(answers.values())))


def declared(_: Call) -> str:
    return json.dumps(server.declared)


def ask(call: Call) -> None:
    count: int = call.arguments.get("count", 1)
    server.call, server.wanted = call.id, count
    server.answers_of = {f"ask-{at}": None for at in range(count)}
    for name in server.answers_of:
        asked = {"method": call.arguments["method"], "params": call.arguments["params"]}
        server.send({"jsonrpc": "2.0", "id": name} | asked)


def forget(call: Call) -> str:
    asked = {"method": call.arguments["method"], "params": call.arguments["params"]}
    server.send({"jsonrpc": "2.0", "id": "forgotten"} | asked)
    server.notify("notifications/cancelled", {"requestId": "forgotten", "reason": "no need"})
    return "forgotten"


def url(call: Call) -> Json | str | None:
    if server.is_visited:
        return "visited"
    server.is_visited = not call.arguments.get("never")
    wanted = {"mode": "url", "message": "Sign in", "url": call.arguments["url"]}
    elicitation: Json = wanted | {"elicitationId": "e1"}
    error: Json = {"code": URL_REQUIRED, "message": "sign in first"}
    error["data"] = {"elicitations": [elicitation]}
    server.send({"jsonrpc": "2.0", "id": call.id, "error": error})
    if call.arguments.get("complete"):
        server.notify("notifications/elicitation/complete", {"elicitationId": "e1"})
    return None


REQUEST = {"method": "string", "params": "object", "count": "integer", "rounds": "integer"}
server = Asking(
    [
        Tool("declared", declared),
        Tool("ask", ask, REQUEST),
        Tool("forget", forget, REQUEST),
        Tool("url", url, {"url": "string", "never": "boolean", "complete": "boolean"}),
    ],
    modern=option("era") == "modern",
)
server.serve()
