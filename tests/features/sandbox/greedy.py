"""A server that takes what it is told to: memory in itself or in a child, and children."""

from __future__ import annotations

import os
import sys
import time

sys.path.insert(0, __file__.rpartition("/tests/")[0])

from tests.servers.base import ECHO, Call, Server, Tool, fork_children, limit_life

held: list[bytearray] = []


def fill(call: Call) -> str:
    held.append(bytearray(b"x") * (int(call.arguments["megabytes"]) * 1_000_000))
    return "filled"


def fill_child(call: Call) -> str:
    """Returns when it has it; then the child keeps it."""
    read, write = os.pipe()
    if os.fork() == 0:
        limit_life()
        fill(call)
        os.write(write, b"x")
        for file in (0, 1, 2, write):
            os.close(file)
        while True:
            time.sleep(1)
    os.close(write)
    os.read(read, 1)
    return "filled"


def fork(call: Call) -> str:
    fork_children(int(call.arguments["count"]))
    return "forked"


Server(
    "greedy", [ECHO, Tool("fill", fill), Tool("fill_child", fill_child), Tool("fork", fork)]
).serve()
