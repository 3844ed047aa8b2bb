"""Works, but ends neither with its input nor on SIGTERM."""

from __future__ import annotations

import signal
import sys

sys.path.insert(0, __file__.rpartition("/tests/")[0])

from tests.servers.base import ECHO, Server, wait_forever

signal.signal(signal.SIGTERM, signal.SIG_IGN)
Server("stubborn", [ECHO]).serve()
wait_forever()
