"""A session with four built-in servers: opened until every tool can be offered, and ended.

Bare is the interpreter alone, started as often side by side as there are servers.
"""

from __future__ import annotations

import asyncio
import statistics
import subprocess
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import psutil

from builtin_servers.catalog import CATALOG
from desktop.features.chat.agent.agent import Agent
from desktop.features.chat.agent.session_info import Builtin
from desktop.features.models.formats import ApiFormat
from desktop.tools.approvals import ApprovalResponse
from tests.benchmarks.harness import Row, core_with, python

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from desktop.core import Core
    from desktop.features.chat.llm.completion import CompletionEvent, CompletionRequest, TokenCount
    from desktop.features.models.formats import WireTools
    from desktop.tools.approvals import ApprovalQuestion

RUNS, SERVERS = 9, 4


class _Nobody:
    """A service that is never asked, and a person who is not."""

    name = "none"
    api_format = ApiFormat.OPENAI

    def stream(self, request: CompletionRequest) -> AsyncGenerator[CompletionEvent]:
        raise NotImplementedError

    async def list_models(self) -> list[str]:
        return []

    def window(self, model: str) -> int:
        return 0

    async def count_tools(self, model: str, tools: WireTools) -> TokenCount:
        raise NotImplementedError

    async def close(self) -> None:
        return

    async def ask(self, question: ApprovalQuestion) -> ApprovalResponse:
        return ApprovalResponse("deny")


def _builtins(folder: Path) -> list[Builtin]:
    """Four of the catalog, or as many as there are."""
    wanted = [one for one in ("calculator", "time", "filesystem", "shell") if one in CATALOG]
    arguments = {"filesystem": (str(folder),)}
    return [Builtin(one, arguments.get(one, ())) for one in wanted[:SERVERS]]


async def _once(core: Core, builtins: list[Builtin]) -> tuple[float, float, float]:
    """Seconds to open, seconds to end, bytes of one server in the mean."""
    began = time.perf_counter()
    session = await core.part(Agent).sessions.create(_Nobody(), "m", _Nobody(), builtins=builtins)
    await session.tools.load(ApiFormat.OPENAI)
    opened = time.perf_counter() - began
    if session.tools.watch.lost:
        raise RuntimeError(str(session.tools.watch.lost))
    pids = [
        connection.pid for connection in session.tools.connections if connection.pid is not None
    ]
    memory = statistics.mean(psutil.Process(pid).memory_full_info().uss for pid in pids)
    began = time.perf_counter()
    await session.close()
    return opened, time.perf_counter() - began, memory


async def _measure() -> tuple[int, list[tuple[float, float, float]]]:
    with tempfile.TemporaryDirectory() as folder:
        builtins = _builtins(Path(folder))
        async with core_with(Path(folder)) as core:
            await core.launcher.shell_path.get()
            return len(builtins), [await _once(core, builtins) for _ in range(RUNS)]


def _bare(count: int) -> float:
    began = time.perf_counter()
    started = [subprocess.Popen(python("-I", "-S", "-c", "")) for _ in range(count)]
    for one in started:
        one.wait()
    return time.perf_counter() - began


def measure() -> list[Row]:
    count, seen = asyncio.run(_measure())
    opened, ended, memory = (statistics.median(column) for column in zip(*seen[1:], strict=True))
    bare = statistics.median(_bare(count) for _ in range(RUNS)) * 1e3
    name = f"session with {count} built-in servers"
    return [
        Row(f"{name}: ready", opened * 1e3, bare, "ms", "<= 150 ms"),
        Row(f"{name}: ended", ended * 1e3, None, "ms", ""),
        Row(f"{name}: memory of one (USS)", memory / 1e6, None, "MB", "<= 15 MB"),
    ]
