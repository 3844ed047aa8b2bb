"""Answers `leave` by closing its output; exits with code 3 a moment later (`--after` seconds)."""

from __future__ import annotations

import os
import sys
import time

sys.path.insert(0, __file__.rpartition("/tests/")[0])

from tests.servers.base import Call, Server, Tool, option


def leave(_: Call) -> None:
    os.close(sys.stdout.fileno())
    time.sleep(float(option("after", "0")))
    os._exit(3)


Server("closes_before_exit", [Tool("leave", leave)]).serve()
