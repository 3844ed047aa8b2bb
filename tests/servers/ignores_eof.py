"""Works, but goes on living when its input ends."""

from __future__ import annotations

import sys

sys.path.insert(0, __file__.rpartition("/tests/")[0])

from tests.servers.base import ECHO, Server, wait_forever

Server("ignores-eof", [ECHO]).serve()
wait_forever()
