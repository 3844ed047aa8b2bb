"""Offers resources, templates, prompts, values and a log; tools make them change.

With `--era modern` it speaks 2026-07-28 and tells those who listen; with `--honour lists` of lists
alone. `seen` says which methods were
asked for, in their order.
"""

from __future__ import annotations

import base64
import json
import os
import sys

sys.path.insert(0, __file__.rpartition("/tests/")[0])

from tests.servers.base import Call, Server, Tool, log, option

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tests.servers.base import Json

RICH = {
    "uri": "test://rich",
    "name": "rich",
    "title": "Rich",
    "description": "Has everything.",
    "mimeType": "text/plain",
    "size": 6,
    "annotations": {"audience": ["user"], "priority": 0.5, "lastModified": "2026-01-01"},
    "icons": [{"src": "data:,", "mimeType": "image/png"}],
    "_meta": {"x/y": 1},
}
TEMPLATE = {"uriTemplate": "test://item/{id}{?lang}", "name": "item", "title": "Item"}
GREET = {
    "name": "greet",
    "title": "Greet",
    "description": "Says hello.",
    "arguments": [
        {"name": "who", "title": "Who", "description": "Whom to greet.", "required": True},
        {"name": "tone"},
    ],
    "icons": [{"src": "data:,"}],
    "_meta": {"x/y": 2},
}
DECLARED = {
    "tools": {},
    "resources": {"subscribe": True, "listChanged": True},
    "prompts": {"listChanged": True},
    "completions": {},
    "logging": {},
}
UPDATED = "notifications/resources/updated"


class Offering(Server):
    """Keeps what was asked for, and who listens to what."""

    def __init__(self, tools: list[Tool], *, modern: bool) -> None:
        super().__init__("offers", tools, modern=modern)
        self.seen: list[str] = []
        self.refused = ""
        self.resources = [RICH, {"uri": "test://blob", "name": "blob"}]
        self.prompts = [GREET]
        self.subscribed: set[str] = set()
        self.listeners: dict[int | str, Json] = {}
        self.answers |= {
            "resources/list": self.list_resources,
            "resources/templates/list": lambda _: {"resourceTemplates": [TEMPLATE]} | self.cache,
            "resources/read": self.read,
            "resources/subscribe": self.subscribe,
            "resources/unsubscribe": self.unsubscribe,
            "prompts/list": lambda _: {"prompts": self.prompts} | self.cache,
            "prompts/get": self.get_prompt,
            "completion/complete": self.complete,
            "logging/setLevel": self.set_level,
            "subscriptions/listen": self.listen,
        }

    @property
    def cache(self) -> Json:
        return {"ttlMs": 0, "cacheScope": "private"} if self.modern else {}

    def receive(self, message: Json) -> None:
        if "id" in message:
            self.seen.append(message["method"])
            if message["method"] == self.refused:
                self.refuse(message["id"], -32603, "broken")
                return
        super().receive(message)

    def _introduce(self) -> Json:
        return super()._introduce() | {"capabilities": DECLARED}

    def list_resources(self, message: Json) -> object:
        """One a page."""
        params: Json = message.get("params") or {}
        place = int(params.get("cursor") or 0)
        page: Json = {"resources": self.resources[place : place + 1]} | self.cache
        if place + 1 < len(self.resources):
            page["nextCursor"] = str(place + 1)
        return page

    def read(self, message: Json) -> object:
        params: Json = message["params"]
        uri: str = params["uri"]
        if uri == "test://blob":
            data = base64.b64encode(b"\x89PNG\r\n").decode()
            content: Json = {"uri": uri, "blob": data, "mimeType": "image/png"}
        elif uri == "test://slow":
            token = params["_meta"]["progressToken"]
            self.notify("notifications/progress", {"progressToken": token, "progress": 1})
            return None
        elif uri.startswith("test://big/"):
            content = {"uri": uri, "text": "x" * int(uri.rpartition("/")[2])}
        elif uri == "test://escape":
            content = {"uri": uri, "text": "red\x1b[31m"}
        elif uri in {"test://rich", "test://item/1?lang=de"}:
            content = {"uri": uri, "text": f"text of {uri}", "mimeType": "text/plain"}
        else:
            return self.refuse(message["id"], -32002, "Resource not found")
        return {"contents": [content]} | self.cache

    def subscribe(self, message: Json) -> object:
        self.subscribed.add(message["params"]["uri"])
        return {}

    def unsubscribe(self, message: Json) -> object:
        self.subscribed.discard(message["params"]["uri"])
        return {}

    def listen(self, message: Json) -> None:
        wanted: Json = dict(message["params"]["notifications"])
        if option("honour") == "lists":
            wanted.pop("resourceSubscriptions", None)
        self.listeners[message["id"]] = wanted
        self.tell(message["id"], "notifications/subscriptions/acknowledged", notifications=wanted)

    def get_prompt(self, message: Json) -> object:
        given: Json = message["params"].get("arguments") or {}
        if "who" not in given:
            return self.refuse(message["id"], -32602, "who is missing")
        picture = {"type": "resource", "resource": {"uri": "test://rich", "text": "inside"}}
        return {
            "description": "A greeting.",
            "messages": [
                {"role": "user", "content": {"type": "text", "text": f"Hello {given['who']}"}},
                {"role": "assistant", "content": picture},
            ],
            "_meta": {"x/y": 3},
        }

    def complete(self, message: Json) -> object:
        params: Json = message["params"]
        typed: str = params["argument"]["value"]
        context: Json = params.get("context") or {}
        known: Json = context.get("arguments") or {}
        values = [typed + rest for rest in ("a", "b")] + [f"{k}={v}" for k, v in known.items()]
        whose = params["ref"].get("name") or params["ref"]["uri"]
        return {"completion": {"values": [*values, whose], "total": 9, "hasMore": True}}

    def set_level(self, message: Json) -> object:
        log(f"level {message['params']['level']}")
        return {}

    def announce(self, method: str, **params: object) -> None:
        if not self.modern:
            self.notify(method, params)
        for listener in set(self.listeners) - self.cancelled:
            self.tell(listener, method, **params)

    def tell(self, listener: object, method: str, **params: object) -> None:
        meta = {"io.modelcontextprotocol/subscriptionId": listener}
        self.notify(method, params | {"_meta": meta})


