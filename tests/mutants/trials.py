"""Tries faults one by one and remembers the verdicts: an interrupted run goes on where it was."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from tests.mutants.baseline import digest_files, files_of_tests
from tests.mutants.mutations import find_mutations, is_fault

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from tests.mutants.baseline import Baseline
    from tests.mutants.mutations import Mutation
    from tests.mutants.sandbox import Sandbox
    from tests.mutants.targets import Target

Verdict: TypeAlias = Literal["killed", "timed out", "survived"]

MIN_LIMIT = 10.0
"""Seconds that tests get at least, however short they are without a fault."""
PATIENCE = 5
"""Times as long as without a fault, after which tests hang."""


@dataclass(frozen=True, slots=True)
class Trial:
    """A fault and its verdict. `by` is the test that failed; `digest` is of what it rests on."""

    key: str
    verdict: Verdict
    by: str
    digest: str


def choose(
    root: Path, targets: Iterable[Target], number: int | None, seed: int
) -> list[tuple[Target, Mutation]]:
    """A sample of `number` faults, or all; for a seed the same while the lines are the same."""
    candidates: list[tuple[str, Target, Mutation]] = []
    for target in targets:
        for module in target.modules(root):
            for mutation in find_mutations(module, (root / module).read_bytes()):
                rank = hashlib.sha256(f"{seed} {mutation.key}".encode()).hexdigest()
                candidates.append((rank, target, mutation))
    candidates.sort(key=lambda candidate: candidate[0])
    chosen: list[tuple[Target, Mutation]] = []
    for _, target, mutation in candidates:
        if number is not None and len(chosen) >= number:
            break
        if is_fault(mutation, (root / mutation.module).read_bytes()):
            chosen.append((target, mutation))
    order = {target.name: index for index, target in enumerate(targets)}
    return sorted(chosen, key=lambda pair: (order[pair[0].name], pair[1].module, pair[1].start))


def judge(
    sandbox: Sandbox,
    mutation: Mutation,
    tests: list[str],
    baseline: Baseline,
    min_limit: float = MIN_LIMIT,
) -> tuple[Verdict, str]:
    """Put the fault into the copy and run `tests`; the verdict and the test that failed.

    A test counts only if it fails twice: one that fails by chance says nothing about the fault.
    """
    source = (sandbox.root / mutation.module).read_bytes()
    stat = (sandbox.root / mutation.module).stat()
    sandbox.write(mutation.module, mutation.apply(source))
    try:
        return _judge(sandbox, tests, baseline, min_limit)
    finally:
        sandbox.restore(mutation.module, source, stat.st_mtime_ns)


def _judge(
    sandbox: Sandbox, tests: list[str], baseline: Baseline, min_limit: float
) -> tuple[Verdict, str]:
    while tests:
        longest = max(baseline.seconds[test] for test in tests)
        run = sandbox.run(
            tests,
            min_limit + PATIENCE * baseline.duration(tests),
            test_limit=min_limit + PATIENCE * longest,
        )
        if run.passed:
            return "survived", ""
        by = run.failed[0] if run.failed else ""
        if run.code is None or "Timeout (>" in run.reason:
            return "timed out", by
        if by not in tests or not sandbox.run([by], min_limit + PATIENCE * longest).passed:
            return "killed", by
        tests = tests[tests.index(by) + 1 :]
    return "survived", ""


class Results:
    """The verdicts so far, in a file. Those are dropped whose source or tests have changed."""

    def __init__(self, file: Path, root: Path) -> None:
        self._file = file
        self._root = root
        self._trials: dict[str, Trial] = {}
        if file.exists():
            for line in file.read_text(encoding="utf-8").splitlines():
                trial = Trial(**json.loads(line))
                self._trials[trial.key] = trial

    def find(self, target: Target, mutation: Mutation) -> Trial | None:
        trial = self._trials.get(mutation.key)
        if trial is None or trial.digest != self._digest(target, mutation, trial.by):
            return None
        return trial

    def add(self, target: Target, mutation: Mutation, verdict: Verdict, by: str) -> Trial:
        trial = Trial(mutation.key, verdict, by, self._digest(target, mutation, by))
        self._trials[trial.key] = trial
        self._file.parent.mkdir(parents=True, exist_ok=True)
        with self._file.open("a", encoding="utf-8") as file:
            file.write(json.dumps(asdict(trial)) + "\n")
        return trial

    def _digest(self, target: Target, mutation: Mutation, by: str) -> str:
        """A fault stays killed while its killer stays the same; it survives all tests or none."""
        tests = [by.partition("::")[0]] if by else files_of_tests(self._root, target)
        existing = [name for name in tests if (self._root / name).is_file()]
        return digest_files(self._root, [mutation.module, *existing])
