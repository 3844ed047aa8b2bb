"""Asks the programs that start servers, such as node, npx and uvx, for their version.

Within a limit, and whatever they do. Must not start a server.
"""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

LIMIT = 10.0
_OUTPUT = 4096
_NO_WINDOW = getattr(subprocess, "CREATE_NO_WINDOW", 0)  # Windows alone has it
_RUNNERS = {
    "npx": ("npx", "node"),
    "node": ("node",),
    "npm": ("npm", "node"),
    "uvx": ("uvx",),
    "uv": ("uv",),
    "bunx": ("bunx",),
    "bun": ("bun",),
    "deno": ("deno",),
    "docker": ("docker",),
}


def programs_behind(command: str) -> tuple[str, ...]:
    """The programs whose version tells something about a server started with `command`."""
    stem = Path(command).name.lower().removesuffix(".exe").removesuffix(".cmd")
    return _RUNNERS.get(stem, ())


async def version(command: str, environment: Mapping[str, str], limit: float = LIMIT) -> str:
    """The first line that `command --version` prints; empty when it prints none in time."""
    try:
        process = await asyncio.create_subprocess_exec(
            command,
            "--version",
            env=dict(environment),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            start_new_session=True,
            creationflags=_NO_WINDOW,
        )
    except (OSError, ValueError):
        return ""
    try:
        async with asyncio.timeout(limit):
            return await _first_line(process)
    except TimeoutError:
        return ""
    finally:
        await _end(process)


async def _first_line(process: asyncio.subprocess.Process) -> str:
    output = await process.stdout.read(_OUTPUT) if process.stdout is not None else b""
    return output.decode("utf-8", "replace").strip().partition("\n")[0].strip()


async def _end(process: asyncio.subprocess.Process) -> None:
    """It was only asked: what is still there of it goes."""
    with suppress(ProcessLookupError, PermissionError):
        if os.name == "nt":
            process.kill()
        else:
            os.killpg(process.pid, signal.SIGKILL)
    await process.wait()
