"""Answers `deep` with lists inside each other, --depth N of them."""

from __future__ import annotations

import sys

sys.path.insert(0, __file__.rpartition("/tests/")[0])

from tests.servers.base import ECHO, Server, Tool, echo, is_object, option

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

DEPTH = int(option("depth", "10000"))


class DeepServer(Server):
    """Writes that answer by itself: no library writes it."""

    def call_tool(self, message: dict[str, Any]) -> object:
        params = message.get("params")
        if is_object(params) and params.get("name") == "deep":
            start = f'{{"jsonrpc": "2.0", "id": {message["id"]}, "result": '.encode()
            self.send_bytes(start + b"[" * DEPTH + b"]" * DEPTH + b"}")
        return super().call_tool(message)


DeepServer("deep-answer", [ECHO, Tool("deep", echo)]).serve()
