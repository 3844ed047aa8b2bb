"""A server as people write them with FastMCP, over HTTP: `fastmcp_server.py PORT`.

Runs in the environment of the peers, not in ours.
"""

# FastMCP is where this runs, and not where it is checked.
# pyright: basic, reportMissingImports=false

from __future__ import annotations

import sys

from fastmcp import FastMCP

server = FastMCP("greeter")


@server.tool
def greet(name: str) -> str:
    """Greet a person."""
    return f"Hello, {name}!"


@server.tool
def add(a: int, b: int = 2) -> int:
    """Add two numbers."""
    return a + b


if __name__ == "__main__":
    server.run(transport="http", host="127.0.0.1", port=int(sys.argv[1]), show_banner=False)
