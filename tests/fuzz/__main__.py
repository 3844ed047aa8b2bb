"""Feeds strangers' bytes to all that reads them: `python -m tests.fuzz [--minutes 30] [TARGET...]`.

libFuzzer (through atheris, of the dependency group `fuzz`) looks for inputs that take new
branches. A finding is an exception that callers are not told of, a second of processor time, or
1.5 GB. Prints a row a target and keeps the inputs that are worth it in `corpus/`, which
`make test-all` runs again. Exits with 1 where something was found.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from pathlib import Path

from tests.fuzz import corpus
from tests.fuzz.seeds import SEEDS
from tests.fuzz.targets import TARGETS

_STATS = re.compile(r"stat::(\w+):\s+(\d+)")
_COVERAGE = re.compile(r"cov: (\d+)")
_SHARE = 2
"""Targets at the same time."""
_LEAST = 5
"""Seconds that are worth another start after a finding."""


@dataclass(slots=True)
class Row:
    """What came of one target."""

    target: str
    runs: int = 0
    branches: int = 0
    kept: int = 0
    megabytes: int = 0
    findings: tuple[str, ...] = ()


def fuzz(target: str, folder: Path, seconds: float) -> Row:
    """Run a target for so long, starting anew after each finding."""
    row, place = Row(target), folder / target
    corpus.unpack(target, place / "corpus")
    for number, seed in enumerate(SEEDS.get(target, ())):
        (place / "corpus" / f"seed-{number}").write_bytes(seed)
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > _LEAST:
        said = _run(target, place, f"-max_total_time={left:.0f}", str(place / "corpus"))
        stats = dict(_STATS.findall(said))
        row.runs += int(stats.get("number_of_executed_units", 0))
        row.megabytes = max(row.megabytes, int(stats.get("peak_rss_mb", 0)))
        row.branches = max([row.branches, *map(int, _COVERAGE.findall(said))])
        if not list(place.glob("found-*")) and not stats:
            raise RuntimeError(said[-2_000:])
    row.findings = tuple(sorted(str(found) for found in place.glob("found-*")))
    (place / "merged").mkdir()
    _run(target, place, "-merge=1", str(place / "merged"), str(place / "corpus"))
    row.kept = corpus.write(target, (file.read_bytes() for file in (place / "merged").iterdir()))
    return row


def _run(target: str, place: Path, *options: str) -> str:
    command = [sys.executable, "-m", "tests.fuzz.worker", target, str(place), *options]
    done = subprocess.run(command, capture_output=True, check=False)
    (place / "log").write_bytes(done.stdout + done.stderr)
    return done.stderr.decode("utf-8", "replace")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz")
    parser.add_argument("--minutes", type=float, default=30.0)
    parser.add_argument("targets", nargs="*", metavar="TARGET", choices=[[], *TARGETS])
    options = parser.parse_args()
    if find_spec("atheris") is None:
        print("This needs atheris: pip install --group fuzz", file=sys.stderr)
        return 2
    targets = options.targets or list(TARGETS)
    seconds = options.minutes * 60 * _SHARE / max(len(targets), _SHARE)
    folder = Path(tempfile.mkdtemp(prefix="mcp-desktop-fuzz-"))
    with ThreadPoolExecutor(_SHARE) as pool:
        rows = list(pool.map(partial(fuzz, folder=folder, seconds=seconds), targets))
    print(f"{'target':10} {'inputs':>9} {'branches':>8} {'kept':>5} {'MB':>5}  findings")
    for row in rows:
        print(
            f"{row.target:10} {row.runs:9,} {row.branches:8,} {row.kept:5} {row.megabytes:5}  "
            f"{', '.join(row.findings) or 'none'}"
        )
    if any(row.findings for row in rows):
        return 1
    shutil.rmtree(folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
