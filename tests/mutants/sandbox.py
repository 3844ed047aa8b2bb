"""A copy of the tree in which faults are tried, and the worker that runs its tests (Linux).

The tree itself is never changed. The worker lives in a PID namespace of its own, because a faulty
process tracker may signal any process it can see. Must not know what a fault is.
"""

from __future__ import annotations

import json
import os
import select
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from resources.packaging.setup_env import is_root

if TYPE_CHECKING:
    from collections.abc import Sequence

NAMESPACE = ("unshare", "--pid", "--fork", "--mount-proc", "--kill-child=SIGKILL")
"""Starts a program as the first process of a PID namespace, which ends with it."""
UNPRIVILEGED = ("--user", "--map-current-user")
NOT_COPIED = shutil.ignore_patterns(
    ".git", ".venv", ".peers", ".hypothesis", ".*_cache", "__pycache__", "build", "dist"
)
WARM = (
    "PySide6.QtTest",
    "PySide6.QtWidgets",
    "asyncio",
    "coverage",
    "httpx2",
    "hypothesis.internal.conjecture.engine",
    "hypothesis.strategies",
    "jsonschema",
    "mcp",
    "psutil",
    "pydantic",
)
"""What most tests import, third-party alone: the worker imports it once."""
START_LIMIT = 60.0
"""Seconds for the worker to import what it keeps warm and to clean up after a job."""
# The worker has plugins imported before pytest looks for them.
_OPTIONS = ("-q", "-p", "no:cacheprovider", "-W", "ignore::pytest.PytestAssertRewriteWarning")
_WORKER = Path(__file__).with_name("worker.py")


class WorkerLostError(Exception):
    """The worker ended or does not answer."""


@dataclass(frozen=True, slots=True)
class TestRun:
    """What a run of some tests came to; `code` is pytest's, or None if its limit ended it."""

    __test__ = False

    code: int | None
    failed: tuple[str, ...] = ()
    reason: str = ""
    output: str = ""
    seconds: dict[str, float] = field(default_factory=dict[str, float])
    lines: dict[str, dict[int, list[str]]] = field(default_factory=dict[str, dict[int, list[str]]])

    @property
    def passed(self) -> bool:
        return self.code == 0


class Sandbox:
    """A copy of `root` and its worker; `close` ends both. Use it in a `with` statement."""

    def __init__(self, root: Path, warm: Sequence[str] = WARM) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="mutants-"))
        self.root = self._folder / "tree"
        self._worker: subprocess.Popen[bytes] | None = None
        self._warm = tuple(warm)
        self._changes = 0
        try:
            shutil.copytree(root, self.root, ignore=NOT_COPIED, symlinks=True)
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Sandbox:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._end_worker()
        shutil.rmtree(self._folder, ignore_errors=True)

    def run(
        self,
        tests: Sequence[str],
        limit: float,
        *,
        test_limit: float = 60,
        sources: Sequence[str] = (),
    ) -> TestRun:
        """Run `tests` (node ids or files) until the first failure, for `limit` seconds at most.

        With `sources`, all are run, and the result has the lines of these files that each ran.
        """
        arguments = [*_OPTIONS, f"--timeout={test_limit:.0f}", *tests]
        job: dict[str, Any] = {"arguments": arguments, "limit": limit}
        if sources:
            job["sources"] = [str(self.root / source) for source in sources]
        else:
            arguments.insert(0, "-x")
        result = self._ask(job, limit + START_LIMIT)
        lines = {
            Path(file).relative_to(self.root).as_posix(): {
                int(n): tests for n, tests in ran.items()
            }
            for file, ran in result["lines"].items()
        }
        return TestRun(
            result["code"],
            tuple(result["failed"]),
            result["reason"],
            result["output"],
            result["seconds"],
            lines,
        )

    def write(self, module: str, source: bytes) -> None:
        """Put another text into the copy, so that no compiled file of an older text fits it."""
        file = self.root / module
        self._changes += 1
        file.write_bytes(source)
        moment = int(time.time()) + 10 * self._changes
        os.utime(file, (moment, moment))

    def restore(self, module: str, source: bytes, modified: int) -> None:
        """Put the text back with its time (in ns), so that its compiled file fits again."""
        file = self.root / module
        file.write_bytes(source)
        os.utime(file, ns=(modified, modified))

    def _ask(self, job: dict[str, Any], limit: float) -> dict[str, Any]:
        worker = self._worker or self._start_worker()
        assert worker.stdin is not None
        assert worker.stdout is not None
        try:
            worker.stdin.write(json.dumps(job).encode() + b"\n")
            worker.stdin.flush()
            return json.loads(_read_line(worker.stdout, limit))
        except (OSError, ValueError) as error:
            self._end_worker()
            raise WorkerLostError(f"the worker does not answer: {error}") from error

    def _start_worker(self) -> subprocess.Popen[bytes]:
        namespace = [*NAMESPACE, *(() if is_root() else UNPRIVILEGED)]
        environment = {**os.environ, "PYTHONPATH": str(self.root), "QT_QPA_PLATFORM": "offscreen"}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)  # compiling the tree takes longest
        self._worker = subprocess.Popen(
            [*namespace, sys.executable, str(_WORKER), str(self.root), *self._warm],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment,
        )
        return self._worker

    def _end_worker(self) -> None:
        worker, self._worker = self._worker, None
        if worker is None:
            return
        worker.kill()  # the whole namespace ends with it
        for pipe in (worker.stdin, worker.stdout):
            if pipe is not None:
                pipe.close()
        worker.wait(START_LIMIT)


def has_namespaces() -> bool:
    """Whether this system lets us make the namespace that the worker needs."""
    command = [*NAMESPACE, *(() if is_root() else UNPRIVILEGED)]
    if sys.platform != "linux" or shutil.which(command[0]) is None:
        return False
    return (
        subprocess.run([*command, "true"], capture_output=True, timeout=10, check=False).returncode
        == 0
    )


def _read_line(pipe: IO[bytes], limit: float) -> bytes:
    deadline = time.monotonic() + limit
    received = b""
    while not received.endswith(b"\n"):
        left = deadline - time.monotonic()
        if left <= 0 or not select.select([pipe], [], [], left)[0]:
            raise TimeoutError(f"nothing for {limit:.0f} s")
        part = os.read(pipe.fileno(), 1 << 20)
        if not part:
            raise EOFError("it has ended")
        received += part
    return received