def seen(_: Call) -> str:
    return json.dumps(server.seen)


def subscriptions(_: Call) -> str:
    listening = [server.listeners[key] for key in set(server.listeners) - server.cancelled]
    uris = [uri for wanted in listening for uri in wanted.get("resourceSubscriptions") or ()]
    return json.dumps(sorted({*uris, *server.subscribed}))


def add(call: Call) -> str:
    """One more of both lists, said `times` times."""
    server.resources.append({"uri": "test://new", "name": "new"})
    server.prompts.append({"name": "new"})
    for _ in range(call.arguments.get("times", 1)):
        server.announce("notifications/resources/list_changed")
        server.announce("notifications/prompts/list_changed")
    return "added"


def update(call: Call) -> str:
    for _ in range(call.arguments.get("times", 1)):
        server.announce(UPDATED, uri=call.arguments["uri"])
    return "told"


def drop(_: Call) -> str:
    """End all listening, as a server does that has to."""
    for listener in set(server.listeners) - server.cancelled:
        server.cancelled.add(listener)
        server.notify("notifications/cancelled", {"requestId": listener, "reason": "dropped"})
    return "dropped"


def write_log(call: Call) -> str:
    given = call.arguments
    for number in range(given.get("times", 1)):
        data = given.get("data", f"message {number}")
        params = {"level": given.get("level", "info"), "logger": "part", "data": data}
        server.notify("notifications/message", params)
    return "logged"


def log_level(call: Call) -> str:
    """The level that this call asks for (2026-07-28)."""
    return json.dumps(server.meta.get("io.modelcontextprotocol/logLevel"))


def refuse(call: Call) -> str:
    """Fail at `method` from now on; none: at nothing any more."""
    server.refused = call.arguments.get("method", "")
    return "done"


def crash(_: Call) -> None:
    os._exit(1)


class Remembering(Offering):
    """Knows what stands beside the arguments of the last call."""

    meta: Json

    def call_tool(self, message: Json) -> object:
        self.meta = message["params"].get("_meta") or {}
        return super().call_tool(message)


NUMBER = {"times": "integer"}
server = Remembering(
    [
        Tool("seen", seen),
        Tool("subscriptions", subscriptions),
        Tool("add", add, NUMBER),
        Tool("refuse", refuse, {"method": "string"}),
        Tool("update", update, NUMBER | {"uri": "string"}),
        Tool("drop", drop),
        Tool("log", write_log, NUMBER | {"level": "string"}),
        Tool("log_level", log_level),
        Tool("crash", crash),
    ],
    modern=option("era") == "modern",
)
if __name__ == "__main__":
    server.serve()
