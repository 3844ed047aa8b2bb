"""Works and ends with its input, but not on SIGTERM."""

from __future__ import annotations

import signal
import sys

sys.path.insert(0, __file__.rpartition("/tests/")[0])

from tests.servers.base import ECHO, Server, limit_life

limit_life()
signal.signal(signal.SIGTERM, signal.SIG_IGN)
Server("ignores-sigterm", [ECHO]).serve()
