"""What clients take differently: a long name and description, two halves of a result, a picture.

`who` answers with what its client said of itself: `clientInfo`, `capabilities`, `protocolVersion`,
and with `--modern` what each request says of them. `asks` asks for roots, and says what came.
"""

from __future__ import annotations

import json
import sys

sys.path.insert(0, __file__.rpartition("/tests/")[0])

from tests.servers.base import PNG_URI, Call, Server, Tool, option

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tests.servers.base import Json

LONG = "search_the_notes_of_this_workspace_by_the_words_of_their_text"
META = "io.modelcontextprotocol/"


class Told(Server):
    """Keeps what the client said last."""

    told: Json | None = None
    waiting: int | str = 0

    def initialize(self, message: Json) -> object:
        params: Json = message["params"]
        self.told = {key: params[key] for key in ("clientInfo", "capabilities", "protocolVersion")}
        return super().initialize(message)

    def receive(self, message: Json) -> None:
        params: Json = message.get("params") or {}
        meta: Json = params.get("_meta") or {}
        if self.modern and f"{META}clientInfo" in meta:
            told = {"capabilities": f"{META}clientCapabilities", "clientInfo": f"{META}clientInfo"}
            self.told = {key: meta[name] for key, name in told.items()}
        if message.get("id") == "asked" and "method" not in message:
            said = json.dumps(message.get("result") or message.get("error"))
            self.answer(self.waiting, {"content": [{"type": "text", "text": said}]})
            return
        super().receive(message)


def who(_: Call) -> Json:
    text = {"type": "text", "text": "said in the structured half"}
    return {"content": [text], "structuredContent": server.told or {}}


def asks(call: Call) -> None:
    server.waiting = call.id
    server.send({"jsonrpc": "2.0", "id": "asked", "method": "roots/list"})


def picture(_: Call) -> Json:
    media, data = PNG_URI.removeprefix("data:").split(";base64,")
    text = {"type": "text", "text": "a red point"}
    return {"content": [text, {"type": "image", "mimeType": media, "data": data}]}


server = Told(
    "for clients",
    [
        Tool("who", who, outputSchema={"type": "object"}),
        Tool("asks", asks),
        Tool("picture", picture),
        Tool("wordy", lambda _: "x" * 60_000, description="Says much. " + "y" * 3000),
        Tool("bounded", lambda _: "ok", {"count": "integer"}),
        Tool(LONG, lambda _: "found"),
    ],
    modern=option("modern") != "",
)
server.tools[4].declaration["inputSchema"]["properties"]["count"]["minimum"] = 1

if __name__ == "__main__":
    server.serve()
