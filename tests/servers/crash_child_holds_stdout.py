"""Works; `crash` ends it while a child keeps its stdout open, so that no end of file comes."""

from __future__ import annotations

import os
import sys

sys.path.insert(0, __file__.rpartition("/tests/")[0])

from tests.servers.base import ECHO, Call, Server, Tool, start_children


def crash(_: Call) -> None:
    start_children(stdout=None)
    os._exit(1)


Server("crash-child-holds-stdout", [ECHO, Tool("crash", crash)]).serve()
