"""The saved calls of one folder: reads, writes and runs them, and reports as JUnit XML.

The files are the truth: each `load` reads them again, so that what a team pulls is there. How a
call went last is stored from run to run, its differences only in memory. The folder is read and
written off the loop. Source of the XML: the schema of Jenkins' xunit plug-in, `junit-10.xsd`.
"""

from __future__ import annotations

import asyncio
import logging
import re
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias

from desktop.errors import DesktopError
from desktop.history.expectations import differences
from desktop.history.records import LastRun
from desktop.signals import Signal
from desktop.tool_types import ErrorCode, ToolCall, ToolError, ToolResult

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path
    from xml.etree.ElementTree import Element

    from desktop.history.expectations import Mismatch
    from desktop.history.records import Outcome, SavedCallPlace
    from desktop.history.saved_call import SavedCall
    from desktop.history.saved_call_files import CallFile
    from desktop.servers.connection import ServerConnection
    from desktop.servers.service import McpService
    from desktop.tools.executor import ToolExecutor

Origin: TypeAlias = Literal["person", "agent", "terminal"]


@dataclass(frozen=True, slots=True)
class SavedCallOutcome:
    """What became of one call; `unreachable` and `timeout` only where they were not expected."""

    call: SavedCall
    result: ToolResult
    differences: tuple[Mismatch, ...]

    @property
    def outcome(self) -> Outcome:
        if not self.differences:
            return "passed"
        code = self.result.error.code if self.result.error is not None else None
        if code is ErrorCode.UNREACHABLE:
            return "unreachable"
        return "timeout" if code is ErrorCode.TIMEOUT else "failed"

    def to_json(self) -> dict[str, Any]:
        return {
            "name": self.call.name,
            "tool": self.call.tool,
            "outcome": self.outcome,
            "seconds": round(self.result.execution_time, 6),
            "differences": [difference.to_json() for difference in self.differences],
            "result": self.result.to_json(),
        }


class SavedCallRunner:
    """Runs calls on the servers of one service."""

    def __init__(self, service: McpService, executor: ToolExecutor) -> None:
        self._service, self._executor = service, executor

    async def run(
        self, call: SavedCall, origin: Origin, timeout: float | None = None
    ) -> SavedCallOutcome:
        """Run one call, once its server is connected or has failed; starts none.

        Args:
            call: what to run, and what is expected of it.
            origin: on whose behalf.
            timeout: seconds, where the call itself does not say.
        """
        server = call.tool.partition(":")[0]
        connection = self._service.connections.get(server)
        if connection is not None:
            await connection.settle()
        if connection is None or not connection.is_connected:
            result = _unreachable(server, connection)
        else:
            limit = call.timeout if call.timeout is not None else timeout
            made = ToolCall(
                call.tool,
                call.arguments,
                origin=origin,
                timeout=limit,
                validate=call.is_validated,
            )
            result = await self._executor.run(made)
        return SavedCallOutcome(call, result, differences(call.expect, result))


def _unreachable(server: str, connection: ServerConnection | None) -> ToolResult:
    if connection is None:
        words = f"There is no server {server!r}."
    else:
        words = connection.state.error or f"{server}: {connection.state.words}"
    error = ToolError("ServerError", words, ErrorCode.UNREACHABLE)
    return ToolResult(success=False, error=error)


# What XML 1.0 cannot have, not even escaped (section 2.2).
_ILLEGAL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def to_junit(files: Iterable[tuple[str, Sequence[SavedCallOutcome]]]) -> str:
    """One suite a file: its name and its verdicts. A server that is away is an error."""
    # Here and not above: every run of the app imports this module, few write XML.
    from xml.etree.ElementTree import Element, SubElement, indent, tostring

    root = Element("testsuites", name="mcp-desktop")
    every: list[SavedCallOutcome] = []
    for name, verdicts in files:
        suite = SubElement(root, "testsuite", {"name": _legal(name)} | _counts(verdicts))
        every += verdicts
        for verdict in verdicts:
            _add_case(suite, verdict)
    root.attrib |= _counts(every)
    indent(root)
    return f"<?xml version='1.0' encoding='utf-8'?>\n{tostring(root, encoding='unicode')}\n"


def _counts(verdicts: Sequence[SavedCallOutcome]) -> dict[str, str]:
    outcomes = [verdict.outcome for verdict in verdicts]
    failures, passed = outcomes.count("failed"), outcomes.count("passed")
    return {
        "tests": str(len(outcomes)),
        "failures": str(failures),
        "errors": str(len(outcomes) - failures - passed),
        "time": _seconds(sum(verdict.result.execution_time for verdict in verdicts)),
    }


def _add_case(suite: Element, verdict: SavedCallOutcome) -> None:
    call, result = verdict.call, verdict.result
    from xml.etree.ElementTree import SubElement

    case = SubElement(
        suite,
        "testcase",
        name=_legal(call.name),
        classname=_legal(call.tool),
        time=_seconds(result.execution_time),
    )
    if verdict.differences:
        kind = "failure" if verdict.outcome == "failed" else "error"
        first = verdict.differences[0]
        problem = SubElement(case, kind, message=_legal(first.message), type=first.kind)
        problem.text = _legal("\n".join(difference.message for difference in verdict.differences))


