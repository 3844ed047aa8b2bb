"""The barest window that has a server's tools: PySide6, then the SDK, one after the other.

Prints when it had them, in CLOCK_MONOTONIC seconds. Usage: bare_sdk_window.py COMMAND [ARG ...]
"""

from __future__ import annotations

import asyncio
import sys
import time

from PySide6.QtWidgets import QApplication, QLabel, QMainWindow

app = QApplication(sys.argv[:1])
window = QMainWindow()
window.setCentralWidget(QLabel("bare"))
window.resize(1120, 720)
window.show()
app.processEvents()

from mcp import Client, StdioServerParameters  # noqa: E402 - the window is painted first


async def list_tools(command: str, args: list[str]) -> None:
    async with Client(StdioServerParameters(command=command, args=args)) as client:
        tools = await client.list_tools()
        print(time.monotonic(), len(tools.tools), flush=True)


asyncio.run(list_tools(sys.argv[1], sys.argv[2:]))
