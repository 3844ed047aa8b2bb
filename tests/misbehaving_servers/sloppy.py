"""A server with one fault of the table: `--fault NAME`, or one after the other by `set_fault`.

Beside `t`, which the fault is about, it has the tool `good`, which shows that the rest goes on.
"""

from __future__ import annotations

import json
import sys

sys.path.insert(0, __file__.rpartition("/tests/")[0])

from tests.misbehaving_servers.faults import BY_NAME, SHAPE, Fault
from tests.servers.base import Call, Server, Tool, echo, is_object, option, text_result

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Json = dict[str, Any]

NONE = Fault("tool", "none", {})


def changed(members: Json, changes: Json) -> Json:
    """`members` with the changes in it; `...` takes one out."""
    return {key: value for key, value in (members | changes).items() if value is not ...}


class SloppyServer(Server):
    """Does one thing wrong."""

    def __init__(self, fault: Fault) -> None:
        super().__init__("sloppy", [])
        self.fault = fault
        self.tools = [
            Tool("good", echo, {"message": "string"}),
            Tool("t", self.answer_t, inputSchema=SHAPE),
            Tool("set_fault", self.set_fault, {"name": "string"}),
        ]

    def value_of(self, group: str) -> Any:
        return self.fault.value if self.fault.group == group else None

    def set_fault(self, call: Call) -> str:
        self.fault = BY_NAME[call.arguments["name"]]
        return "ok"

    def initialize(self, message: Json) -> object:
        greeting: Any = super().initialize(message)
        return changed(greeting, self.value_of("handshake") or {})

    def list_tools(self, message: Json) -> object:
        params: Json = message.get("params") or {}
        cursor: object = params.get("cursor")
        if cursor == "broken":
            return self.refuse(message["id"], -32602, "no such page")
        if cursor:
            return {"tools": []}
        good, odd, control = (tool.declaration for tool in self.tools)
        odd = changed(odd, self.value_of("tool") or {})
        extra: Any = self.value_of("listing") or {}
        if not is_object(extra):
            items: list[Any] = [odd if item == "T" else item for item in extra]
            return {"tools": [good, *items, control]}
        return changed({"tools": [good, odd, control]}, extra)

    def answer_t(self, call: Call) -> Json | None:
        if (sent := self.value_of("notification")) is not None:
            method, params = sent
            self.send(changed({"jsonrpc": "2.0", "method": method, "params": params}, {}))
        if (members := self.value_of("error")) is not None:
            self.send(changed({"jsonrpc": "2.0", "id": call.id}, members))
            return None
        given = self.value_of("result")
        return text_result("ok") if given is None else given

    def send(self, message: Any) -> None:
        name = self.fault.name
        if name == "id-extra":
            self.write({"jsonrpc": "2.0", "id": 98765, "result": {}})
        if "id" in message and name in {"id-float", "id-text"}:
            kind = float if name == "id-float" else str
            message = message | {"id": kind(message["id"])}
        self.write(message)

    def write(self, message: Any) -> None:
        """The message as one line, or as the fault has it."""
        spread = INDENTED.get(self.fault.name)
        line = json.dumps(message) if spread is None else json.dumps(message, indent=spread)
        change = LINES.get(self.fault.name)
        self.send_bytes(line.encode() if change is None else change(line.encode()))


INDENTED = {"pretty": 2, "pretty-crlf": 4}
UNKNOWN = b'{"jsonrpc": "2.0", "method": "notifications/x"}'
LINES: dict[str, Callable[[bytes], bytes]] = {
    "crlf": lambda line: line + b"\r",
    "blank-lines": lambda line: b"\n\n" + line + b"\n \n",
    "spaces-around": lambda line: b"  \t" + line + b"   ",
    "bom": lambda line: b"\xef\xbb\xbf" + line,
    "pretty-crlf": lambda line: line.replace(b"\n", b"\r\n") + b"\r",
    "batch": lambda line: b"[" + line + b"]",
    "two-in-a-batch": lambda line: b"[" + UNKNOWN + b"," + line + b"]",
    "noise-before": lambda line: b"Starting ...\n" + line,
    "noise-json": lambda line: b'{"level": "info"}\n' + line,
    "noise-brace": lambda line: b"{\n  level: info,\n" + line,
    "latin-1": lambda line: line.replace(b"The tool good", b"The t\xf6\xf6l good"),
    "nul-byte-line": lambda line: b"\0\0\n" + line,
    "twice": lambda line: line + b"\n" + line,
}
"""How a line is written, by the fault."""

if __name__ == "__main__":
    SloppyServer(BY_NAME.get(option("fault"), NONE)).serve()
