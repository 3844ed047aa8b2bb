"""Works in the handshake era; server/discover ends it."""

from __future__ import annotations

import os
import sys

sys.path.insert(0, __file__.rpartition("/tests/")[0])

from tests.servers.base import ECHO, Server, log


def die(_: object) -> None:
    log("fatal: unknown method")
    os._exit(1)


server = Server("dies-on-discover", [ECHO])
server.answers["server/discover"] = die
server.serve()
