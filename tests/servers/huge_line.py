"""Sends one line of --megabytes N, as the result of `huge` or, with --at start, before all."""

from __future__ import annotations

import sys

sys.path.insert(0, __file__.rpartition("/tests/")[0])

from tests.servers.base import ECHO, Call, Server, Tool, option

SIZE = int(option("megabytes", "20")) * 1024 * 1024


def huge(_: Call) -> str:
    return "x" * SIZE


server = Server("huge-line", [ECHO, Tool("huge", huge)])
if option("at") == "start":
    server.notify("notifications/message", {"level": "info", "data": "x" * SIZE})
server.serve()
