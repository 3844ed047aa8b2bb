"""What the tests of a target do without any fault: how long each takes and which lines it runs.

The tests for a fault are chosen by this: those that run its line, the quickest first.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.mutants.mutations import Mutation
    from tests.mutants.sandbox import Sandbox
    from tests.mutants.targets import Target

MAX_BASELINE_TIME = 900.0
"""Seconds for all tests of one target, measured line by line on a busy machine."""

MAX_ALONE_TIME = 60.0


class BaselineError(Exception):
    """The tests of a target cannot be run even without a fault."""


@dataclass(frozen=True, slots=True)
class Baseline:
    """`seconds` by test; `lines` by module and line the tests that run it; `failed` tests."""

    seconds: dict[str, float]
    lines: dict[str, dict[int, list[str]]]
    failed: tuple[str, ...] = ()

    def tests_for(self, mutation: Mutation, target: Target) -> list[str]:
        """The tests that can notice a fault, in the order in which to run them."""
        own = f"test_{PurePosixPath(mutation.module).stem}.py"
        ran = self.lines.get(mutation.module, {})
        first, last = mutation.statement
        chosen = {
            test for line in (*range(first, last + 1), mutation.line) for test in ran.get(line, ())
        }
        if files := target.apart.get(mutation.module):
            chosen |= {test for test in self.seconds if test.startswith(files)}
        if not chosen & self.seconds.keys():  # it runs at import, or no test runs it
            chosen = {test for tests in ran.values() for test in tests}
        if not chosen & self.seconds.keys():
            chosen = set(self.seconds)
        # What is run once and then cached is seen in one test alone.
        chosen |= {test for test in self.seconds if own in test}
        usable = chosen & self.seconds.keys() - set(self.failed)
        return sorted(usable, key=lambda test: (own not in test, self.seconds[test], test))

    def duration(self, tests: list[str]) -> float:
        return sum(self.seconds[test] for test in tests)


def measure(sandbox: Sandbox, target: Target, cache: Path) -> Baseline:
    """Run all tests of `target`, or read what an earlier run with the same files wrote to `cache`.

    Raises:
        BaselineError: they do not run at all.
    """
    modules = target.modules(sandbox.root)
    digest = digest_files(sandbox.root, [*modules, *files_of_tests(sandbox.root, target)])
    file = cache / f"baseline-{target.name}-{digest}.json"
    if (baseline := _read(file)) is not None:
        return baseline
    run = sandbox.run(target.tests, MAX_BASELINE_TIME, sources=modules)
    if run.code not in (0, 1):
        raise BaselineError(f"{target.name}: pytest ended with {run.code}\n{run.output}")
    # On a busy machine one may fail by chance: only what fails alone as well does not count.
    failed = tuple(test for test in run.failed if not sandbox.run([test], MAX_ALONE_TIME).passed)
    baseline = Baseline(run.seconds, run.lines, failed)
    if not failed:
        cache.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(asdict(baseline)), encoding="utf-8")
    return baseline


def files_of_tests(root: Path, target: Target) -> list[str]:
    """All Python files of its tests, those that tests start included."""
    files: list[Path] = []
    for name in target.tests:
        path = root / name
        files += sorted(path.rglob("*.py")) if path.is_dir() else [path]
    return [file.relative_to(root).as_posix() for file in files]


def digest_files(root: Path, files: list[str]) -> str:
    """A short digest of names and contents."""
    digest = hashlib.sha256()
    for name in files:
        digest.update(name.encode() + b"\0" + (root / name).read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def _read(file: Path) -> Baseline | None:
    try:
        fields = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    lines = {
        module: {int(line): tests for line, tests in ran.items()}
        for module, ran in fields["lines"].items()
    }
    return Baseline(fields["seconds"], lines, tuple(fields["failed"]))
