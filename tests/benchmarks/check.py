"""`make bench-check`: fails where a figure is more than a tenth worse than at the last release.

Counts first, which are the same on every machine; then ratios, each measured again where it seems
to have grown. `--record VERSION` keeps what is measured as the figures of that release. Takes some
three minutes; with names of figures, or parts of them, only those.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from tests.benchmarks import bench_calls, bench_cli, bench_fanout
from tests.benchmarks.harness import (
    Calibration,
    Spread,
    core_with,
    environment,
    median,
    python,
    stdio,
)
from tests.benchmarks.hops import hops
from tests.benchmarks.regression import judge, read_release, write_release
from tests.server_commands import command

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from tests.benchmarks.regression import Measure, Verdict

RELEASED: Final = Path(__file__).with_name("released.json")
_REQUEST_ID: Final = re.compile(rb'"id":(\d+)')
_COUNTED_CALLS: Final = 50
_TURNS: Final = 9

_COUNT_MODULES: Final = """
import sys
{code}
print(len(sys.modules), file=sys.stderr)
"""


def _modules(code: str, *args: str) -> Spread:
    """How many modules are imported when `code` has run."""
    done = subprocess.run(
        python("-c", _COUNT_MODULES.format(code=code), *args),
        env=environment(),
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    return Spread.of([float(done.stderr.split()[-1])])


def modules_of_a_call() -> Spread:
    """By a `call` that starts its server itself."""
    program, arguments = command("plain")
    with tempfile.TemporaryDirectory() as folder:
        config = Path(folder, "mcp.json")
        servers = {"server": {"command": program, "args": arguments}}
        config.write_text(json.dumps({"mcpServers": servers}), encoding="utf-8")
        words = ("call", "server:add", "a=1", "b=2", "--no-attach")
        places = ("--config", str(config), "--data-dir", folder)
        return _modules("from desktop.__main__ import main; main()", *words, *places)


def modules_of_an_attached_call() -> Spread:
    """By one that leaves it to another run."""
    code = "import desktop.__main__; from desktop.cli.commands import ATTACH; __import__(*ATTACH)"
    return _modules(code)


def modules_of_the_window() -> Spread:
    return _modules("import desktop.app")


async def _count_of_a_call() -> tuple[float, float]:
    """Calls of functions and turns of the loop for one tool call, its server's answer made here."""
    from desktop.values.tool_types import ToolCall

    with tempfile.TemporaryDirectory() as folder:
        async with core_with(Path(folder), stdio("plain", "plain")) as core:
            await core.service.connect_all()
            run = ToolCall("plain:echo", bench_calls.SMALL_ARGUMENTS)
            for _ in range(_COUNTED_CALLS):
                await core.executor.run(run)
            with _AnsweredHere(core):
                await core.executor.run(run)
                counted = _Counter()
                sys.setprofile(counted.count)
                try:
                    for _ in range(_COUNTED_CALLS):
                        counted.begin()
                        await core.executor.run(run)
                finally:
                    sys.setprofile(None)
            return counted.median


class _AnsweredHere:
    """A block in which the server is not asked: its answer is there in the next turn."""

    def __init__(self, core: Any) -> None:
        session = core.service.connection("plain").session
        self._link: Any = session._link
        self._process: Any = self._link._tracked.process
        self._loop = asyncio.get_running_loop()

    def __enter__(self) -> None:
        self._process.write = self._answer

    def __exit__(self, *_: object) -> None:
        del self._process.write

    async def _answer(self, line: bytes) -> None:
        found = _REQUEST_ID.search(line)
        if found is None:
            return
        answer = b'{"jsonrpc": "2.0", "id": %s, "result": {"content": []}}\n' % found[1]
        self._loop.call_soon(self._link.stdout_received, answer)


class _Counter:
    """Counts for each of some calls: what runs in between (the history) meets a few of them."""

    def __init__(self) -> None:
        self._of_calls: list[list[int]] = []

    @property
    def median(self) -> tuple[float, float]:
        """Calls of functions, turns of the loop."""
        calls, turns = zip(*self._of_calls, strict=True)
        return median(calls), median(turns)

    def begin(self) -> None:
        self._of_calls.append([0, 0])

    def count(self, frame: Any, event: str, _: object) -> None:
        if self._of_calls and event in {"call", "c_call"}:
            here = self._of_calls[-1]
            here[0] += 1
            here[1] += event == "call" and frame.f_code.co_name == "_run_once"


