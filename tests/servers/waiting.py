"""One tool that writes a file and never answers; a cancellation writes PATH.cancelled.

With --stubborn it ignores the end of its input and SIGTERM.
"""

from __future__ import annotations

import signal
import sys
from pathlib import Path

sys.path.insert(0, __file__.rpartition("/tests/")[0])

from tests.servers.base import Call, Server, Tool, is_object, wait_forever

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tests.servers.base import Json

stubborn = "--stubborn" in sys.argv
path = Path()


def write_and_wait(call: Call) -> None:
    global path
    path = Path(call.arguments["path"])
    path.write_text("running", encoding="utf-8")


class Waiting(Server):
    """Tells of a cancellation in a file."""

    def receive(self, message: Json) -> None:
        super().receive(message)
        if is_object(message) and message.get("method") == "notifications/cancelled":
            path.with_name(f"{path.name}.cancelled").write_text("x", encoding="utf-8")


if stubborn:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
Waiting("waiting", [Tool("write_and_wait", write_and_wait, {"path": "string"})]).serve()
if stubborn:
    wait_forever()
