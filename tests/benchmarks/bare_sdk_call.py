"""One tool call with nothing but the SDK: the floor that `mcp-desktop call` is measured against.

Usage: bare_sdk_call.py TOOL ARGUMENTS_JSON COMMAND [ARG ...]
"""

from __future__ import annotations

import asyncio
import json
import sys

from mcp import Client, StdioServerParameters


async def call(tool: str, arguments: str, command: str, args: list[str]) -> None:
    async with Client(StdioServerParameters(command=command, args=args)) as client:
        result = await client.call_tool(tool, json.loads(arguments))
    for block in result.content:
        print(block.text if block.type == "text" else f"[{block.type}]")


if __name__ == "__main__":
    asyncio.run(call(sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4:]))
