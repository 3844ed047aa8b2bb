"""Works, but writes --megabytes N to stderr at the start and with each call of `flood`."""

from __future__ import annotations

import sys

sys.path.insert(0, __file__.rpartition("/tests/")[0])

from tests.servers.base import ECHO, Call, Server, Tool, log, option

LINE = "stderr " * 9 + "\n"
LINES = int(option("megabytes", "10")) * 1024 * 1024 // len(LINE)


def flood() -> None:
    for _ in range(LINES // 1000):
        log(LINE * 1000)


def flood_again(_: Call) -> str:
    flood()
    return "flooded"


flood()
Server("floods-stderr", [ECHO, Tool("flood", flood_again)]).serve()
