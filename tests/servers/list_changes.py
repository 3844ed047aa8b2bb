"""Its tools change, and it says so: `add_tool`, `remove_tool`; `crash` ends it.

With `--era modern` it speaks 2026-07-28 and tells those who listen; with `--listen mute` nobody.
"""

from __future__ import annotations

import os
import sys

sys.path.insert(0, __file__.rpartition("/tests/")[0])

from tests.servers.base import ECHO, Call, Server, Tool, echo, option

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tests.servers.base import Json

CHANGED = "notifications/tools/list_changed"


class Changing(Server):
    """In the modern era a change reaches only those who listen."""

    listeners: tuple[int | str, ...] = ()

    def listen(self, message: Json) -> None:
        if option("listen") == "mute":
            return
        self.listeners += (message["id"],)
        wanted = message["params"]["notifications"]
        self.notify_listener(
            message["id"], "notifications/subscriptions/acknowledged", notifications=wanted
        )

    def announce(self) -> None:
        if not self.modern:
            self.notify(CHANGED, {})
        for listener in set(self.listeners) - self.cancelled:
            self.notify_listener(listener, CHANGED)

    def notify_listener(self, listener: object, method: str, **params: object) -> None:
        meta = {"io.modelcontextprotocol/subscriptionId": listener}
        self.notify(method, params | {"_meta": meta})


def add_tool(call: Call) -> str:
    server.tools.append(Tool(call.arguments["name"], echo, {"message": "string"}))
    server.announce()
    return "added"


def remove_tool(call: Call) -> str:
    server.tools = [tool for tool in server.tools if tool.name != call.arguments["name"]]
    server.announce()
    return "removed"


def crash(_: Call) -> None:
    os._exit(1)


NAME = {"name": "string"}
server = Changing(
    "list-changes",
    [
        ECHO,
        Tool("add_tool", add_tool, NAME),
        Tool("remove_tool", remove_tool, NAME),
        Tool("crash", crash),
    ],
    modern=option("era") == "modern",
)
server.answers["subscriptions/listen"] = server.listen
server.serve()
