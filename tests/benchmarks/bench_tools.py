"""10,000 tools with 5 kB of parameters each: listed in one page, pages of 200, pages of 100."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import psutil

from tests.benchmarks.harness import LoopLag, Row, core_with, environment, python, stdio

TOOLS, BYTES = 10_000, 5_000


async def _list(page: int) -> dict[str, float]:
    config = stdio("many", "many_tools", "--count", TOOLS, "--bytes", BYTES, "--page", page)
    first = 0.0
    with tempfile.TemporaryDirectory() as folder:
        async with core_with(Path(folder), config) as core:

            def look(_: str) -> None:
                nonlocal first
                first = first or time.perf_counter() - began

            await core.launcher.shell_path.get()
            core.service.tools_changed.connect(look)
            async with LoopLag().watched() as lag:
                began = time.perf_counter()
                await core.service.connect_all()
                whole = time.perf_counter() - began
            count = core.service.get_stats().tools
            memory = psutil.Process().memory_info().rss / 1e6
    if count != TOOLS:
        raise RuntimeError(f"{count} tools listed")
    return {"first": first, "all": whole, "lag": lag.longest_work, "memory": memory}


def _in_own_process(page: int) -> dict[str, float]:
    """Alone, so that its memory is its own."""
    line = subprocess.run(
        python("-m", "tests.benchmarks.bench_tools", str(page)),
        env=environment(),
        stdout=subprocess.PIPE,
        check=True,
        timeout=120,
    ).stdout
    return json.loads(line)


def measure() -> list[Row]:
    rows: list[Row] = []
    for page in (0, 200, 100):
        seen = _in_own_process(page)
        name = f"10,000 tools, {f'pages of {page}' if page else 'one page'}"
        rows += [
            Row(f"{name}: first visible", seen["first"] * 1e3, None, "ms", "<= 1000 ms"),
            Row(f"{name}: all listed", seen["all"] * 1e3, None, "ms", ""),
            Row(f"{name}: loop blocked at most", seen["lag"] * 1e3, None, "ms", "<= 50 ms"),
            Row(f"{name}: memory of the core", seen["memory"], None, "MB", "<= 200 MB"),
        ]
    return rows


if __name__ == "__main__":
    sys.stdout.write(json.dumps(asyncio.run(_list(int(sys.argv[1])))))
