"""The server of the small model as a process of its own: started, asked, killed.

`make model` installs engine and model (`setup_env.py model`) and names their folder in
`MCP_DESKTOP_MODEL`; without it none of these tests is there.
"""

from __future__ import annotations

import asyncio
import os
import shutil
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from asyncio.subprocess import Process
    from collections.abc import AsyncGenerator

FOLDER: Final = Path(os.environ.get("MCP_DESKTOP_MODEL", ""))
SERVER: Final = Path(__file__).parent / "server.mjs"
NAME: Final = "smollm2"
START_SECONDS: Final = 120.0
END_SECONDS: Final = 20.0


class Engine:
    """A server that runs; `url` is where."""

    def __init__(self, process: Process, port: int) -> None:
        self._process = process
        self.port = port

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    async def kill(self) -> None:
        """End it as a crash would, in the middle of whatever it does."""
        if self._process.returncode is None:
            self._process.kill()
        async with asyncio.timeout(END_SECONDS):
            await self._process.communicate()


@asynccontextmanager
async def running(context: int) -> AsyncGenerator[Engine]:
    """Args: context: tokens that it reads."""
    node = shutil.which("node")
    assert node is not None, "node is needed"
    process = await asyncio.create_subprocess_exec(
        node,
        str(SERVER),
        str(FOLDER / "node_modules" / "node-llama-cpp"),
        str(FOLDER / "model.gguf"),
        str(context),
        stdin=asyncio.subprocess.PIPE,  # ends with us, and so does the server
        stdout=asyncio.subprocess.PIPE,
    )
    engine = Engine(process, 0)
    try:
        assert process.stdout is not None
        async with asyncio.timeout(START_SECONDS):
            engine.port = int(await process.stdout.readline())
        yield engine
    finally:
        await engine.kill()
