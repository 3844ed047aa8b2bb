"""Works; `flood` sends log messages or its own progress, as many and as fast as it is told."""

from __future__ import annotations

import sys
import time

sys.path.insert(0, __file__.rpartition("/tests/")[0])

from tests.servers.base import ECHO, Call, Server, Tool

_BATCHES = 100
"""In a second."""
CUT_OFF = b'{"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "inf'
"""The end of a flood of log messages: whoever reads it finds that it is none."""


def flood(call: Call) -> str | None:
    """Sends `count` of a `kind`, `per_second` of them where that is not 0, then answers or not."""
    count, rate = int(call.arguments["count"]), int(call.arguments.get("per_second", 0))
    began = time.monotonic()
    for number in range(1, count + 1):
        if call.arguments["kind"] == "log":
            params = {"level": "info", "logger": "flood", "data": f"message {number}"}
            call.server.notify("notifications/message", params)
        else:
            params = {"progressToken": call.token, "progress": number, "total": count}
            call.server.notify("notifications/progress", params)
        if rate and number % (rate // _BATCHES) == 0:
            time.sleep(max(0.0, began + number / rate - time.monotonic()))
    if call.arguments["kind"] == "log":
        call.server.send_bytes(CUT_OFF)
    return None if call.arguments.get("never_answers") else f"sent {count}"


def three(call: Call) -> str:
    """Three signs of progress of its own."""
    for number in range(1, 4):
        params = {"progressToken": call.token, "progress": number, "total": 3}
        call.server.notify("notifications/progress", params)
    return "done"


PARAMETERS = {
    "kind": "string",
    "count": "integer",
    "per_second": "integer",
    "never_answers": "boolean",
}
TOOLS = [ECHO, Tool("flood", flood, PARAMETERS), Tool("three", three)]
Server("floods-notifications", TOOLS).serve()
