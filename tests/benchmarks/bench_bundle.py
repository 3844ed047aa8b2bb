"""The frozen app of `make bundle` against its sources; nothing where no bundle was made."""

from __future__ import annotations

import sys

from desktop.base.paths import builtin_command
from tests.benchmarks import bench_builtins, bench_launch
from tests.benchmarks.harness import ROOT, Row, alternate

RUNS = 9
FROZEN = (
    ROOT / "dist/mcp-desktop" / ("mcp-desktop.exe" if sys.platform == "win32" else "mcp-desktop")
)
SERVERS = ("calculator", "time")


def _launch(program: list[str]) -> float:
    return bench_launch.window(servers=False, until="window_shown", program=program)[0]


def _server(name: str) -> Row:
    command, args = builtin_command(name)
    frozen, source = alternate(
        RUNS,
        lambda: bench_builtins.start([str(FROZEN), "builtin", name], is_server=True)[0],
        lambda: bench_builtins.start([command, *args], is_server=True)[0],
    )
    what = f"frozen {name}: initialize answered, against the source"
    return Row(what, frozen * 1e3, source * 1e3, "ms", "<= 120 ms")


def measure() -> list[Row]:
    if not FROZEN.exists():
        print("bundle: nothing to measure before `make bundle`")
        return []
    frozen, source = alternate(
        RUNS, lambda: _launch([str(FROZEN)]), lambda: _launch(bench_launch.SOURCE)
    )
    what = "frozen launch to window painted, against the source"
    painted = Row(what, frozen * 1e3, source * 1e3, "ms", "<= 1.5 x")
    return [painted, *(_server(name) for name in SERVERS)]
