"""Keeps state from one call to the next: `count` answers with how often it was called."""

from __future__ import annotations

import sys

sys.path.insert(0, __file__.rpartition("/tests/")[0])

from tests.servers.base import Call, Server, Tool

calls = 0


def count(_: Call) -> str:
    global calls
    calls += 1
    return str(calls)


Server("counts", [Tool("count", count)]).serve()
