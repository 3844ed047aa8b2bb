"""What every test is held to: no unexpected log, no task and no process left behind.

A test that provokes a warning says so with `expected_logs`. Knows no widget: see gui/conftest.py.
"""

from __future__ import annotations

import asyncio
import gc
import inspect
import logging
import os
import re
import sys
import time
import warnings
from contextlib import suppress
from typing import TYPE_CHECKING

import psutil
import pytest
from hypothesis import settings

from desktop.diagnostics.logs import LEVELS
from tests import automatic_marks

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Generator, Iterator
    from typing import Any

pytest_plugins = ("tests.cli.fixtures",)

# Before any QApplication; also inherited by every process a test starts.
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
# Else this run and each of the hundreds of programs that it starts would compile all sources anew.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
# No test asks the keyring of whoever runs it.
os.environ["PYTHON_KEYRING_BACKEND"] = "keyring.backends.null.Keyring"
# Nor their login shell, which may need longer than it has on a busy machine.
os.environ["SHELL"] = "/bin/sh"

# For the loop of whoever works on it (`make test-fast`); CI draws ten times as many.
settings.register_profile("fast", settings.get_profile("ci"), max_examples=10)

TASK_LIMIT = 0.5  # a cancelled task needs a few turns of the loop, never this long
PROCESS_LIMIT = 2.0  # a process that was told to end is gone long before
POLL = 0.01
SURVIVED = 100  # tests: what is alive after so many stays until the end


