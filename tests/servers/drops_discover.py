"""Works in the handshake era; never answers server/discover."""

from __future__ import annotations

import sys

sys.path.insert(0, __file__.rpartition("/tests/")[0])

from tests.servers.base import ECHO, Server

server = Server("drops-discover", [ECHO])
server.answers["server/discover"] = lambda _: None
server.serve()