def _seconds(seconds: float) -> str:
    return f"{seconds:.3f}"


def _legal(text: str) -> str:
    """Control characters as they are written in JSON, so that they can still be told."""
    return _ILLEGAL.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class SavedEntry:
    """One call and where it is: `index` in the calls of its file."""

    file: CallFile
    index: int

    @property
    def call(self) -> SavedCall:
        return self.file.calls[self.index]

    @property
    def place(self) -> SavedCallPlace:
        """The same for as long as neither file nor call is renamed."""
        return str(self.file.path), self.call.name


class LastRuns(Protocol):
    """Where outcomes are kept: `HistoryStore` is one. Its methods may raise `DesktopError`."""

    async def keep_last_run(self, place: SavedCallPlace, run: LastRun) -> None: ...
    async def last_runs(self) -> dict[SavedCallPlace, LastRun]: ...


class SavedCalls:
    """What the folder holds. `problems` is a sentence for each file that could not be read."""

    def __init__(self, folder: Path, runs: LastRuns | None = None) -> None:
        """Reads nothing yet; the folder need not be there.

        Args: runs: where outcomes are kept; nowhere without it.
        """
        self._runs = runs
        self.folder = folder
        self.entries: tuple[SavedEntry, ...] = ()
        self.problems: tuple[str, ...] = ()
        self.verdicts: dict[SavedCallPlace, SavedCallOutcome] = {}
        self.last: dict[SavedCallPlace, LastRun] = {}
        self.changed: Signal[[]] = Signal()

    async def use(self, folder: Path) -> None:
        """Take the calls of another folder from now on."""
        self.folder = folder
        await self.load()

    async def load(self) -> None:
        """Read all files anew; one that is wrong leaves the others."""
        # Held from the start: under qasync a task may go on while no loop runs.
        loop = asyncio.get_running_loop()
        if self._runs is not None:
            try:
                self.last = await self._runs.last_runs() | self.last
            except DesktopError as error:
                logger.warning("how saved calls went before is not known: %s", error)
        self.entries, self.problems = await loop.run_in_executor(None, _read, self.folder)
        self.changed.send()

    async def add(self, call: SavedCall) -> Path:
        """Write a new file for `call`; returns it. Raises `CallFileError`."""
        from desktop.history.saved_call_files import add_call

        file = await asyncio.to_thread(add_call, self.folder, call)
        await self.load()
        return file.path

    async def replace(self, entry: SavedEntry, call: SavedCall) -> None:
        """Put `call` in place of `entry`. Raises `CallFileError`."""
        from desktop.history.saved_call_files import replace_call

        current = await self._current(entry)
        await asyncio.to_thread(replace_call, current.file, current.index, call)
        await self.load()

    async def remove(self, entry: SavedEntry) -> None:
        """Take it out of its file, which goes with its last call. Raises `CallFileError`."""
        from desktop.history.saved_call_files import remove_call

        current = await self._current(entry)
        await asyncio.to_thread(remove_call, current.file, current.index)
        self.verdicts.pop(entry.place, None)
        self.last.pop(entry.place, None)
        await self.load()

    async def tell(self, entry: SavedEntry, verdict: SavedCallOutcome) -> None:
        """Remember how a call went. Never raises for the disk."""
        run = LastRun(verdict.outcome, datetime.now(UTC), verdict.result.execution_time)
        self.verdicts[entry.place], self.last[entry.place] = verdict, run
        self.changed.send()
        if self._runs is not None:
            try:
                await self._runs.keep_last_run(entry.place, run)
            except DesktopError as error:
                logger.warning("how %r went is not kept: %s", entry.call.name, error)

    async def _current(self, entry: SavedEntry) -> SavedEntry:
        """The entry in its file as it is now: somebody may have edited it meanwhile."""
        from desktop.history.saved_call_files import CallFileError, read_calls

        file = await asyncio.to_thread(read_calls, entry.file.path)
        for index, call in enumerate(file.calls):
            if call == entry.call:
                return SavedEntry(file, index)
        raise CallFileError(
            f"{file.path} has changed meanwhile; nothing was written.",
            remedy="Look at it again first.",
        )


def _read(folder: Path) -> tuple[tuple[SavedEntry, ...], tuple[str, ...]]:
    from desktop.history.saved_call_files import (
        CallFileError,
        find_files,
        read_calls,
    )  # pydantic: late

    entries: list[SavedEntry] = []
    problems: list[str] = []
    try:
        paths = find_files(folder) if folder.exists() else []
    except (CallFileError, OSError) as error:
        return (), (str(error),)
    for path in paths:
        try:
            file = read_calls(path)
        except CallFileError as error:
            problems.append(str(error))
        else:
            entries += [SavedEntry(file, index) for index in range(len(file.calls))]
    return tuple(entries), tuple(problems)
