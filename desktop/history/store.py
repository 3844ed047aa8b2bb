"""The calls on disk, for a loop that never waits for the disk, and what records them.

One thread has the file; it and SQLite itself are there from the first call on. A failure to write
costs the history, never a call, and a call is never changed. Several processes may have the same
file open.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from desktop.errors import DesktopError
from desktop.history.records import FinishedCall
from desktop.history.serialization import HistoryLimits
from desktop.signals import Signal
from desktop.spilled import beginning
from desktop.tasks import spawn
from desktop.tool_types import EMPTY, ToolCall, ToolResult

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from concurrent.futures import ThreadPoolExecutor
    from datetime import datetime
    from pathlib import Path

    from desktop.history.database import HistoryDatabase
    from desktop.history.records import (
        CallKind,
        CallPage,
        LastRun,
        Query,
        Record,
        SavedCallPlace,
    )
    from desktop.prompt_types import PromptResult
    from desktop.redaction.redactor import Redaction
    from desktop.resource_types import ReadResult
    from desktop.servers.service import McpService
    from desktop.tool_types import Content, JsonObject, ToolError
    from desktop.tools.executor import ToolExecutor
    from desktop.tools.registry import ToolRegistry

T = TypeVar("T")
PAGE = 200
CLOSE_LIMIT = 2.0
"""Seconds that a quit waits for what is not yet written."""
DELAY = 0.05
"""Calls that end in this time share one write: each write takes time from the calls that run."""
_BATCH = 200
_MAX_LOST = 1_000
"""Calls that could not be kept, and are known by their ids."""

logger = logging.getLogger(__name__)


class HistoryError(DesktopError):
    """The history file cannot be used; the message names it and says why."""


class HistoryStore:
    """All calls, the latest first.

    `problem` says why calls are not recorded and is empty while they are. `notice` says what was
    put aside, for as long as this runs. `changed` follows both, and each change of the calls.
    """

    def __init__(
        self, path: Path, limits: HistoryLimits | None = None, delay: float = DELAY
    ) -> None:
        """Touches nothing: the file is opened with the first call or look.

        Args: delay: seconds that a call waits for others to be written with it.
        """
        self.path = path
        self.problem = ""
        self.notice = ""
        self.lost = 0
        self._lost_ids: dict[str, None] = {}
        self.changed: Signal[[]] = Signal()
        self._limits = limits or HistoryLimits()
        self._pending: deque[FinishedCall] = deque()
        self._weight = 0
        self._delay = delay
        self._timer: asyncio.TimerHandle | None = None
        self._writing: asyncio.Task[None] | None = None
        self._pool: ThreadPoolExecutor | None = None
        self._database: HistoryDatabase | None = None
        self._is_closed = False

    @property
    def is_writing(self) -> bool:
        """Whether calls wait for the disk."""
        return self._weight > 0

    def has_lost(self, call_id: str) -> bool:
        """Whether a call of this id could not be kept."""
        return call_id in self._lost_ids

    def add(self, finished: FinishedCall) -> None:
        """Keep this call; returns at once and never raises for the file."""
        if self._is_closed:
            return
        if self._weight > self._limits.pending:
            self._lose((finished,), "the disk is slower than the calls")
            return
        self._weight += finished.weight
        self._pending.append(finished)
        self._schedule()

    async def page(
        self, query: Query | None = None, before: int | None = None, count: int = PAGE
    ) -> CallPage:
        """`count` calls of `query` at most, older than the call with the id `before`.

        Raises:
            HistoryError: the file cannot be read.
        """
        from desktop.history.records import Query

        wanted = query or Query()
        return await self._ask(lambda database: database.page(wanted, before, count))

    async def servers(self) -> list[str]:
        """The names of all servers that calls are kept of. Raises `HistoryError`."""
        return await self._ask(lambda database: database.servers())

    async def get(self, number: int) -> Record | None:
        """The whole of one call, None where it is gone. Raises `HistoryError`."""
        return await self._ask(lambda database: database.get(number))

    async def media(self, number: int, count: int = 3) -> list[bytes]:
        """The first `count` pictures and sounds of a result. Raises `HistoryError`."""
        return await self._ask(lambda database: database.media(number, count))

    async def delete(self, numbers: Sequence[int]) -> None:
        """Remove these calls for good. Raises `HistoryError`."""
        await self._ask(lambda database: database.delete(numbers))
        self.changed.send()

    async def delete_before(self, at: datetime) -> None:
        """Remove the calls that started before `at`. Raises `HistoryError`."""
        await self._ask(lambda database: database.delete_before(at.timestamp()))
        self.changed.send()

    async def delete_all(self) -> None:
        """Remove every call for good. Raises `HistoryError`."""
        await self._ask(lambda database: database.delete_before(float("inf")))
        self.changed.send()

    async def keep_last_run(self, place: SavedCallPlace, run: LastRun) -> None:
        """Remember how a saved call went. Raises `HistoryError`."""
        await self._ask(lambda database: database.keep_last_run(place, run))

    async def last_runs(self) -> dict[SavedCallPlace, LastRun]:
        """How the saved calls went last, in this run or an earlier one. Raises `HistoryError`."""
        return await self._ask(lambda database: database.last_runs())

    async def look(self) -> None:
        """Send `changed` if another process has written meanwhile. Raises `HistoryError`."""
        if await self._ask(lambda database: database.has_changed()):
            self.changed.send()

    def write_now(self) -> None:
        """Begin to write what is pending, for whoever is about to wait for something else."""
        if self._timer is not None:
            self._timer.cancel()
            self._begin()

    async def close(self) -> None:
        """Write what is pending, `CLOSE_LIMIT` seconds at most, and let go of the file."""
        self._is_closed = True
        self.write_now()
        if self._writing is not None:
            _, late = await asyncio.wait({self._writing}, timeout=CLOSE_LIMIT)
            if late:
                logger.warning("%d calls were not recorded before the end", len(self._pending))
                self._pending.clear()
        pool, self._pool = self._pool, None
        if pool is not None:
            letting_go = asyncio.get_running_loop().run_in_executor(pool, self._let_go)
            _, late = await asyncio.wait({letting_go}, timeout=CLOSE_LIMIT)
            pool.shutdown(wait=not late)  # then its thread ends at once, and is waited for by none

    def _schedule(self) -> None:
        if self._timer is None and self._writing is None:
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(self._delay, self._begin)

    def _begin(self) -> None:
        self._timer = None
        self._writing = spawn(self._write_pending(), "history")

    async def _write_pending(self) -> None:
        """What is there; what comes meanwhile waits for more again, unless this is the end."""
        try:
            await self._write_some(len(self._pending))
            if self._is_closed:
                await self._write_some(len(self._pending))
        finally:
            self._writing = None
        if self._pending and not self._is_closed:
            self._schedule()

    async def _write_some(self, count: int) -> None:
        while count > 0 and self._pending:
            batch = [self._pending.popleft() for _ in range(min(_BATCH, len(self._pending)))]
            count -= len(batch)
            try:
                await self._in_thread(lambda batch=batch: self._write(batch))
            except HistoryError as error:
                self._lose(batch, str(error))
            else:
                self.problem = ""
            self._weight -= sum(finished.weight for finished in batch)
            self.changed.send()

    def _lose(self, batch: Sequence[FinishedCall], why: str) -> None:
        self.lost += len(batch)
        for finished in batch:
            self._lost_ids[finished.call.call_id] = None
        while len(self._lost_ids) > _MAX_LOST:
            del self._lost_ids[next(iter(self._lost_ids))]
        if not self.problem:
            logger.warning("calls are not recorded: %s", why)
        self.problem = why

    async def _ask(self, question: Callable[[HistoryDatabase], T]) -> T:
        if self._is_closed:
            raise HistoryError("The history is closed.")
        notice = self.notice
        answer = await self._in_thread(lambda: self._using(question))
        if notice != self.notice:
            self.changed.send()
        return answer

    async def _in_thread(self, work: Callable[[], T]) -> T:
        if self._pool is None:
            from concurrent.futures import ThreadPoolExecutor

            self._pool = ThreadPoolExecutor(1, "history")
        return await asyncio.get_running_loop().run_in_executor(self._pool, work)

    # From here on in the thread.

    def _write(self, batch: Sequence[FinishedCall]) -> None:
        from desktop.history.serialization import encode

        rows = [encode(finished, self._limits) for finished in batch]
        self._using(lambda database: database.write(rows))

    def _using(self, work: Callable[[HistoryDatabase], T]) -> T:
        """Do `work` with the open file; one that turns out to be broken is put aside once."""
        import sqlite3

        from desktop.history.database import StrangeFileError, is_damaged, is_sound

        try:
            try:
                return work(self._opened())
            except StrangeFileError as error:
                self._put_aside(error.kind, str(error))
            except sqlite3.DatabaseError as error:
                if not is_damaged(error):
                    raise
                self._let_go()
                if not is_sound(self.path):  # else another process has put it aside already
                    self._put_aside("damaged", f"is damaged ({error})")
            return work(self._opened())
        except (sqlite3.Error, StrangeFileError, OSError) as error:
            self._let_go()
            reason = getattr(error, "strerror", None) or str(error)
            raise HistoryError(
                f"The history {self.path} cannot be used: {reason}.",
                remedy="Check the permissions of its folder, and the room on the disk.",
            ) from error

    def _opened(self) -> HistoryDatabase:
        if self._database is None:
            from desktop.history.database import HistoryDatabase, open_file

            self._database = HistoryDatabase(open_file(self.path), self._limits)
        return self._database

    def _put_aside(self, kind: str, why: str) -> None:
        from desktop.history.database import put_aside

        self._let_go()
        kept = put_aside(self.path, kind)
        self.notice = f"{self.path} {why}. It was put aside as {kept.name}; a new one was begun."
        logger.warning("%s", self.notice)

    def _let_go(self) -> None:
        database, self._database = self._database, None
        if database is not None:
            with suppress(Exception):
                database.close()


class HistoryRecorder:
    """Records from its making until `close`; one for each executor, on one store."""

    def __init__(
        self,
        executor: ToolExecutor,
        registry: ToolRegistry,
        store: HistoryStore,
        redaction: Callable[[str], Redaction],
    ) -> None:
        """Make the recorder, and begin.

        Args:
            executor: whose calls are recorded.
            registry: has the schemas that say what is secret in the arguments.
            store: where the calls go.
            redaction: knows the secrets of a server, by its name.
        """
        self._registry, self._store, self._redaction = registry, store, redaction
        self.close = executor.finished.connect(self._record)

    def _record(self, call: ToolCall, result: ToolResult) -> None:
        tool = self._registry.get(call.key)
        schema = tool.definition.input_schema if tool is not None else EMPTY
        known = self._redaction(call.key.partition(":")[0]).secrets
        self._store.add(FinishedCall(call, result, schema, known))


class ReadRecorder:
    """Records what persons read of servers and the prompts they had filled in, until `close`."""

    def __init__(
        self,
        service: McpService,
        store: HistoryStore,
        redaction: Callable[[str], Redaction],
    ) -> None:
        """Make the recorder, and begin; `redaction` knows the secrets of a server, by its name."""
        self._store, self._redaction = store, redaction
        self._ends = (
            service.resource_read.connect(self._record_read),
            service.prompt_filled.connect(self._record_prompt),
        )

    def close(self) -> None:
        for end in self._ends:
            end()

    def _record_read(self, server: str, uri: str, read: ReadResult) -> None:
        call = ToolCall(f"{server}:{uri}", {"uri": uri})
        result = _as_call(read.contents, read.error, read.seconds, read.meta)
        self._add(server, call, result, "resource")

    def _record_prompt(
        self, server: str, name: str, arguments: Mapping[str, str], filled: PromptResult
    ) -> None:
        call = ToolCall(f"{server}:{name}", dict(arguments))
        contents = tuple(message.content for message in filled.messages)
        roles = {"roles": [message.role for message in filled.messages]}
        result = _as_call(contents, filled.error, filled.seconds, {**filled.meta, **roles})
        self._add(server, call, result, "prompt")

    def _add(self, server: str, call: ToolCall, result: ToolResult, kind: CallKind) -> None:
        known = self._redaction(server).secrets
        self._store.add(FinishedCall(call, result, EMPTY, known, kind))


def _as_call(
    contents: tuple[Content, ...], error: ToolError | None, seconds: float, meta: JsonObject
) -> ToolResult:
    from desktop.servers.content import flatten_content

    # The blocks have the rest, as far as it is kept.
    spoken = (replace(each, text=beginning(each.readable_text), data=b"") for each in contents)
    return ToolResult(
        success=error is None,
        output=flatten_content(spoken),
        error=error,
        content=contents,
        execution_time=seconds,
        meta=meta,
    )