@pytest.fixture(scope="session", autouse=True)
def _own_places(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """No test reads or writes the files of the person who runs it."""
    folder = tmp_path_factory.mktemp("mcp-desktop")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MCP_DESKTOP_CONFIG", str(folder / "mcp.json"))
        patch.setenv("MCP_DESKTOP_DATA", str(folder / "data"))
        patch.delenv("MCP_DESKTOP_TRACE", raising=False)
        patch.delenv("MCP_SERVERS", raising=False)
        yield


# --- logs -------------------------------------------------------------------------------------


class ExpectedLogs:
    """The warnings and errors that this test provokes on purpose, as regular expressions."""

    def __init__(self) -> None:
        self._required: list[str] = []
        self._allowed: list[str] = []

    def expect(self, pattern: str) -> None:
        """At least one record of WARNING or above must match `pattern` before the test ends."""
        self._required.append(pattern)

    def allow(self, pattern: str) -> None:
        """Such a record may come: where it depends on the moment whether it does."""
        self._allowed.append(pattern)

    def unexpected(self, messages: list[str]) -> list[str]:
        patterns = self._required + self._allowed
        return [text for text in messages if not any(re.search(p, text) for p in patterns)]

    def missing(self, messages: list[str]) -> list[str]:
        return [p for p in self._required if not any(re.search(p, text) for text in messages)]


class _Warnings(logging.Handler):
    """Collects what a user would find alarming in the log."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.messages: list[str] = []
        self.setFormatter(logging.Formatter("%(levelname)s %(name)s: %(message)s"))

    def emit(self, record: logging.LogRecord) -> None:
        self.messages.append(self.format(record))


@pytest.fixture(autouse=True)
def expected_logs() -> Iterator[ExpectedLogs]:
    """Fail on each record of WARNING or above that the test did not announce here."""
    expected, handler = ExpectedLogs(), _Warnings()
    logging.getLogger().addHandler(handler)
    yield expected
    logging.getLogger().removeHandler(handler)
    if unexpected := expected.unexpected(handler.messages):
        pytest.fail("unexpected log records:\n" + "\n".join(unexpected), pytrace=False)
    if missing := expected.missing(handler.messages):
        pytest.fail(f"log records that did not come: {missing}", pytrace=False)


@pytest.fixture(autouse=True)
def _own_logging() -> Iterator[None]:
    """What a test configures is taken back: a level that stays silences the tests after it."""
    root = logging.getLogger()
    handlers, raises = list(root.handlers), logging.raiseExceptions
    levels = {name: logging.getLogger(name).level for name in LEVELS}
    yield
    logging.raiseExceptions = raises
    for name, level in levels.items():
        logging.getLogger(name).setLevel(level)
    for handler in [handler for handler in root.handlers if handler not in handlers]:
        root.removeHandler(handler)
        handler.close()


@pytest.fixture(autouse=True)
def _as_it_was() -> Iterator[None]:
    """A relative path and a deep value mean the same to each test, in any order."""
    folder, depth = os.getcwd(), sys.getrecursionlimit()
    yield
    if (folder_now := os.getcwd()) != folder:
        os.chdir(folder)
        pytest.fail(f"the working folder of all tests is {folder_now} now", pytrace=False)
    if (depth_now := sys.getrecursionlimit()) != depth:
        sys.setrecursionlimit(depth)
        pytest.fail(f"the recursion limit of all tests is {depth_now} now", pytrace=False)


# --- processes --------------------------------------------------------------------------------


def _children() -> set[psutil.Process]:
    """Descendants of this process; psutil compares them by PID and time of creation."""
    try:
        pids = list(_descendants(os.getpid()))  # at once: it raises here, not later
    except FileNotFoundError:  # no Linux
        return set(psutil.Process().children(recursive=True))
    found: set[psutil.Process] = set()
    for pid in pids:
        with suppress(psutil.NoSuchProcess):
            found.add(psutil.Process(pid))
    return found


def _descendants(pid: int) -> Iterator[int]:
    """Walks down from `pid`: psutil reads all processes of the machine, milliseconds a test."""
    for task in os.listdir(f"/proc/{pid}/task"):
        with suppress(FileNotFoundError, ProcessLookupError):
            with open(f"/proc/{pid}/task/{task}/children", encoding="ascii") as file:
                below = [int(word) for word in file.read().split()]
            for child in below:
                yield child
                with suppress(FileNotFoundError, ProcessLookupError):
                    yield from _descendants(child)


def _describe(process: psutil.Process) -> str:
    try:
        if process.status() == psutil.STATUS_ZOMBIE:
            return f"{process.pid}: ended, but nobody waited for it"
        return f"{process.pid}: {' '.join(process.cmdline())}"
    except psutil.Error:
        return f"{process.pid}: {process!r}"


def _kill(process: psutil.Process) -> None:
    """Kill and reap it; psutil checks first that the PID is still this process."""
    try:
        process.kill()
        process.wait(PROCESS_LIMIT)
    except psutil.Error:
        return


def _kill_new(before: set[psutil.Process]) -> None:
    """End all descendants but those of `before`, also those that are forked meanwhile."""
    # A failing test may leave its servers in the tracker that all tests of this run share.
    tracking = sys.modules.get("desktop.processes.tracker")
    if tracking is not None:
        tracking.McpProcessTracker.instance().kill_all()
    deadline = time.monotonic() + PROCESS_LIMIT
    while (left := _children() - before) and time.monotonic() < deadline:
        for process in left:
            _kill(process)


class _SharedProcesses:
    """What fixtures of a wider scope than one test have started: it stays after the first test.

    Not a hook of this file: pytest does not ask it about what belongs to the whole session.
    """

    def __init__(self) -> None:
        self.found: set[psutil.Process] = set()

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: pytest.FixtureDef[object]) -> Generator[None]:
        if fixturedef.scope == "function":
            return (yield)
        before = _children()
        try:
            return (yield)
        finally:
            self.found |= _children() - before


_shared = _SharedProcesses()


class _Survivors:
    """What is there before the first test stays, and so does what hundreds of them have imported.

    No collection in a later test walks through it again: it would take a fifth of all the time.
    """

    def __init__(self) -> None:
        self._begun = 0

    def pytest_runtest_logstart(self) -> None:
        if self._begun % SURVIVED == 0:
            gc.collect()
            gc.freeze()
        self._begun += 1


def pytest_xdist_auto_num_workers() -> int:
    """Half as many again as there are cores: a third of the time tests wait for a process."""
    cores = os.cpu_count() or 1
    return cores + cores // 2


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(_shared)
    config.pluginmanager.register(_Survivors())


@pytest.fixture(autouse=True)
def _no_process_left(expected_logs: ExpectedLogs) -> Iterator[None]:
    """End what a test leaves and charge it to that test: none after it finds any of it."""
    before = _children()
    yield
    before |= _shared.found
    deadline = time.monotonic() + PROCESS_LIMIT
    while (left := _children() - before) and time.monotonic() < deadline:
        time.sleep(POLL)
    if left:
        described = [_describe(process) for process in left]
        _kill_new(before)
        pytest.fail("processes left behind:\n" + "\n".join(described), pytrace=False)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown() -> Generator[None]:
    """Dispose of what a failed test held open before the next test begins.

    pytest keeps the traceback, and with it every local variable of the test, until the next test
    runs. What the test did not close would then warn in that one and fail it.
    """
    try:
        return (yield)
    finally:
        if getattr(sys, "last_value", None) is not None:  # set by a failure, reset by the next test
            for name in ("last_type", "last_value", "last_traceback", "last_exc"):
                if hasattr(sys, name):
                    delattr(sys, name)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # that it failed has been said
                gc.collect()


# --- tasks ------------------------------------------------------------------------------------


@pytest.fixture
async def _no_task_left(_no_process_left: None) -> AsyncIterator[None]:
    before = asyncio.all_tasks()
    yield
    left = asyncio.all_tasks() - before - {asyncio.current_task()}
    if left:
        _, left = await asyncio.wait(left, timeout=TASK_LIMIT)
    if left:
        described = [_describe_task(task) for task in left]
        for task in left:
            task.cancel()
        await asyncio.wait(left, timeout=TASK_LIMIT)
        pytest.fail("tasks left behind:\n" + "\n".join(described), pytrace=False)


def _describe_task(task: asyncio.Task[Any]) -> str:
    lines = [f"{f.f_code.co_filename}:{f.f_lineno}" for f in task.get_stack(limit=1)]
    return f"{task.get_name()} at {', '.join(lines) or 'its start'}"


@pytest.hookimpl(tryfirst=True)  # marks are what `-m` deselects by
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    automatic_marks.mark(items)
    _watch_tasks(items)


def _watch_tasks(items: list[pytest.Item]) -> None:
    """Only async tests have a loop to look at; in front, so that it is judged after the others."""
    for item in items:
        if not isinstance(item, pytest.Function) or "_no_task_left" in item.fixturenames:
            continue
        if inspect.iscoroutinefunction(getattr(item, "function", None)):
            item.fixturenames.insert(0, "_no_task_left")