@cache
def _counts() -> tuple[float, float]:
    return asyncio.run(_count_of_a_call())


def _hops(what: str) -> Measure:
    return lambda: Spread.of([hops()[what]])


@cache
def _fan_outs(attempt: int) -> tuple[Spread, Spread]:
    del attempt  # a further one is measured anew
    walls, cpus, _ = bench_fanout.compare_fan_outs("legacy")  # as the last release was
    return walls.ratio, cpus.ratio


class _FanOut:
    """One of the two ratios of a fan-out, each attempt of which gives both."""

    def __init__(self, part: int) -> None:
        self._part, self._attempt = part, 0

    def __call__(self) -> Spread:
        self._attempt += 1
        return _fan_outs(self._attempt)[self._part]


def _small_calls() -> Spread:
    return asyncio.run(bench_calls.compare_calls("echo", bench_calls.SMALL_ARGUMENTS)).ratio


def _small_calls_in_a_window() -> Spread:
    coroutine = bench_calls.compare_calls("echo", bench_calls.SMALL_ARGUMENTS)
    return bench_calls.on_qt(coroutine).ratio


def _big_results() -> Spread:
    return asyncio.run(bench_calls.compare_big_results()).ratio


def _cold_calls() -> Spread:
    return bench_cli.compare_cold_calls(_TURNS).ratio


FIGURES: Final[Mapping[str, tuple[Callable[[], Measure], float]]] = {
    "modules imported by a call of its own": (lambda: modules_of_a_call, 0),
    "modules imported by an attached call": (lambda: modules_of_an_attached_call, 0),
    "modules imported for the window": (lambda: modules_of_the_window, 0),
    "function calls of one tool call": (lambda: lambda: Spread.of([_counts()[0]]), 0),
    "turns of the loop of one tool call": (lambda: lambda: Spread.of([_counts()[1]]), 3),
    "our files that a Run click enters": (lambda: _hops("run, files"), 60),
    "our calls that a Run click makes": (lambda: _hops("run, calls"), 1_500),
    "our files that switching a server off enters": (lambda: _hops("off, files"), 45),
    "our files that switching a server on enters": (lambda: _hops("on, files"), 45),
    "tool call over an open connection, asyncio, x SDK": (lambda: _small_calls, 1.1),
    "tool call over an open connection, qasync, x SDK": (lambda: _small_calls_in_a_window, 1.1),
    "5 MB result, x SDK": (lambda: _big_results, 0.3),
    "call, cold, x SDK": (lambda: _cold_calls, 0.8),
    "50 servers, last one usable, x SDK": (lambda: _FanOut(0), 1.0),
    "50 servers, CPU, x SDK": (lambda: _FanOut(1), 1.0),
}
"""What is measured, and the goal for it; 0 where none is set."""


def main(args: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="make bench-check", description=__doc__)
    parser.add_argument("names", nargs="*", help="figures, or parts of their names; all without")
    parser.add_argument("--released", type=Path, default=RELEASED, help="the figures of a release")
    parser.add_argument("--record", metavar="VERSION", help="keep what is measured as a release's")
    options = parser.parse_args(args)
    version, released = ("", {}) if options.record else read_release(options.released)
    calibration = Calibration()
    verdicts = [
        print_through(judge(name, make(), released.get(name)))
        for name, (make, _) in FIGURES.items()
        if (not options.names or any(part in name for part in options.names))
        and calibration.run() is None
    ]
    calibration.run()
    print(calibration)
    if options.record:
        goals = {name: goal for name, (_, goal) in FIGURES.items()}
        write_release(options.released, options.record, verdicts, goals)
        return 0
    worse = [verdict.name for verdict in verdicts if verdict.is_worse]
    if worse:
        print(f"\nworse than {version}: {'; '.join(worse)}")
    return 1 if worse else 0


def print_through(verdict: Verdict) -> Verdict:
    """Print it as soon as it is there."""
    print(verdict, flush=True)
    return verdict


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
