"""Asks its client for its roots: `roots` answers with what it got, `declared` with the capability.

`changes` answers with how often it was told that they have changed, `hold` never answers.

With `--era modern` it asks as 2026-07-28 does, in the result of the call.
"""

from __future__ import annotations

import json
import sys

sys.path.insert(0, __file__.rpartition("/tests/")[0])

from tests.servers.base import Call, Server, Tool, log, option, text_result

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tests.servers.base import Json

ASK = "ask"


class Asking(Server):
    """Keeps what the client declared, and the call that waits for the roots."""

    declared: object = None
    waiting: int | str = 0
    changes: int = 0

    def initialize(self, message: Json) -> object:
        self.declared = message["params"]["capabilities"].get("roots")
        return super().initialize(message)

    def receive(self, message: Json) -> None:
        self.changes += message.get("method") == "notifications/roots/list_changed"
        if message.get("id") == ASK and "method" not in message:
            self.answer(self.waiting, text_result(json.dumps(message.get("result"))))
        else:
            super().receive(message)

    def call_tool(self, message: Json) -> object:
        if self.modern:
            params: Json = message["params"]
            capabilities: Json = params["_meta"]["io.modelcontextprotocol/clientCapabilities"]
            self.declared = capabilities.get("roots")
            answers: Json | None = params.get("inputResponses")
            if params["name"] == "roots" and answers is None:
                asked = {ASK: {"method": "roots/list"}}
                return {"resultType": "input_required", "inputRequests": asked}
            if answers is not None:
                return text_result(json.dumps(answers[ASK]))
        return super().call_tool(message)


def declared(_: Call) -> str:
    return json.dumps(server.declared)


def changes(_: Call) -> str:
    return json.dumps(server.changes)


def roots(call: Call) -> None:
    server.waiting = call.id
    server.send({"jsonrpc": "2.0", "id": ASK, "method": "roots/list"})


def hold(_: Call) -> None:
    log("holding")


server = Asking(
    "asks-roots",
    [
        Tool("declared", declared),
        Tool("roots", roots),
        Tool("changes", changes),
        Tool("hold", hold),
    ],
    modern=option("era") == "modern",
)
server.serve()
