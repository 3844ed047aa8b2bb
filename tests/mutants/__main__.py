"""`make mutants`: puts small faults into the code and reports those that no test notices.

Tries `--number` of them, drawn by `--seed` from all that can be made in the given modules. Each run
draws others and prints its seed, so that tests are not written for the faults of one seed. Exit
code 1 if less than 90 % are noticed, or if one that is not noticed lacks a reason in
`tests/mutants/explained.toml`. An interrupted run goes on where it was with the same `--seed`;
`--fresh` forgets what earlier runs found.
"""

from __future__ import annotations

import argparse
import dataclasses
import random
import shutil
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from tests.mutants.baseline import BaselineError, measure
from tests.mutants.explained import find_stale, read_explanations
from tests.mutants.report import Report
from tests.mutants.sandbox import Sandbox, WorkerLostError, has_namespaces
from tests.mutants.targets import TARGETS
from tests.mutants.trials import MIN_LIMIT, Results, choose, judge

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.mutants.baseline import Baseline
    from tests.mutants.mutations import Mutation
    from tests.mutants.targets import Target

ROOT = Path(__file__).parents[2]
EXPLAINED = Path(__file__).with_name("explained.toml")
DEFAULT_NUMBER = 250
_SEEDS = 2**32


def try_all(
    sandbox: Sandbox,
    chosen: Sequence[tuple[Target, Mutation]],
    results: Results,
    cache: Path,
    min_limit: float = MIN_LIMIT,
) -> Report:
    """Judge each fault that has no verdict yet, printing a line for each.

    Raises:
        BaselineError: the tests do not run even without a fault.
        WorkerLostError: what runs the tests has ended.
    """
    report = Report()
    baselines: dict[str, Baseline] = {}
    for number, (target, mutation) in enumerate(chosen, 1):
        trial = results.find(target, mutation)
        if trial is None:
            if target.name not in baselines:
                print(f"running the tests of {target.name} without a fault", flush=True)
                baseline = baselines[target.name] = measure(sandbox, target, cache)
                report.problems += [f"fails without a fault: {test}" for test in baseline.failed]
            baseline = baselines[target.name]
            tests = baseline.tests_for(mutation, target)
            verdict, by = judge(sandbox, mutation, tests, baseline, min_limit)
            trial = results.add(target, mutation, verdict, by)
            print(f"{number}/{len(chosen)} {trial.verdict}: {trial.key}", flush=True)
        report.verdicts.append((mutation, trial.verdict))
    return report


def _parse(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make mutants", description=__doc__)
    parser.add_argument("modules", nargs="*", help="names of targets, or parts of files' names")
    parser.add_argument("--number", type=int, default=DEFAULT_NUMBER, help="0 for all")
    parser.add_argument("--seed", type=int, default=random.randrange(_SEEDS))
    parser.add_argument("--fresh", action="store_true", help="forget what earlier runs found")
    parser.add_argument("--list", action="store_true", help="print the faults and try none")
    return parser.parse_args(arguments)


def _narrow(names: Sequence[str]) -> list[Target]:
    """The targets with these names; of the others, those files whose name has one in it."""
    if not names:
        return list(TARGETS)
    narrowed: list[Target] = []
    for target in TARGETS:
        modules = target.modules(ROOT)
        unwanted = [m for m in modules if not any(name in m for name in names)]
        if target.name in names:
            narrowed.append(target)
        elif len(unwanted) < len(modules):
            without = (*target.without, *unwanted)
            narrowed.append(dataclasses.replace(target, without=without))
    return narrowed


def main(arguments: Sequence[str]) -> int:
    wanted = _parse(arguments)
    chosen = choose(ROOT, _narrow(wanted.modules), wanted.number or None, wanted.seed)
    print(f"{len(chosen)} faults, seed {wanted.seed}", flush=True)
    if wanted.list:
        print("\n".join(mutation.key for _, mutation in chosen))
        return 0
    if not has_namespaces():
        print("Faults are tried in a PID namespace, for which this needs Linux and unshare.")
        return 2
    cache = ROOT / "build" / "mutants"
    if wanted.fresh:
        shutil.rmtree(cache, ignore_errors=True)
    explanations = read_explanations(EXPLAINED)
    try:
        with Sandbox(ROOT) as sandbox:
            results = Results(cache / "results.jsonl", sandbox.root)
            report = try_all(sandbox, chosen, results, cache)
    except (BaselineError, WorkerLostError) as error:
        print(error)
        return 1
    report.explanations = explanations
    stale = find_stale(explanations, ROOT, report.killed)
    report.problems += [f"stale in {EXPLAINED.name}: {entry}" for entry in stale]
    print(report)
    return 0 if report.is_good else 1


if __name__ == "__main__":
    # As by Ctrl+C: its worker and its copy of the tree end with it.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    sys.exit(main(sys.argv[1:]))
