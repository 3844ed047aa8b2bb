"""The median of calls over an open connection by FastMCP's client, run in its own environment.

Usage: fastmcp_calls.py CALLS COMMAND [ARG ...]; prints seconds.
"""

from __future__ import annotations

import asyncio
import statistics
import sys
import time
from importlib import import_module
from typing import Any


async def measure(calls: int, command: str, args: list[str]) -> float:
    fastmcp: Any = import_module("fastmcp")
    transports: Any = import_module("fastmcp.client.transports")
    taken: list[float] = []
    async with fastmcp.Client(transports.StdioTransport(command, args)) as client:
        for _ in range(calls):
            began = time.perf_counter()
            await client.call_tool("echo", {"message": "hi"})
            taken.append(time.perf_counter() - began)
    return statistics.median(taken[calls // 2 :])


if __name__ == "__main__":
    print(asyncio.run(measure(int(sys.argv[1]), sys.argv[2], sys.argv[3:])))
