"""Works, but takes --seconds S before it reads its first line."""

from __future__ import annotations

import sys
import time

sys.path.insert(0, __file__.rpartition("/tests/")[0])

from tests.servers.base import ECHO, Server, option

time.sleep(float(option("seconds", "2")))
Server("slow-start", [ECHO]).serve()
