"""A server whose app tries everything that it must not, and reports what came of it.

`show` has the app `ui://hostile/WHAT`, WHAT being `--what`: `escape` tries network, parent, top
window and storage; `flood` calls a thousand times a second; `greedy` asks for other tools, sends
what is too large and what is no message. The app calls `report` with what it found. `inner` is for
apps alone, `secret` for models alone. `--listener PORT` is where the network of the test listens.
"""

from __future__ import annotations

import json
import sys

sys.path.insert(0, __file__.rpartition("/tests/")[0])

from tests.servers.base import ECHO, Call, Server, Tool, option

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tests.servers.base import Json

WHAT = option("what", "escape")
URI = f"ui://hostile/{WHAT}"
DOMAINS = {
    "connectDomains": ["https://api.example.com", "http://127.0.0.1:1", "https://*.com", "*", 7],
    "resourceDomains": ["https://cdn.example.com", "https://cdn.example.com/'; script-src *"],
}
PAGES = __file__.rpartition("/")[0] + "/hostile_pages/"


def page() -> str:
    script = ""
    for name in ("common", WHAT):
        with open(f"{PAGES}{name}.js", encoding="utf-8") as file:
            text = file.read().replace("PORT_OF_THE_TEST", option("listener", "1"))
            script += text.replace("WAY_OF_THE_TEST", option("way", "itself"))
    return f"<!doctype html><meta charset=utf-8><body><h2>Hostile</h2><script>{script}</script>"


def for_whom(*visibility: str) -> Json:
    return {"ui": {"visibility": list(visibility)}}


class Hostile(Server):
    """Lists nothing of its resources, as it may."""

    def __init__(self) -> None:
        super().__init__("hostile", [ECHO], modern=option("era") == "modern")
        ui: Json = {"resourceUri": URI}
        self.tools += [
            Tool("show", lambda _: "Shown.", _meta={"ui": ui}),
            Tool("report", self.take_report, {"found": "string"}, _meta=for_whom("app")),
            Tool("inner", lambda _: "inner", _meta=for_whom("app")),
            Tool("secret", lambda _: "secret", _meta={"ui": {"visibility": ["model"]}}),
            Tool("secret", lambda _: "secret", _meta=for_whom("model")),
            Tool("declared", lambda _: json.dumps(self.declared)),
        ]
        self.declared: object = None
        self.answers["resources/read"] = self.read

    def initialize(self, message: Json) -> object:
        self.declared = message["params"]["capabilities"].get("extensions")
        return super().initialize(message)

    def call_tool(self, message: Json) -> object:
        if self.modern:
            told: Json = message["params"]["_meta"]["io.modelcontextprotocol/clientCapabilities"]
            self.declared = told.get("extensions")
        return super().call_tool(message)

    def take_report(self, call: Call) -> str:
        return str(call.arguments.get("found", ""))

    def read(self, message: Json) -> object:
        if message["params"]["uri"] != URI:
            return self.refuse(message["id"], -32602, "no such resource")
        content: Json = {"uri": URI, "mimeType": "text/html;profile=mcp-app", "text": page()}
        return {"contents": [content | {"_meta": {"ui": {"csp": DOMAINS}}}]}


if __name__ == "__main__":
    Hostile().serve()
