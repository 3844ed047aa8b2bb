"""Works; `crash` ends it while a child keeps its stdout open, so that no end of file comes.

SIGUSR1 does the same from outside.
"""

from __future__ import annotations

import os
import signal
import sys

sys.path.insert(0, __file__.rpartition("/tests/")[0])

from tests.servers.base import ECHO, Server, Tool, start_children


def crash(*_: object) -> None:
    start_children(stdout=None)
    os._exit(1)


if sys.platform != "win32":
    signal.signal(signal.SIGUSR1, crash)
Server("crash-child-holds-stdout", [ECHO, Tool("crash", crash)]).serve()
