"""Runs pytest again and again in children of one warm process: `worker.py ROOT MODULE...`.

Reads a job a line from standard input and writes its result a line to standard output, both JSON.
It is the first process of a PID namespace: whatever a mutant starts or leaves is below it, and a
mutant that kills the wrong process reaches nothing else. The modules are imported once, because
importing them takes longer than most tests; nothing of the project is, because that is
what changes from job to job.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import json
import os
import resource
import signal
import sys
import tempfile
import time
import traceback
from importlib.metadata import entry_points
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if sys.platform != "linux":
    raise ImportError("this is for Linux")

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

MAX_CLEAN_UP = 5.0
"""Seconds in which everything that a job left has to be dead and reaped."""
_POLL = 0.005
_OUTPUT_TAIL = 4000


class Recorder:
    """A pytest plugin: which tests ran how long, which failed, which lines each of them ran."""

    def __init__(self, sources: Sequence[str]) -> None:
        self.seconds: dict[str, float] = {}
        self.failed: list[str] = []
        self.reason = ""
        self._coverage: Any = None
        if sources:
            from coverage import Coverage

            self._coverage = Coverage(data_file=None, include=list(sources), config_file=False)
            self._coverage.start()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        if self._coverage is not None:
            self._coverage.switch_context(item.nodeid)
        return (yield)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.seconds[report.nodeid] = self.seconds.get(report.nodeid, 0.0) + report.duration
        if report.failed:
            self.failed.append(report.nodeid)
            self.reason = self.reason or str(report.longrepr)[-_OUTPUT_TAIL:]

    def lines(self) -> dict[str, dict[int, list[str]]]:
        """For each source its lines that ran, and the tests that ran them."""
        if self._coverage is None:
            return {}
        self._coverage.stop()
        data = self._coverage.get_data()
        return {file: data.contexts_by_lineno(file) for file in data.measured_files()}


def run_pytest(job: dict[str, Any], report: Path) -> int:
    """Run the tests of `job` in this process and write what happened to `report`."""
    sys.path.insert(0, os.getcwd())
    recorder = Recorder(job.get("sources", ()))
    code = int(pytest.main(list(job["arguments"]), plugins=[recorder]))
    result = {
        "seconds": recorder.seconds,
        "failed": recorder.failed,
        "reason": recorder.reason,
        "lines": recorder.lines(),
    }
    report.write_text(json.dumps(result), encoding="utf-8")
    return code


def run_job(job: dict[str, Any], folder: Path) -> dict[str, Any]:
    """Run it in a child; `code` is pytest's exit code, or None if the limit ended it."""
    report, output = folder / "report.json", folder / "output.txt"
    report.unlink(missing_ok=True)
    limits = _limits()
    child = os.fork()
    if child == 0:
        _run_child(job, report, output)
    code = _wait(child, float(job["limit"]))
    _kill_rest()
    _restore(limits)
    result: dict[str, Any] = {"code": code, "failed": [], "seconds": {}, "lines": {}, "reason": ""}
    with contextlib.suppress(OSError, ValueError):  # it was killed before it had written all
        result |= json.loads(report.read_text(encoding="utf-8"))
    result["output"] = output.read_text(encoding="utf-8", errors="replace")[-_OUTPUT_TAIL:]
    return result


def _run_child(job: dict[str, Any], report: Path, output: Path) -> None:
    code = 70
    try:
        os.setsid()
        file = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        null = os.open(os.devnull, os.O_RDONLY)
        for source, target in ((null, 0), (file, 1), (file, 2)):
            os.dup2(source, target)
        code = run_pytest(job, report)
    except BaseException:
        traceback.print_exc()
        raise
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)  # no clean-up of the worker's own in a child


def _wait(child: int, limit: float) -> int | None:
    """Wait for `child` and reap, as the first process has to, what others have left."""
    deadline = time.monotonic() + limit
    while time.monotonic() < deadline:
        pid, status = os.waitpid(-1, os.WNOHANG)
        if pid == child:
            return os.waitstatus_to_exitcode(status)
        if pid == 0:
            time.sleep(_POLL)
    return None


def _limits() -> dict[int, tuple[int, int]]:
    """All limits of this process, those without a name in `resource` included."""
    limits: dict[int, tuple[int, int]] = {}
    for number in range(16):
        with contextlib.suppress(OSError, ValueError):
            limits[number] = resource.getrlimit(number)
    return limits


def _restore(limits: dict[int, tuple[int, int]]) -> None:
    """A faulty tracker may have tagged this process, too, and later jobs would inherit the tag."""
    for number, values in limits.items():
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(number, values)


def _kill_rest() -> None:
    deadline = time.monotonic() + MAX_CLEAN_UP
    while time.monotonic() < deadline:
        with contextlib.suppress(ProcessLookupError):
            os.kill(-1, signal.SIGKILL)  # every process of the namespace but this
        try:
            if os.waitpid(-1, os.WNOHANG)[0] == 0:
                time.sleep(_POLL)
        except ChildProcessError:
            return


def _warm_up(modules: Sequence[str]) -> None:
    for name in modules:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    for plugin in entry_points(group="pytest11"):
        plugin.load()
    gc.freeze()  # a child's collections need not look at all of this


def main() -> int:
    if os.getpid() != 1:
        print("this kills every process it sees: it has to be the first of a namespace")
        return 2
    os.chdir(sys.argv[1])
    sys.path.pop(0)  # the folder of this file
    _warm_up(sys.argv[2:])
    with tempfile.TemporaryDirectory() as folder:
        for line in sys.stdin:
            print(json.dumps(run_job(json.loads(line), Path(folder))), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
